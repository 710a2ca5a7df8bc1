/*
 * Slices of a system dependence graph.
 *
 *     struct slice *slice = slice_new(sdg);
 *     slice_add(slice, node);                        criteria
 *     slice_run(slice, &(struct slice_options){.forward = false});
 *     if (slice_has(slice, node)) ...
 *
 * Backward: all nodes that a criterion may depend on; forward: all that may depend on
 * it.  In two passes (Horwitz, Reps and Binkley, section 5), so that a way that
 * enters a function by one call leaves it by the same:
 *
 *     pass 1   goes up to callers, and over calls by summary edges, not into them
 *     pass 2   goes down into what was called, and not up again
 *
 * Hub edges, and interference between threads, are followed from any context to any
 * context: behind one, pass 1 begins anew.  With an order of threads, only nodes are visited
 * that are on a way which some execution can take (witness.h).
 */
#ifndef RECUT_SLICE_SLICE_H
#define RECUT_SLICE_SLICE_H

#include "analysis/order.h"

struct slice_options {
    bool forward;
    bool no_context;     /* plain reachability */
    bool data_only;      /* control dependence is not followed */
    bool no_threads;     /* interference between threads is not followed */
    uint32_t depth;      /* lines from the criteria at most; 0: any number */
    struct order *order; /* NULL: ways between threads may go back in time */
    bool by_definition;  /* with it: Krinke's algorithm 1 (witness.h) */
};

struct slice;

/* `sdg` must outlive it. */
struct slice *slice_new(const struct sdg *sdg);
void slice_free(struct slice *slice);

void slice_add(struct slice *slice, node_id criterion);
void slice_run(struct slice *slice, const struct slice_options *options);

bool slice_has(const struct slice *slice, node_id node);
/* By node: is it in the slice?  The caller frees. */
bool *slice_table(const struct slice *slice);
/* The node that brought this one into the slice, and how; of a criterion, the number of
 * nodes that there are. */
struct sdg_edge slice_reason(const struct slice *slice, node_id node);

#endif
