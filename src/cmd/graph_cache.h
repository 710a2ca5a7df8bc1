/*
 * Dependence graphs of programs that were sliced before (analysis/sdg_file.h), by what they were
 * made of.  There are at most GRAPH_CACHE_MOST bytes of them, or one that is larger.
 */
#ifndef RECUT_CMD_GRAPH_CACHE_H
#define RECUT_CMD_GRAPH_CACHE_H

#include "analysis/sdg_file.h"

#define GRAPH_CACHE_MOST (1ULL << 30)

/* What a graph is made of besides the program. */
struct graph_choices {
    uint64_t models_hash;
    bool data_only, termination;
    bool has_copies; /* analysis/contexts.h */
};

/* NULL: there is none. */
struct sdg *graph_cache_find(const struct program *program, const struct graph_choices *choices);
void graph_cache_keep(const struct sdg *sdg, const struct graph_choices *choices);

#endif
