/*
 * What summary.c and summary_reach.c share.
 */
#ifndef RECUT_ANALYSIS_SUMMARY_IMPL_H
#define RECUT_ANALYSIS_SUMMARY_IMPL_H

#include "analysis/sdg_impl.h"

typedef VEC(node_id) node_list;

/* What comes out of a function, by what goes into it.  Formal outs that depend on the same formal
 * ins are a class. */
struct function_summary {
    node_list ins, outs;
    uint32_t words;                  /* of a set of ins, a bit for each */
    uint32_t class_count;            /* 0: not looked at yet, or nothing comes out */
    uint64_t *sets;                  /* by class, `words` each */
    uint32_t *class_of;              /* by out */
    uint64_t size;                   /* elements of all outs' sets */
    uint32_t first_site, site_count; /* calls of it within its circle */
};

/* A call within a circle of functions, and one of those it may enter. */
struct call_site {
    function_id callee, caller;
    uint32_t rank;
    uint32_t next;  /* of the same call, plus one */
    uint64_t first; /* in `passed`: what is passed, by formal in of the callee, or NO_ID */
};

/* A summary edge into a node, and the one that was added before it. */
struct link {
    node_id from;
    uint32_t before; /* in `links`, plus one */
};

struct summaries {
    struct sdg *sdg;
    struct sdg_edges in, out; /* without summary edges */
    size_t old_count;         /* nodes that these have */
    struct function_summary *functions;
    uint32_t *place; /* by formal: which of its function's ins, or outs */

    uint32_t *last; /* by node: its newest link, plus one */
    size_t capacity;
    VEC(struct link) links;
    node_id *shared; /* by rank of a call: its shared node, or NO_ID */

    /* Of the component that is worked at. */
    VEC(struct call_site) sites;
    uint32_t *first_site; /* by rank of a call: the newest, plus one */
    node_list passed;
    bool *is_queued; /* by function: something that it calls has changed */

    uint32_t *local; /* by node: its number in a graph of one function, plus one */
};

static inline uint32_t *summary_place(struct summaries *of, node_id formal) {
    return &of->place[formal - of->sdg->program->instructions.count];
}

/* Finds what the outs of a function depend on, as its calls are known so far.  Is it more than
 * before? */
bool summary_reach(struct summaries *of, function_id function);

#endif
