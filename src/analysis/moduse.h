/*
 * What each function reads and writes, with all that it calls: of the parts of memory that it sees.
 *
 *     struct moduse *moduse = moduse_build(sdg);
 *     if (moduse_has(moduse, function, part, MODUSE_WRITES)) ...
 *
 * Hubs are in no part, so nothing is said of them.
 */
#ifndef RECUT_ANALYSIS_MODUSE_H
#define RECUT_ANALYSIS_MODUSE_H

#include "analysis/sdg.h"

enum moduse_kind { MODUSE_READS, MODUSE_WRITES, MODUSE_KIND_COUNT };

struct moduse;

/* `sdg` must outlive it. */
struct moduse *moduse_build(const struct sdg *sdg);
void moduse_free(struct moduse *moduse);

bool moduse_has(const struct moduse *moduse, function_id function, uint32_t part,
                enum moduse_kind kind);

#endif
