/*
 * What the files order*.c share.
 *
 *   order.c          instances and contexts
 *   order_join.c     which thread a join waits for
 *   order_reach.c    the order within an instance, and between two
 *   order_wait.c     what waiting for another thread adds to it
 */
#ifndef RECUT_ANALYSIS_ORDER_IMPL_H
#define RECUT_ANALYSIS_ORDER_IMPL_H

#include "analysis/order.h"
#include "base/idmap.h"

struct context {
    uint32_t instance;
    context_id caller; /* NO_ID: the instance begins here */
    instruction_id call;
    uint32_t component; /* of the call graph */
    function_id entered;
};

struct instance {
    context_id root;
    uint32_t creator;   /* NO_ID: main's, or entered by the environment */
    context_id created; /* in the creator */
    instruction_id create;
    function_id entry;
    bool is_many;
    bool ends_first; /* before its creator does */
    bool is_last;    /* threads_is_last() */
};

/* What a join waits for. */
struct join {
    instruction_id at;
    bool is_known;                /* one of these calls made it, and nothing else */
    bool is_sure;                 /* the thread is over when it returns */
    VEC(instruction_id) creators; /* calls */
};

typedef VEC(context_id) context_vec;

struct order_places {
    struct order_place *data;
    size_t count, capacity;
};

/* When one of the calls has returned, one of the places has been passed, and what the calls in
 * `once` run is not run any more. */
struct gate {
    struct bitset calls, once;
    struct order_places places;
};

struct order {
    const struct sdg *sdg;
    const struct program *program;
    struct locks *locks;
    VEC(struct context) contexts;
    VEC(struct instance) instances;
    VEC(struct join) joins;
    context_vec *of_component;
    struct idmap children; /* by caller, call and callee */
    context_id followed;   /* those before it have all their calls */
    bool is_too_large;
    struct bitset *after;            /* by block: blocks that can follow it */
    bool *is_after_known;            /* by block */
    struct bitset exits;             /* blocks in which a thread may end */
    VEC(struct bitset) ending_calls; /* by instance: calls that return when it is over */
    VEC(struct gate) gates;
    struct idmap passed_ids; /* by place */
    VEC(uint64_t) passed;    /* gates, a bit each */
    struct idmap answers[2]; /* of order_may_precede() and order_is_parallel() */
    struct idmap place_ids;
    uint32_t place_count;
};

void order_find_joins(struct order *order);
void order_find_ends(struct order *order);
/* Does the flow of the function lead from one instruction to the other, or around to itself? */
bool order_flows(struct order *order, instruction_id from, instruction_id to);

/* Can `a` come before `b` by the flow, by creating and by joining? */
bool order_may_precede_by_creation(struct order *order, struct order_place a, struct order_place b);
/* In one thread: does a way lead from one to the other? */
bool order_reaches(struct order *order, struct order_place a, struct order_place b);
/* Is one of these calls passed on all ways from where the thread begins to the place? */
bool order_is_behind(struct order *order, struct order_place place, const struct bitset *calls);
/* Adds calls of functions that cannot return without one of these. */
void order_spread_calls(struct order *order, struct bitset *calls);

void order_find_gates(struct order *order);
void gate_deinit(struct gate *gate);
/* Is it for sure, by what was waited for, that one comes behind the other? */
bool order_is_shut(struct order *order, struct order_place behind, struct order_place before);

#endif
