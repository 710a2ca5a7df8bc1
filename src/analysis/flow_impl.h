/*
 * What flow.c and dominance.c share.
 */
#ifndef RECUT_ANALYSIS_FLOW_IMPL_H
#define RECUT_ANALYSIS_FLOW_IMPL_H

#include "analysis/flow.h"

struct flow_edge {
    uint32_t from, to;
};
typedef VEC(struct flow_edge) flow_edges;

/* Lists by `from`, or by `to` if `reverse`, for nodes below `nodes`. */
struct flow_lists flow_lists_make(const struct flow_edge *edges, size_t count, uint32_t nodes,
                                  bool reverse);
void flow_lists_deinit(struct flow_lists *lists);

/* Fills order, dominator, post_dominator and controls. */
void flow_add_dominance(struct flow *flow);

#endif
