/*
 * Dependence graphs in files, so that the next slice of a program need not analyse it again.
 *
 *     sdg_save(sdg, path, &key);
 *     struct sdg *again = sdg_load(program, path, &key);     NULL: it is not there, or not whole
 *
 * What comes back is enough for slices and for showing them: nodes, edges, where functions begin
 * and end.  Points-to sets and parts of memory are not in it, nor is anything about threads: of
 * programs that have some, no graph is kept.
 *
 * A file is a header and arrays, each at a multiple of 64 bytes, as they are in memory; it is
 * mapped, not read.  Its checksum is checked, so that a file that was cut off is none.
 */
#ifndef RECUT_ANALYSIS_SDG_FILE_H
#define RECUT_ANALYSIS_SDG_FILE_H

#include "analysis/sdg.h"

/* What a graph was made of. */
struct sdg_key {
    uint64_t program[2]; /* a hash of its bitcode */
    uint64_t choices;    /* of models, options and this tool */
};

/* False: it could not be written; nothing is left behind then. */
bool sdg_save(const struct sdg *sdg, const char *path, const struct sdg_key *key);
struct sdg *sdg_load(const struct program *program, const char *path, const struct sdg_key *key);

#endif
