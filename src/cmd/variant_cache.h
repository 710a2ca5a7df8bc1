/*
 * Variants that were built before; cache.h says where they are kept.
 */
#ifndef RECUT_CMD_VARIANT_CACHE_H
#define RECUT_CMD_VARIANT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/program_section.h"

/* The path of a variant of this kind, of this build and with these choices; its
 * directory exists afterwards if it can be made. The caller frees. */
char *variant_cache_path(const uint8_t build_id[BUILD_ID_SIZE], const char *kind, uint64_t choices);

/* Can a file of this path be made? */
bool variant_cache_is_writable(const char *path);

/* The logging variant of a program (cmd/prepare.c). */
struct variant_request {
    const char *program, *models; /* paths */
    const uint8_t *build_id;
    uint64_t models_hash;
    uint64_t features; /* enum variant_feature */
    const char *doing; /* said on a terminal, before the program: "analysing" */
    const char *own;   /* where it is built if there is no cache */
};

/* Its image, from the cache if it was built before for the same program and models; NULL
 * if the program needs none. The caller frees. */
struct error *variant_cache_get(const struct variant_request *request, char **ret);

/* The features of an image. */
struct error *variant_cache_features(const char *image, uint64_t *ret);

#endif
