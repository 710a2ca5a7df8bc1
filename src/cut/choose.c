/*
 * Which side everything is on; choose.h.
 *
 *   mincut   A minimum cut (iTarget, section 3.3), of all of them the one with the least replay
 *            space: what is executed again, but not for less log, only slows recording down.
 *   eager    Section 2.2: each function that works with something that is not deterministic is
 *            environment, unless it has to be in replay space; nothing else is.
 *   tight    Section 2.2: what has to be in replay space is, and nothing else; memory as it costs
 *            least.
 *
 * A minimum cut is never dearer than replaying the whole program, which is a cut of the same graph.
 *
 * Cost: that of the flow (network.c), and for sets of instructions linear in the graph.
 */
#include "cut/choose.h"

#include <stdlib.h>
#include <string.h>

void choice_deinit(struct choice *choice) {
    free(choice->at_sink);
    *choice = (struct choice){0};
}

static struct error *refuse(const struct graph *graph, function_id function) {
    struct graph_refusal refusal = graph_refusal(graph, function);
    const struct function *functions = graph->program->functions.data;
    if (refusal.first == function)
        return error_new(ERROR_FAILED, "%s() %s, and is environment in every cut",
                         functions[function].source_name, tie_text(refusal.kind));
    return error_new(ERROR_FAILED, "%s() %s, and is environment in every cut, as %s() is, which %s",
                     functions[function].source_name, tie_text(refusal.kind),
                     functions[refusal.first].source_name, tie_text(refusal.first_kind));
}

static struct error *check_targets(const struct graph *graph, const struct bitset *targets) {
    bool *fixed CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *fixed);
    graph_reach(graph, false, fixed);
    BITSET_EACH(function, targets)
    if (fixed[graph_function(function)])
        return refuse(graph, function);
    return NULL;
}

void choose_possible(const struct graph *graph, const struct weights *weights,
                     struct choose_targets *targets) {
    bool *fixed CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *fixed);
    graph_reach(graph, false, fixed);
    for (function_id f = 0; f < graph->program->functions.count; f++)
        if (graph->program->functions.data[f].flags & FUNCTION_DEFINED &&
            !fixed[graph_function(f)] && !bitset_has(&targets->all, f)) {
            bitset_add(&targets->all, f);
            if (weights->is_profiled && !weights->calls[f])
                bitset_add(&targets->wished, f);
        }
}

/* --- strategies ------------------------------------------------------------------------------- */

/* What a function has to cost at least, in bytes, if a wish is not to count. */
enum { WISH = 1024 };

static void cut_least(const struct graph *graph, const struct bitset *wished,
                      struct choice *choice) {
    struct network network = {
        .node_count = graph->node_count, .source = GRAPH_SOURCE, .sink = GRAPH_SINK};
    for (size_t i = 0; i < graph->ties.count; i++)
        network_add(&network, graph->ties.data[i].from, graph->ties.data[i].to, NETWORK_INFINITE);
    for (size_t i = 0; i < graph->sites.count; i++)
        network_add(&network, graph->sites.data[i].from, graph->sites.data[i].to,
                    graph->sites.data[i].weight);
    BITSET_EACH(function, wished)
    network_add(&network, graph_function(function), GRAPH_SINK, (uint64_t)WISH * WEIGHT_BYTE);
    /* Targets that are tied to the source were refused. */
    if (!network_cut(&network, choice->at_sink, &choice->cost, &choice->figures))
        BUG("targets and environment cannot be separated");
    choice->cost = graph_cost(graph, choice->at_sink);
    network_deinit(&network);
}

/* Functions that need not be in replay space are not; memory as it costs least. */
static void cut_tight(struct graph *graph, struct choice *choice) {
    bool *needed CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *needed);
    graph_reach(graph, true, needed);
    for (graph_node n = GRAPH_FIRST_FUNCTION; n < graph->first_cell; n++)
        if (!needed[n])
            VEC_PUSH(&graph->ties, (struct tie){GRAPH_SOURCE, n, TIE_FLOW});
    cut_least(graph, &(struct bitset){0}, choice);
}

static void cut_eager(const struct graph *graph, struct choice *choice) {
    bool *needed CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *needed);
    bool *outside CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *outside);
    graph_reach(graph, true, needed);
    for (size_t i = 0; i < graph->calls.count; i++) {
        graph_node function = graph_function(graph->calls.data[i].function);
        outside[function] |= !graph->calls.data[i].is_deterministic && !needed[function];
    }
    graph_reach(graph, false, outside);
    for (graph_node n = 0; n < graph->node_count; n++)
        choice->at_sink[n] = !outside[n];
    choice->cost = graph_cost(graph, choice->at_sink);
}

