/*
 * The flow graph of a program: where data goes between functions, memory and the environment, and
 * what it would cost to log it there (iTarget, section 3.1).
 *
 *     struct graph *graph = graph_build(effects, &weights);
 *     graph_tie_target(graph, function);
 *     ...
 *     graph_free(graph);
 *
 * A node is on one of two sides.  Of a function, the sides are environment (with the source) and
 * replay space (with the sink); of memory, not valid and valid (cut.h).  An edge u -> v says what
 * it costs if u is with the source and v with the sink:
 *
 *     load of f          cells it may read -> region -> f      the value is logged
 *     store of f         f -> region -> cells it may write     address and bytes are logged
 *     call f() { g() }   f -> g                                an event with arguments
 *                        g -> f                                an event with the result
 *     external c of f    c -> f                                an event with the result
 *                        c -> outputs -> regions -> cells      the bytes that it wrote
 *                        regions it reads -> c                 if it is deterministic
 *                        source -> c                           if it is not
 *                        f -> c                                what f does not do, c does not
 *
 * Edges with a cost are sites, the others, ties, cannot be cut.  A value node is a cell
 * (analysis/cells.h): bytes that no access tells apart; regions are there once for all accesses
 * that may go to the same cells.  SSA values live and die in one function and have no nodes; those
 * that leave it are arguments and results.
 *
 * Why a cut of this graph is a cut of every execution: let replay space and the valid cells be the
 * side of the sink.  By induction over an execution, every value of a function in replay space, and
 * every valid byte of memory, is in the replay as it was.  A function gets values from loads: from
 * valid cells alone, or the load is logged, since one cell that is not valid puts the edge region
 * -> f into the cut.  From its callers: functions in replay space, or the call is an event.  From
 * calls: the same, and externals are executed again on valid inputs, or logged.  A valid cell is
 * written by replay space, by the induction with what it was written with, or by a function that is
 * environment, or an external that is not executed again, and then region -> cell is a tie and the
 * edge to the region is in the cut: logged.  It is written by nobody else: memory that the
 * environment owns, or may write unannounced, is tied to the source.  That points-to sets, call
 * graph and models leave nothing out is what docs/analysis.md says of them.
 *
 * errno is in no node (cut.h), nor is what mutexes and their kind hold, which are no data.
 */
#ifndef RECUT_CUT_GRAPH_H
#define RECUT_CUT_GRAPH_H

#include "analysis/effects.h"
#include "cut/cut.h"
#include "cut/network.h"
#include "cut/weights.h"

typedef uint32_t graph_node;

enum { GRAPH_SOURCE, GRAPH_SINK, GRAPH_FIRST_FUNCTION };

/* What is logged besides the data itself, in bytes, as far as that can be said beforehand. */
enum { GRAPH_LOG_LOAD = 1, GRAPH_LOG_STORE = 6, GRAPH_LOG_EVENT = 3, GRAPH_LOG_ARGUMENT = 3 };

enum site_kind {
    SITE_LOAD,     /* the value */
    SITE_STORE,    /* address and bytes */
    SITE_COPY,     /* a memory intrinsic, as a store */
    SITE_CALL,     /* of a function: event and arguments */
    SITE_RETURN,   /* event and result */
    SITE_CALLBACK, /* by the environment: event and arguments */
    SITE_EXTERNAL, /* event and result */
    SITE_OUTPUT,   /* what an external wrote */
    SITE_KIND_COUNT
};

const char *site_kind_name(enum site_kind kind);

struct site {
    uint8_t kind;               /* enum site_kind */
    graph_node from, to;        /* logged if `from` is with the source and `to` with the sink */
    instruction_id instruction; /* NO_ID of a callback */
    function_id function; /* the one that the instruction is in; of a callback, the one called */
    function_id other; /* CALL, RETURN: called; EXTERNAL, OUTPUT: one of those called, or NO_ID */
    uint64_t weight;
};

/* Why two nodes are not to be separated. */
enum tie_kind {
    TIE_FLOW,    /* data flows, at no cost of its own */
    TIE_OWNED,   /* memory that the environment owns, or may write at any time */
    TIE_OUTSIDE, /* an external that is not deterministic */
    TIE_NOT_CANONICAL,
    TIE_UNSEEN,   /* an instruction whose result comes from outside */
    TIE_ASSEMBLY, /* what assembly writes is not known */
    TIE_VARIADIC, /* a variadic function and its callers */
    TIE_BY_VALUE, /* an argument is a struct */
    TIE_VA_LIST,  /* who works on one */
    TIE_JUMP,     /* between setjmp() and longjmp() */
    TIE_STATE,    /* state that libc keeps and the program cannot see */
    TIE_NATIVE,   /* an external that is executed in replay space, whatever it reads */
    TIE_TARGET,
    TIE_KIND_COUNT
};

struct tie {
    graph_node from, to;
    uint8_t kind; /* enum tie_kind */
};

/* A call of external functions. */
struct graph_call {
    instruction_id instruction;
    function_id function;
    graph_node node;       /* NO_ID if it is executed on the side of its function */
    graph_node outputs;    /* what it writes; NO_ID if nothing */
    struct range reads;    /* pool `reads`: regions */
    bool is_deterministic; /* else `node` is tied to the source */
    bool is_intrinsic;     /* memcpy() and its kind */
};

struct graph {
    const struct program *program;
    const struct effects *effects;
    uint32_t node_count;
    graph_node first_cell;
    VEC(struct site) sites;
    VEC(struct tie) ties;
    VEC(struct graph_call) calls;
    VEC(graph_node) reads;
    struct bitset
        mixed; /* instructions that read memory of the program, or the environment's own */
    uint32_t operation_count, value_count; /* functions and calls; cells in use */
};

static inline graph_node graph_function(function_id function) {
    return GRAPH_FIRST_FUNCTION + function;
}

/* `effects` and the program must outlive it. */
struct graph *graph_build(const struct effects *effects, const struct weights *weights);
void graph_free(struct graph *graph);

/* Ties a function to the sink. */
void graph_tie_target(struct graph *graph, function_id function);
/* Takes back ties, down to the first `count`. */
void graph_untie(struct graph *graph, size_t count);

/* Marks what is tied to the source or, backward, to the sink. */
void graph_reach(const struct graph *graph, bool backward, bool *marks);

/* Why a function cannot be in replay space, if it cannot: what it has to do with the environment,
 * on the shortest way, and where that way begins. */
struct graph_refusal {
    enum tie_kind kind; /* TIE_KIND_COUNT: it can */
    function_id first;  /* the function that cannot for a reason of its own; may be itself */
    enum tie_kind first_kind;
};
struct graph_refusal graph_refusal(const struct graph *graph, function_id function);
/* "is not canonical", ... */
const char *tie_text(enum tie_kind kind);

/* What the cut with these sides logs, in weights. */
uint64_t graph_cost(const struct graph *graph, const bool *at_sink);

#endif
