/*
 * The system dependence graph of a program (Horwitz, Reps and Binkley, TOPLAS 1990).
 *
 *     struct sdg *sdg = sdg_build(pta, &(struct sdg_options){0});
 *     for (uint32_t i = sdg->in.start[n]; i < sdg->in.start[n + 1]; i++)
 *         ... n depends on sdg->in.edges[i].node
 *
 * Nodes are the instructions, by their own ids, and behind them those that only this
 * graph knows:
 *
 *     entry of a function      depends on the calls of it
 *     block                    a piece of the flow graph; its instructions depend on it, and
 *                              it on the branches that decide about it
 *     formal in                a parameter, or a part of memory, when the function begins
 *     formal out               the result, or a part of memory, when it returns
 *     actual in, actual out    the same at a call
 *     merge                    what a part of memory may hold where ways meet, or where
 *                              something is perhaps overwritten
 *     hub                      a cell of memory that is too widespread for all that
 *                              (parts.h); what writes it reaches what reads it
 *
 *          f(x) calls g                            g
 *          actual in x  --- parameter in --->  formal in
 *               |  summary                          |  dependences in g
 *               v                                   v
 *          actual out   <-- parameter out ---  formal out
 *
 * Edges lead from what is depended on to what depends on it.  Summary edges are
 * added by summary.c, and are there when sdg_build() returns.
 */
#ifndef RECUT_ANALYSIS_SDG_H
#define RECUT_ANALYSIS_SDG_H

#include "analysis/parts.h"
#include "analysis/threads.h"

typedef uint32_t node_id;

#define SDG_NODE_KINDS(X)                                                                          \
    X(INSTRUCTION, "instruction") /* of: the instruction, and so the node */                       \
    X(ENTRY, "entry")             /* function */                                                   \
    X(BLOCK, "block")             /* of: its first instruction */                                  \
    X(FORMAL_IN, "formal in")     /* of: argument number, or part: which of the function's */      \
    X(FORMAL_OUT, "formal out")   /* part, or NO_ID: the result */                                 \
    X(ACTUAL_IN, "actual in")     /* of: the call; part: of the callee, or NO_ID: an argument */   \
    X(ACTUAL_OUT, "actual out")   /* of: the call; part: of the callee, or NO_ID: the result */    \
    X(MERGE, "merge")             /* of: the first instruction behind; part */                     \
    X(COPY, "copy")               /* of: the instruction that copies the part */                   \
    X(SHARED, "shared")           /* of: the call; of summary edges to several actual outs */      \
    X(HUB, "hub")                 /* of: the cell */                                               \
    X(PROBE, "probe")             /* of: the instruction that it is in front of */

enum sdg_node_kind {
#define X(id, name) NODE_##id,
    SDG_NODE_KINDS(X)
#undef X
        NODE_KIND_COUNT
};

#define SDG_EDGE_KINDS(X)                                                                          \
    X(DATA, "data")                                                                                \
    X(CONTROL, "control")                                                                          \
    X(CALL, "call")                   /* from a call to an entry */                                \
    X(PARAMETER_IN, "parameter in")   /* from an actual to a formal */                             \
    X(PARAMETER_OUT, "parameter out") /* from a formal to an actual */                             \
    X(SUMMARY, "summary")             /* from actual ins to actual outs */                         \
    X(HUB, "hub")                     /* data, from anywhere to anywhere */                        \
    X(INTERFERENCE, "interference")   /* data, from one thread to another (Krinke, definition 4) */

enum sdg_edge_kind {
#define X(id, name) EDGE_##id,
    SDG_EDGE_KINDS(X)
#undef X
        EDGE_KIND_COUNT
};

struct sdg_node {
    uint8_t kind; /* enum sdg_node_kind */
    function_id function;
    uint32_t of, part;
};

struct sdg_edge {
    node_id node : 29; /* the other end */
    uint32_t kind : 3; /* enum sdg_edge_kind */
};

/* Edges of all nodes, one list behind the other. */
struct sdg_edges {
    uint64_t *start; /* by node, and one more */
    struct sdg_edge *edges;
};

/* The value of a variable in front of an instruction, or behind it. */
struct sdg_probe {
    instruction_id instruction;
    variable_id variable;
    bool is_behind;
};

struct sdg_options {
    uint64_t most_actuals; /* 0: PARTS_MOST_ACTUALS */
    bool data_only;        /* summary edges stand for data dependences alone */
    bool termination;      /* what follows a loop or a call depends on whether that ends */
    /* Each gets a node, sdg->probes; only read while the graph is built. */
    const struct sdg_probe *probes;
    uint32_t probe_count;
};

struct sdg {
    const struct program *program;
    const struct pta *pta;
    struct effects *effects;
    struct callgraph *graph;
    struct parts *parts;
    struct threads *threads;
    VEC(struct sdg_node) nodes;
    struct sdg_edges in, out;
    node_id *entries; /* by function, NO_ID if it is not defined */
    node_id *results; /* by function: formal out of its result, or NO_ID */
    node_id *probes;  /* by probe; NO_ID if its instruction is never reached */
    /* By node: variables whose initial values it brings along. */
    struct {
        uint32_t *start; /* and one more */
        memory_id *list;
    } initial;
    struct {
        uint64_t cells, hubs;
    } figures;
    /* From a file (sdg_file.h): then what is above from pta to threads is not there. */
    void *mapped;
    uint64_t mapped_size;
    struct sdg_impl *impl;
};

/* `pta` must outlive it. */
struct sdg *sdg_build(const struct pta *pta, const struct sdg_options *options);
void sdg_free(struct sdg *sdg);

/* The node that stands for a value: what computes it; NO_ID for constants. */
node_id sdg_node_of_value(const struct sdg *sdg, value_id value);

const char *sdg_node_kind_name(enum sdg_node_kind kind);
const char *sdg_edge_kind_name(enum sdg_edge_kind kind);

#endif
