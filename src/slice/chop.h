/*
 * Chops: what lies on a way from one place to another.
 *
 * Context-sensitive, by Reps and Rosay (Precise interprocedural chopping, FSE 1995).
 * A way goes up to callers for a while, then down into callees:
 *
 *                  both reach it
 *         .----->  o  o  o  ------.          forward from the source, up only
 *         |                       |          backward from the target, up only
 *      source                  target
 *
 * That much, with calls on the way crossed by summary edges, is the truncated chop
 * (Krinke's C^TN).  The whole one also has what lies between the formal in and the
 * formal out behind each of those summary edges.
 */
#ifndef RECUT_SLICE_CHOP_H
#define RECUT_SLICE_CHOP_H

#include "slice/slice.h"

struct chop_options {
    bool truncated;  /* do not look into calls that are crossed */
    bool same_level; /* only ways that stay in their function and what that calls */
    bool data_only, no_context, no_threads;
    struct order *order; /* as in struct slice_options */
    bool by_definition;
};

/* By node: is it on a way from one of the sources to one of the targets?  The caller
 * frees. */
bool *chop_make(const struct sdg *sdg, const node_id *sources, size_t source_count,
                const node_id *targets, size_t target_count, const struct chop_options *options);

#endif
