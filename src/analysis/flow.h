/*
 * The flow graph of a function, and which of its nodes decide about which.
 *
 *     struct flow *flow = flow_build(program, function, NULL);
 *     for (uint32_t n = 0; n < flow->count; n++)
 *         for (uint32_t i = flow->controls.start[n]; i < flow->controls.start[n + 1]; i++)
 *             ... what flow->controls.to[i] ends with decides whether n runs
 *     flow_free(flow);
 *
 * A node is a piece of a block: a whole block, except where calls do more than return, or never do.
 * In functions that call setjmp() a block ends behind each call from which longjmp() may
 * come back, with an edge to the piece that begins with setjmp(); behind a call that
 * may wait for ever, with an edge to the exit.
 *
 * Nodes are numbered from 0 in the order of their instructions; node 0 is the
 * entry.  `count` is the exit, a node without instructions: what returns, and what
 * ends in a call that does not return, leads there.
 */
#ifndef RECUT_ANALYSIS_FLOW_H
#define RECUT_ANALYSIS_FLOW_H

#include "program/program.h"

/* Lists of node numbers, one for each node: to[start[n]] up to to[start[n + 1]]. */
struct flow_lists {
    uint32_t *start, *to;
};

struct flow {
    function_id function;
    uint32_t count;
    struct range *instructions; /* by node: neighbours */
    struct flow_lists successors, predecessors;
    /* Nodes that can be reached from the entry, each behind all of its predecessors
     * but those of back edges; the exit is not among them. */
    uint32_t *order;
    uint32_t order_count;
    uint32_t *dominator;      /* immediate; NO_ID of the entry and of what is never reached */
    uint32_t *post_dominator; /* immediate; NO_ID of the exit and of what is never reached */
    /* By node: the nodes whose last instruction decides whether it runs (Ferrante,
     * Ottenstein and Warren).  A loop without an end counts as one that may end. */
    struct flow_lists controls;
};

/* What a call may do besides returning. */
enum flow_call {
    FLOW_JUMPS = 1 << 0, /* call longjmp() */
    FLOW_WAITS = 1 << 1, /* wait for another thread, and so perhaps never return: what follows
                            depends on it (Krinke, section 4.2).  Also of branches: they may lead
                            around for ever */
};

/* Only of a defined function.  `calls` says by instruction what a call may do, as bits;
 * NULL: any may call longjmp(), none waits. */
struct flow *flow_build(const struct program *program, function_id function, const uint8_t *calls);
void flow_free(struct flow *flow);

/* `marks` has one for each node, and for the exit: marks all from which a marked one is reached. */
void flow_spread_back(const struct flow *flow, bool *marks);

/* The node of an instruction. */
uint32_t flow_node(const struct flow *flow, instruction_id instruction);

#endif
