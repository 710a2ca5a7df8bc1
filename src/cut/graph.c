/*
 * The flow graph, without calls: nodes, accesses to memory, and questions; graph.h.
 *
 * Cost: linear in instructions, and in the sizes of distinct regions, which are shared by all
 * accesses that name the same one.
 */
#include <stdlib.h>
#include <string.h>

#include "cut/graph_impl.h"

const char *site_kind_name(enum site_kind kind) {
    static const char *const names[SITE_KIND_COUNT] = {"load",   "store",    "copy",     "call",
                                                       "return", "callback", "external", "output"};
    return names[kind];
}

const char *tie_text(enum tie_kind kind) {
    static const char *const texts[TIE_KIND_COUNT] = {
        [TIE_FLOW] = "data flows into it",
        [TIE_OWNED] = "works on memory of the environment",
        [TIE_OUTSIDE] = "is outside of the program",
        [TIE_NOT_CANONICAL] = "is not canonical",
        [TIE_UNSEEN] = "has instructions whose results come from outside",
        [TIE_ASSEMBLY] = "has assembly that works on memory which is not the same in a replay",
        [TIE_VARIADIC] = "is variadic, and has a caller that cannot be executed again",
        [TIE_BY_VALUE] = "is passed a struct by a function that cannot be executed again",
        [TIE_VA_LIST] = "works on a va_list of a function that cannot be executed again",
        [TIE_JUMP] = "is between setjmp() and longjmp() of functions that cannot be executed again",
        [TIE_STATE] = "shares state of the C library with a function that cannot be executed again",
        [TIE_NATIVE] = "gives the C library memory that is not the same in a replay",
        [TIE_TARGET] = "is a target",
    };
    return texts[kind];
}

/* --- nodes and edges -------------------------------------------------------------------------- */

graph_node build_node(struct build *build) { return build->graph->node_count++; }

void build_tie(struct build *build, graph_node from, graph_node to, enum tie_kind kind) {
    if (from != to)
        VEC_PUSH(&build->graph->ties, (struct tie){from, to, (uint8_t)kind});
}

