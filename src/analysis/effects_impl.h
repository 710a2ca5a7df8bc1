/*
 * What effects.c and effects_external.c share.
 */
#ifndef RECUT_ANALYSIS_EFFECTS_IMPL_H
#define RECUT_ANALYSIS_EFFECTS_IMPL_H

#include "analysis/effects.h"
#include "base/idmap.h"

struct effects {
    const struct program *program;
    const struct pta *pta;
    struct cells *cells;
    VEC(struct memory_effect) pool;
    uint32_t *first; /* by instruction, and one more */
    VEC(function_id) callees;
    uint32_t *first_callee; /* by instruction, and one more */
    uint32_t *end_callee;   /* by instruction: behind the last; ends of threads follow */
    bool *is_direct;        /* by instruction */
    VEC(function_id) thread_entries;
    VEC(function_id) escaped; /* functions whose addresses code without a model has */
    bool are_threads;         /* too many of them: no callees, but threads */
    struct bitset unknown;    /* calls of functions without a model */
    uint32_t errno_region, escaped_region;
    VEC(function_id) contexts; /* functions that makecontext() was given */
    uint32_t stream_region;    /* memory that streams were opened on, or NO_ID */
    uint32_t moved_streams;    /* bits by enum effects_stream: what becomes another file */
    struct idmap reached;      /* by pta_targets(): all that it leads to, a region */
};

/* A call of a function outside of the program. */
struct external {
    struct effects *effects;
    const struct instruction *call;
    const struct model_table *table;
    const struct model_function *model; /* NULL: it has none */
    const char *name;                   /* without what recut and glibc put in front */
};

struct external effects_call(const struct effects *effects, instruction_id call,
                             function_id callee);
/* An argument; NO_ID if there are not so many. */
static inline value_id effects_operand(const struct external *x, uint32_t number) {
    return number < x->call->operands.count
               ? x->effects->program->operands.data[x->call->operands.first + number]
               : NO_ID;
}

enum effects_stream { STREAM_SOME, STREAM_INPUT, STREAM_OUTPUT, STREAM_ERRORS };

/* effects_stream.c: which stream a call of a function with a model works on. */
enum effects_stream effects_stream(const struct external *x);

void effects_add(struct effects *effects, uint32_t region, bool writes);
/* An access of `size` bytes, 0 if not known, by an instruction at `address`. */
void effects_access(struct effects *effects, value_id address, uint64_t size, bool writes);
/* What a call does that enters an external function; NO_ID is one without a name. */
void effects_external(struct effects *effects, instruction_id call, function_id callee);
/* Finds what is in stream_region, moved_streams and contexts; before effects_external() is
 * called. */
void effects_find_streams(struct effects *effects);
void effects_find_moved(struct effects *effects);
void effects_find_contexts(struct effects *effects);
/* Has it no model, and no bitcode, so that it may do anything? */
bool effects_is_unknown(const struct effects *effects, function_id callee);

#endif
