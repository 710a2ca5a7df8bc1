/*
 * What the files graph*.c share while a graph is built.
 *
 *   graph.c           nodes, loads, stores, and questions to what is there
 *   graph_call.c      calls: of functions, and of externals by their models
 *   graph_memory.c    regions and cells
 *   graph_bound.c     what cannot be separated
 */
#ifndef RECUT_CUT_GRAPH_IMPL_H
#define RECUT_CUT_GRAPH_IMPL_H

#include "analysis/spans.h"
#include "cut/graph.h"

/* State that libc keeps and no model shows as memory. */
enum hidden {
    HIDDEN_LOCALE,
    HIDDEN_OPTIONS,
    HIDDEN_SEARCH,
    HIDDEN_VARIABLES,
    HIDDEN_COUNT
};

/* The nodes of all reads, and of all writes. */
struct region_nodes {
    graph_node reads, writes;    /* GRAPH_SOURCE: not made yet; NO_ID: nothing in it matters */
    uint8_t fixed, stack, mixed; /* 0: not asked yet */
};

struct build {
    struct graph *graph;
    const struct program *program;
    const struct pta *pta;
    const struct effects *effects;
    struct cells *cells;
    const struct weights *weights;
    graph_node hidden[HIDDEN_COUNT];
    VEC(struct region_nodes) regions; /* by region */
    struct spans spans;               /* of `words`: parts of regions, each once */
    VEC(struct bitset_word) words, masked;
    VEC(struct region_nodes) parts; /* by number of the span */
    uint32_t *mask[2];              /* by word: cells that matter; the environment's own */
    uint32_t *described;            /* by word: cells with contents that a model describes */
    instruction_id *seen_by;        /* by function: the last call that enters it */
    bool *is_ignored;               /* by cell: errno, and the environment's own state */
    bool *is_foreign;               /* by cell: the environment's own memory, all of it */
    bool *is_fixed;                 /* by cell: part of a va_list */
    bool *is_used;                  /* by cell: it has an edge */
};

graph_node build_node(struct build *build);
void build_tie(struct build *build, graph_node from, graph_node to, enum tie_kind kind);
/* `bytes` are logged in all, in a run in which it happens `count` times. */
void build_site(struct build *build, struct site site, uint64_t count, uint64_t bytes);

/* Once it is known which cells matter. */
void build_memory_init(struct build *build);
void build_memory_deinit(struct build *build);
/* The node of all reads, or writes, of a region; NO_ID if there is nothing in it that matters. */
graph_node build_reads(struct build *build, uint32_t region);
graph_node build_writes(struct build *build, uint32_t region);
/* Is there a cell in it that is marked?  Always with the same marks. */
bool build_is_stack(struct build *build, uint32_t region, const bool *marks);
/* Is it part of va_lists, and nothing else? */
/* Does a region have memory of the program, and besides that the environment's own? */
bool build_is_mixed(struct build *build, uint32_t region);
bool build_is_fixed(struct build *build, uint32_t region);

void build_call(struct build *build, function_id function, instruction_id id);
/* False if it is no more than a load or a store. */
bool build_intrinsic(struct build *build, function_id function, instruction_id id);

/* Before and after everything else. */
void build_bounds_of_memory(struct build *build);
void build_bounds(struct build *build);

#endif
