/*
 * Slices that do not travel in time (Krinke, sections 3.3 and 4).
 *
 * A way through the dependence graph that goes from thread to thread is one of an execution
 * only if its places can come one after the other: each has to be before all those that the
 * way has been at in the same thread, and in the order that creating and joining threads give.
 *
 *     bool *nodes = witness_find(order, criteria, count, &(struct witness_options){0});
 *     if (nodes) ... nodes[n]
 *
 * What is kept for each way is the last place in each thread, the state tuple of Krinke's
 * algorithms.  Threads that stand for many have none: there is always another of them.
 *
 * Two ways to compute it, with the same result:
 *
 *   Algorithm 1   every node in every call string is visited by itself.  The definition,
 *                 for small programs and tests.
 *   Algorithm 2   within a thread, calls are crossed by summary edges.  Call strings are
 *                 followed only along nodes behind which there is another thread: the
 *                 truncated chop between those and where the thread was entered.
 */
#ifndef RECUT_SLICE_WITNESS_H
#define RECUT_SLICE_WITNESS_H

#include "analysis/order.h"

enum { WITNESS_MOST_STATES = 400000 };

struct witness_options {
    bool forward;
    bool data_only;     /* control dependence is not followed */
    bool by_definition; /* Algorithm 1 */
};

/* By node: is it on such a way?  The caller frees.  NULL: there are too many states.  Nodes that
 * stand for summary edges are always in it. */
bool *witness_find(struct order *order, const struct sdg *sdg, const node_id *criteria,
                   size_t count, const struct witness_options *options);

#endif
