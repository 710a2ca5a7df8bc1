/*
 * From a flow graph to a cut.
 *
 *     struct choice choice;
 *     struct error *err = choose(graph, &targets, CUT_MINCUT, &choice);
 *     choice_to_cut(graph, &choice, &cut);
 *     choice_deinit(&choice);
 */
#ifndef RECUT_CUT_CHOOSE_H
#define RECUT_CUT_CHOOSE_H

#include "cut/graph.h"

struct choice {
    bool *at_sink; /* by node of the graph: replay space, or valid */
    uint64_t cost; /* of what it logs, in weights */
    struct network_figures figures;
};

/* What is to be in replay space. */
struct choose_targets {
    struct bitset all;
    struct bitset wished; /* of those: the minimum cut may leave them out, if that saves a lot */
};

/* Functions that are targets are in replay space; if that cannot be, the error says which and why.
 * The graph is as it was afterwards. */
struct error *choose(struct graph *graph, const struct choose_targets *targets,
                     enum cut_strategy strategy, struct choice *ret);
/* Everything that can be is in replay space. */
void choose_whole(const struct graph *graph, struct choice *ret);
/* Adds all functions that can be in replay space.  Those that never ran in the profile are wished
 * for: what one of them may do, at no place that is known to be reached, should not cost all runs.
 */
void choose_possible(const struct graph *graph, const struct weights *weights,
                     struct choose_targets *targets);
void choice_deinit(struct choice *choice);

/* The sets of functions and instructions; `target` and `strategy` are the caller's to fill in. */
void choice_to_cut(const struct graph *graph, const struct choice *choice, struct cut *ret);

#endif
