/*
 * What the files sdg*.c and summary*.c share.
 *
 *   sdg.c           runs them; nodes and edges
 *   sdg_function.c  the graph of one function: control, operands, memory, calls
 *   sdg_memory.c    which definition of a part of memory reaches where
 *   sdg_failure.c   what is known where only a call's failure leads
 *   sdg_hub.c       memory that has no parts
 *   sdg_threads.c   what threads do to each other
 *   sdg_roots.c     what runs before main()
 *   sdg_ends.c      what may not come to an end
 *   sdg_initial.c   initial values that nodes bring along
 *   sdg_file.c      graphs in files
 *   summary*.c      summary edges
 */
#ifndef RECUT_ANALYSIS_SDG_IMPL_H
#define RECUT_ANALYSIS_SDG_IMPL_H

#include "analysis/flow.h"
#include "analysis/sdg.h"
#include "base/idmap.h"

struct raw_edge {
    node_id from, to;
    uint8_t kind;
};

/*
 * Memory through which anything that writes it reaches anything that reads it.
 *
 *     stores --> region --> cells --> region --> loads
 *
 * with a node for each region, so that edges are not accesses times cells.
 */
enum { SDG_MOST_HUBS = 20000 }; /* cells that are hubs of their own */

struct hubs {
    bool (*is_one)(const struct sdg *sdg, uint32_t cell);
    enum sdg_edge_kind kind;
    bool by_object;          /* cells of one object are one hub: there are very many */
    uint32_t *mask;          /* by word of 32 cells: those that are one */
    node_id *nodes;          /* by cell or object: the hub; NO_ID if there is none yet */
    struct idmap regions[2]; /* nodes by region: read, written */
};
void hubs_deinit(struct hubs *hubs);
/* A hub of its own for a cell, or with NO_ID for what code without a model does. */
node_id sdg_new_hub(struct sdg *sdg, uint32_t cell);
/* The node for accesses to a region; NO_ID if none of its cells is a hub. */
node_id sdg_hub_of_region(struct sdg *sdg, struct hubs *hubs, uint32_t region, bool writes);
/* The node of a cell that is one. */
node_id sdg_hub_of_cell(struct sdg *sdg, struct hubs *hubs, uint32_t cell);

struct function_nodes {
    node_id first_argument; /* formal ins of arguments are neighbours */
    node_id *formal_in;     /* by part; NO_ID if it is not formal */
    node_id *formal_out;    /* by part; NO_ID if it is not formal, or never written */
    bool *is_variadic;      /* by part: arguments behind `...`; NULL if there are none */
};

struct sdg_impl {
    const struct sdg_options *options;
    VEC(struct raw_edge) edges;
    struct function_nodes *functions;
    node_id *call_results; /* by instruction */
    uint32_t *call_ranks;  /* by instruction: calls in the order of visits */
    uint32_t call_count;
    struct hubs hubs;        /* of cells without parts */
    bool *may_jump;          /* by function: longjmp() may leave it, or the end of the thread */
    bool *may_end;           /* by function: it may not return, as far as that is asked for */
    node_id *ends;           /* by function: formal out of whether it returns, or NO_ID */
    uint8_t *calls;          /* by instruction: enum flow_call */
    bool *between_processes; /* by cell, while sdg_add_processes() runs */
};

node_id sdg_add_node(struct sdg *sdg, struct sdg_node node);
void sdg_add_edge(struct sdg *sdg, node_id from, node_id to, enum sdg_edge_kind kind);

/* Lists of the edges so far, by the node that they lead to, or come from. */
struct sdg_edges sdg_make_lists(const struct sdg *sdg, bool forward);

void sdg_find_waits(struct sdg *sdg);
void sdg_find_ends(struct sdg *sdg);
void sdg_add_roots(struct sdg *sdg);
void sdg_find_initial(struct sdg *sdg);
void sdg_add_interference(struct sdg *sdg);
void sdg_add_processes(struct sdg *sdg);
void sdg_add_function(struct sdg *sdg, function_id function);
void sdg_add_summaries(struct sdg *sdg);

/*
 * Definitions of parts while one function is gone through: static single
 * assignment made on the fly (Braun and others, CC 2013).  Blocks are visited in
 * the flow's order; merges are made where ways meet, when someone asks.
 */
struct definitions;
/* `initial` holds, by part, the node of it when the function begins, or NO_ID. */
struct definitions *definitions_new(struct sdg *sdg, const struct flow *flow,
                                    const node_id *initial);
void definitions_free(struct definitions *definitions);
/* The node that holds what a part is at this place; NO_ID if nothing is known to. */
node_id definitions_read(struct definitions *definitions, uint32_t block, uint32_t part);
void definitions_write(struct definitions *definitions, uint32_t block, uint32_t part,
                       node_id node);
/* Whether a node of the flow can be entered from one other alone, which was visited. */
bool definitions_only_way(const struct definitions *definitions, uint32_t block,
                          uint32_t *ret_from);
/* All predecessors that there are have been visited. */
void definitions_seal(struct definitions *definitions, uint32_t block);

/* The external call that has failed, as its model says, and has left errno, if control comes to
 * node `to` of the flow from `node`, its only predecessor, all of whose instructions were visited;
 * else NO_ID. */
instruction_id sdg_failed_call(struct sdg *sdg, struct definitions *definitions,
                               const struct flow *flow, uint32_t node, uint32_t to);

#endif
