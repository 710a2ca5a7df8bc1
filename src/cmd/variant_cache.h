/*
 * Where built variants are kept: $RECUT_CACHE_DIR, else $XDG_CACHE_HOME/recut/variants,
 * else ~/.cache/recut/variants.
 */
#ifndef RECUT_CMD_VARIANT_CACHE_H
#define RECUT_CMD_VARIANT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/program_section.h"

/* The path of a variant of this kind, of this build and with these choices; its
 * directory exists afterwards if it can be made. The caller frees. */
char *variant_cache_path(const uint8_t build_id[BUILD_ID_SIZE], const char *kind, uint64_t choices);

/* Can a file of this path be made? */
bool variant_cache_is_writable(const char *path);

#endif