/* What never ran has the least weight.  Without a profile everything weighs the same. */
void build_site(struct build *build, struct site site, uint64_t count, uint64_t bytes) {
    enum { MOST = 48 };
    site.weight = 1;
    if (!build->weights->is_profiled)
        site.weight = WEIGHT_BYTE;
    else if (count)
        site.weight = (bytes < 1ULL << (MOST - 10) ? bytes : 1ULL << (MOST - 10)) * WEIGHT_BYTE;
    VEC_PUSH(&build->graph->sites, site);
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Bytes that the accesses of an instruction moved in all. */
static uint64_t bytes_of(const struct build *build, instruction_id id) {
    const struct weights *weights = build->weights;
    return weights->has_bytes[id]
               ? weights->bytes[id]
               : weights->count[id] * build->program->instructions.data[id].access_size;
}

static void add_access(struct build *build, function_id function, instruction_id id,
                       const struct memory_effect *effect) {
    const struct weights *weights = build->weights;
    graph_node of = graph_function(function);
    struct site site = {.instruction = id, .function = function, .other = NO_ID};
    bool is_fixed = build_is_fixed(build, effect->region);
    site.kind = effect->writes ? SITE_STORE : SITE_LOAD;
    graph_node region =
        effect->writes ? build_writes(build, effect->region) : build_reads(build, effect->region);
    if (region == NO_ID)
        return;
    if (!effect->writes && build_is_mixed(build, effect->region))
        bitset_add(&build->graph->mixed, id);
    site.from = effect->writes ? of : region;
    site.to = effect->writes ? region : of;
    if (is_fixed)
        build_tie(build, site.from, site.to, TIE_VA_LIST);
    else
        build_site(build, site, weights->count[id],
                   bytes_of(build, id) +
                       weights->count[id] * (effect->writes ? GRAPH_LOG_STORE : GRAPH_LOG_LOAD));
}

/* --- all of it -------------------------------------------------------------------------------- */

static void add_instruction(struct build *build, function_id function, instruction_id id) {
    const struct instruction *instruction = &build->program->instructions.data[id];
    if (instruction->flags & INSTRUCTION_SYNTHETIC)
        return;
    if (instruction->flags & INSTRUCTION_CALL) {
        build_call(build, function, id);
        return;
    }
    if (build_intrinsic(build, function, id))
        return;
    struct effect_list list = effects_of(build->effects, id);
    for (uint32_t i = 0; i < list.count; i++)
        add_access(build, function, id, &list.effects[i]);
}

static void add_functions(struct build *build) {
    for (function_id f = 0; f < build->program->functions.count; f++) {
        struct range instructions = build->program->functions.data[f].instructions;
        for (uint32_t i = 0; i < instructions.count; i++)
            add_instruction(build, f, instructions.first + i);
    }
}

static void build_deinit(struct build *build) {
    build_memory_deinit(build);
    free(build->is_ignored);
    free(build->is_foreign);
    free(build->is_fixed);
    free(build->is_used);
}

static void count_nodes(struct build *build) {
    struct graph *graph = build->graph;
    for (function_id f = 0; f < build->program->functions.count; f++)
        graph->operation_count += (build->program->functions.data[f].flags & FUNCTION_DEFINED) != 0;
    for (size_t i = 0; i < graph->calls.count; i++)
        graph->operation_count += graph->calls.data[i].node != NO_ID;
    for (uint32_t c = 0; c < cells_count(build->cells); c++)
        graph->value_count += build->is_used[c];
}

struct graph *graph_build(const struct effects *effects, const struct weights *weights) {
    struct graph *graph = mem_zalloc(1, sizeof *graph);
    struct build build = {.graph = graph,
                          .pta = effects_pta(effects),
                          .effects = effects,
                          .cells = effects_cells(effects),
                          .weights = weights};
    graph->effects = effects;
    graph->program = build.program = pta_program(build.pta);
    graph->first_cell = GRAPH_FIRST_FUNCTION + (uint32_t)build.program->functions.count;
    graph->node_count = graph->first_cell + cells_count(build.cells);
    for (int i = 0; i < HIDDEN_COUNT; i++)
        build.hidden[i] = build_node(&build);
    uint32_t cells = cells_count(build.cells);
    build.is_ignored = mem_zalloc(cells + 1, sizeof *build.is_ignored);
    build.is_foreign = mem_zalloc(cells + 1, sizeof *build.is_foreign);
    build.is_fixed = mem_zalloc(cells + 1, sizeof *build.is_fixed);
    build.is_used = mem_zalloc(cells + 1, sizeof *build.is_used);
    build_bounds_of_memory(&build);
    build_memory_init(&build);
    add_functions(&build);
    build_bounds(&build);
    count_nodes(&build);
    build_deinit(&build);
    return graph;
}

void graph_free(struct graph *graph) {
    if (!graph)
        return;
    VEC_DEINIT(&graph->sites);
    VEC_DEINIT(&graph->ties);
    VEC_DEINIT(&graph->calls);
    VEC_DEINIT(&graph->reads);
    bitset_deinit(&graph->mixed);
    free(graph);
}

/* --- questions -------------------------------------------------------------------------------- */

void graph_tie_target(struct graph *graph, function_id function) {
    VEC_PUSH(&graph->ties, (struct tie){graph_function(function), GRAPH_SINK, TIE_TARGET});
}

void graph_untie(struct graph *graph, size_t count) { graph->ties.count = count; }

/* Ties by where they begin or, backward, end. */
struct ties_by_node {
    uint32_t *start, *ties;
};

static struct ties_by_node list_ties(const struct graph *graph, bool backward) {
    struct ties_by_node list = {mem_zalloc(graph->node_count + 2, sizeof *list.start),
                                mem_alloc((graph->ties.count + 1) * sizeof *list.ties)};
    for (size_t i = 0; i < graph->ties.count; i++)
        list.start[(backward ? graph->ties.data[i].to : graph->ties.data[i].from) + 2]++;
    for (uint32_t n = 0; n < graph->node_count; n++)
        list.start[n + 2] += list.start[n + 1];
    for (size_t i = 0; i < graph->ties.count; i++) {
        graph_node at = backward ? graph->ties.data[i].to : graph->ties.data[i].from;
        list.ties[list.start[at + 1]++] = (uint32_t)i;
    }
    return list;
}

/* Breadth first; `by` may be NULL: the tie that each node was come by. */
static void reach(const struct graph *graph, bool backward, bool *marks, uint32_t *by) {
    struct ties_by_node list = list_ties(graph, backward);
    graph_node *queue CLEANUP_FREE = mem_alloc((graph->node_count + 1) * sizeof *queue);
    uint32_t first = 0, last = 0;
    for (graph_node n = 0; n < graph->node_count; n++)
        if (marks[n])
            queue[last++] = n;
    while (first < last) {
        graph_node node = queue[first++];
        for (uint32_t i = list.start[node]; i < list.start[node + 1]; i++) {
            const struct tie *tie = &graph->ties.data[list.ties[i]];
            graph_node to = backward ? tie->from : tie->to;
            if (marks[to])
                continue;
            marks[to] = true;
            queue[last++] = to;
            if (by)
                by[to] = list.ties[i];
        }
    }
    free(list.start);
    free(list.ties);
}

void graph_reach(const struct graph *graph, bool backward, bool *marks) {
    marks[backward ? GRAPH_SINK : GRAPH_SOURCE] = true;
    reach(graph, backward, marks, NULL);
}

struct graph_refusal graph_refusal(const struct graph *graph, function_id function) {
    struct graph_refusal refusal = {TIE_KIND_COUNT, function, TIE_KIND_COUNT};
    bool *marks CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *marks);
    uint32_t *by CLEANUP_FREE = mem_alloc(graph->node_count * sizeof *by);
    marks[GRAPH_SOURCE] = true;
    reach(graph, false, marks, by);
    graph_node node = graph_function(function);
    if (!marks[node])
        return refusal;
    enum tie_kind kind = TIE_KIND_COUNT; /* since the last function */
    for (; node != GRAPH_SOURCE; node = graph->ties.data[by[node]].from) {
        if (node >= GRAPH_FIRST_FUNCTION && node < graph->first_cell) {
            refusal.first = node - GRAPH_FIRST_FUNCTION;
            kind = TIE_KIND_COUNT;
        }
        uint8_t tie = graph->ties.data[by[node]].kind;
        if (kind == TIE_KIND_COUNT || kind == TIE_FLOW)
            kind = tie;
        if (refusal.kind == TIE_KIND_COUNT || refusal.kind == TIE_FLOW)
            refusal.kind = tie;
        refusal.first_kind = kind;
    }
    return refusal;
}

uint64_t graph_cost(const struct graph *graph, const bool *at_sink) {
    uint64_t cost = 0;
    for (size_t i = 0; i < graph->sites.count; i++)
        if (!at_sink[graph->sites.data[i].from] && at_sink[graph->sites.data[i].to])
            cost += graph->sites.data[i].weight;
    return cost;
}