struct error *choose(struct graph *graph, const struct choose_targets *targets,
                     enum cut_strategy strategy, struct choice *ret) {
    struct error *err = check_targets(graph, &targets->all);
    if (err)
        return err;
    size_t ties = graph->ties.count;
    BITSET_EACH(function, &targets->all)
    if (strategy != CUT_MINCUT || !bitset_has(&targets->wished, function))
        graph_tie_target(graph, function);
    *ret = (struct choice){.at_sink = mem_zalloc(graph->node_count, sizeof *ret->at_sink)};
    if (strategy == CUT_EAGER)
        cut_eager(graph, ret);
    else if (strategy == CUT_TIGHT)
        cut_tight(graph, ret);
    else
        cut_least(graph, &targets->wished, ret);
    graph_untie(graph, ties);
    return NULL;
}

void choose_whole(const struct graph *graph, struct choice *ret) {
    *ret = (struct choice){.at_sink = mem_zalloc(graph->node_count, sizeof *ret->at_sink)};
    graph_reach(graph, false, ret->at_sink);
    for (graph_node n = 0; n < graph->node_count; n++)
        ret->at_sink[n] = !ret->at_sink[n];
    ret->cost = graph_cost(graph, ret->at_sink);
}

/* --- sets ------------------------------------------------------------------------------------- */

/* Calls in replay space that are not executed again: what of them is not to be logged, or looked
 * at. */
static void add_call(const struct graph *graph, const struct choice *choice,
                     const struct graph_call *call, struct cut *cut) {
    const bool *at_sink = choice->at_sink;
    if (call->node == NO_ID || call->is_intrinsic || at_sink[call->node] ||
        !at_sink[graph_function(call->function)])
        return;
    if (call->outputs != NO_ID && !at_sink[call->outputs])
        bitset_add(&cut->unread, call->instruction);
    bool is_blind = false;
    for (uint32_t i = 0; i < call->reads.count && !call->is_deterministic; i++)
        is_blind |= !at_sink[graph->reads.data[call->reads.first + i]];
    if (is_blind)
        bitset_add(&cut->blind, call->instruction);
}

static bool is_logged(const struct choice *choice, const struct site *site,
                      const bool *is_deterministic) {
    if (choice->at_sink[site->from] || !choice->at_sink[site->to])
        return false;
    bool is_replay = choice->at_sink[graph_function(site->function)];
    switch (site->kind) {
    case SITE_LOAD:
    case SITE_STORE:
    case SITE_COPY:
        return true;
    case SITE_EXTERNAL:
        return is_deterministic[site->instruction];
    case SITE_OUTPUT: /* that of a call in replay space goes with the call */
        return !is_replay;
    default:
        return false;
    }
}

void choice_to_cut(const struct graph *graph, const struct choice *choice, struct cut *ret) {
    const struct program *program = graph->program;
    *ret = (struct cut){0};
    memcpy(ret->build_id, program->build_id, BUILD_ID_SIZE);
    for (function_id f = 0; f < program->functions.count; f++)
        if (program->functions.data[f].flags & FUNCTION_DEFINED &&
            choice->at_sink[graph_function(f)])
            bitset_add(&ret->replay, f);
    bool *is_deterministic CLEANUP_FREE =
        mem_zalloc(program->instructions.count + 1, sizeof *is_deterministic);
    for (size_t i = 0; i < graph->calls.count; i++)
        is_deterministic[graph->calls.data[i].instruction] = graph->calls.data[i].is_deterministic;
    for (size_t i = 0; i < graph->sites.count; i++)
        if (is_logged(choice, &graph->sites.data[i], is_deterministic))
            bitset_add(&ret->logged, graph->sites.data[i].instruction);
    for (size_t i = 0; i < graph->calls.count; i++)
        add_call(graph, choice, &graph->calls.data[i], ret);
    BITSET_EACH(function, &ret->replay) {
        struct range instructions = program->functions.data[function].instructions;
        for (uint32_t n = 0; n < instructions.count; n++)
            if (bitset_has(&graph->mixed, instructions.first + n) &&
                !bitset_has(&ret->logged, instructions.first + n))
                bitset_add(&ret->checked, instructions.first + n);
    }
}
