/*
 * The system dependence graph: nodes, edges, and the order in which functions are
 * added; sdg.h.
 *
 * Cost: nodes and edges; those are the instructions and, for each call, the parts of
 * memory that its callees touch.
 */
#include "analysis/sdg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/sdg_impl.h"

enum { MOST_NODES = (1 << 29) - 1 };

node_id sdg_add_node(struct sdg *sdg, struct sdg_node node) {
    if (sdg->nodes.count >= MOST_NODES)
        BUG("a dependence graph with too many nodes");
    VEC_PUSH(&sdg->nodes, node);
    return (node_id)sdg->nodes.count - 1;
}

void sdg_add_edge(struct sdg *sdg, node_id from, node_id to, enum sdg_edge_kind kind) {
    VEC_PUSH(&sdg->impl->edges, (struct raw_edge){from, to, (uint8_t)kind});
}

node_id sdg_node_of_value(const struct sdg *sdg, value_id id) {
    const struct value *value = &sdg->program->values.data[id];
    if (value->kind == VALUE_ARGUMENT)
        return sdg->impl->functions[value->definition].first_argument + (uint32_t)value->number;
    if (value->kind != VALUE_INSTRUCTION)
        return NO_ID;
    if (sdg->program->instructions.data[value->definition].flags & INSTRUCTION_SYNTHETIC)
        return NO_ID;
    node_id result = sdg->impl->call_results[value->definition];
    return result != NO_ID ? result : value->definition;
}

/* Is the part the arguments behind the `...` of its function? */
static bool is_variadic(const struct sdg *sdg, function_id function, const struct part *part) {
    for (uint32_t i = 0; part->argument == NO_ID && i < part->cell_count; i++)
        if (cells_is_variadic(effects_cells(sdg->effects),
                              parts_cells(sdg->parts)[part->first_cell + i], function))
            return true;
    return false;
}

static void add_formals(struct sdg *sdg, function_id id) {
    const struct function *function = &sdg->program->functions.data[id];
    struct function_nodes *nodes = &sdg->impl->functions[id];
    struct part_list parts = parts_of(sdg->parts, id);
    sdg->entries[id] = sdg_add_node(
        sdg, (struct sdg_node){.kind = NODE_ENTRY, .function = id, .of = NO_ID, .part = NO_ID});
    sdg->results[id] = sdg_add_node(
        sdg,
        (struct sdg_node){.kind = NODE_FORMAL_OUT, .function = id, .of = NO_ID, .part = NO_ID});
    sdg->impl->ends[id] = NO_ID;
    if (sdg->impl->may_end[id])
        sdg->impl->ends[id] = sdg_add_node(
            sdg,
            (struct sdg_node){.kind = NODE_FORMAL_OUT, .function = id, .of = NO_ID, .part = NO_ID});
    nodes->first_argument = (node_id)sdg->nodes.count;
    for (uint32_t i = 0; i < function->arguments.count; i++)
        sdg_add_edge(
            sdg, sdg->entries[id],
            sdg_add_node(
                sdg,
                (struct sdg_node){.kind = NODE_FORMAL_IN, .function = id, .of = i, .part = NO_ID}),
            EDGE_CONTROL);
    nodes->formal_in = mem_alloc((parts.count + 1) * sizeof *nodes->formal_in);
    nodes->formal_out = mem_alloc((parts.count + 1) * sizeof *nodes->formal_out);
    if (function->flags & FUNCTION_VARIADIC)
        nodes->is_variadic = mem_zalloc(parts.count + 1, sizeof *nodes->is_variadic);
    for (uint32_t p = 0; p < parts.count; p++) {
        if (nodes->is_variadic)
            nodes->is_variadic[p] = is_variadic(sdg, id, &parts.parts[p]);
        nodes->formal_in[p] = nodes->formal_out[p] = NO_ID;
        if (!parts.parts[p].is_formal)
            continue;
        nodes->formal_in[p] = sdg_add_node(
            sdg, (struct sdg_node){.kind = NODE_FORMAL_IN, .function = id, .of = NO_ID, .part = p});
        nodes->formal_out[p] = sdg_add_node(
            sdg,
            (struct sdg_node){.kind = NODE_FORMAL_OUT, .function = id, .of = NO_ID, .part = p});
        sdg_add_edge(sdg, sdg->entries[id], nodes->formal_in[p], EDGE_CONTROL);
    }
}

static bool is_jump(const char *name) {
    static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
                                        "llvm.eh.sjlj.longjmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool calls_jump(const struct sdg *sdg, instruction_id call) {
    uint32_t count;
    const function_id *callees = pta_callees(sdg->pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] != NO_ID && is_jump(sdg->program->functions.data[callees[i]].name))
            return true;
    return false;
}

/* Does the call enter something of which nothing is known? */
static bool calls_unknown(const struct sdg *sdg, instruction_id call) {
    uint32_t count;
    const function_id *callees = pta_callees(sdg->pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] == NO_ID || pta_is_unmodelled(sdg->pta, callees[i]))
            return true;
    return false;
}

static bool has_setjmp(const struct program *program) {
    for (instruction_id i = 0; i < program->instructions.count; i++)
        if (program->instructions.data[i].flags & INSTRUCTION_RETURNS_TWICE)
            return true;
    return false;
}

/* Calls during which longjmp() may be called, or the thread ended, and functions that are left so.
 */
static void find_jumps(struct sdg *sdg) {
    const struct callgraph *graph = sdg->graph;
    static const char *const switches[] = {"swapcontext", "setcontext", NULL};
    bool comes_back = has_setjmp(sdg->program);
    for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
        struct range instructions = sdg->program->functions.data[graph->members[m]].instructions;
        for (uint32_t i = instructions.first; i < instructions.first + instructions.count; i++) {
            bool is_call = sdg->program->instructions.data[i].flags & INSTRUCTION_CALL;
            bool is_switch = threads_calls(sdg->program, sdg->pta, i, switches);
            bool is_cancelled = is_call && threads_is_cancelled_at(sdg->threads, i);
            if ((comes_back && (calls_jump(sdg, i) || calls_unknown(sdg, i))) || is_cancelled ||
                is_switch || (is_call && threads_is_exit(sdg->program, sdg->pta, i))) {
                sdg->impl->calls[i] |= FLOW_JUMPS;
                sdg->impl->may_jump[graph->members[m]] = true;
            }
            if (is_cancelled || is_switch || threads_is_wait(sdg->program, sdg->pta, i) ||
                threads_is_wait_for_child(sdg->threads, i) || threads_may_receive(sdg->threads, i))
                sdg->impl->calls[i] |= FLOW_WAITS;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
            struct range instructions =
                sdg->program->functions.data[graph->members[m]].instructions;
            for (uint32_t i = instructions.first; i < instructions.first + instructions.count;
                 i++) {
                uint32_t count;
                const function_id *callees = effects_callees(sdg->effects, i, &count);
                for (uint32_t k = 0; k < count; k++)
                    if (sdg->impl->may_jump[callees[k]] && !(sdg->impl->calls[i] & FLOW_JUMPS)) {
                        sdg->impl->calls[i] |= FLOW_JUMPS;
                        changed = true;
                        sdg->impl->may_jump[graph->members[m]] = true;
                    }
            }
        }
    }
}

static bool may_use(const struct sdg *sdg, instruction_id call, instruction_id set) {
    const struct instruction *of = &sdg->program->instructions.data[call];
    const struct instruction *at = &sdg->program->instructions.data[set];
    return !of->operands.count || !at->operands.count ||
           pta_may_alias(sdg->pta, sdg->program->operands.data[of->operands.first], 0,
                         sdg->program->operands.data[at->operands.first], 0);
}

/* What setjmp() returns comes from any longjmp() that may use its buffer, which goes where the
 * setjmp() has said.  With pthread_cleanup_push(), from where the thread may end, and from who
 * made the buffer known. */
static void add_jumps(struct sdg *sdg) {
    static const char *const registers[] = {"__pthread_register_cancel",
                                            "__pthread_register_cancel_defer", NULL};
    VEC(instruction_id) setjmps = {0};
    struct bitset cleanups = {0};
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (sdg->program->instructions.data[i].flags & INSTRUCTION_RETURNS_TWICE)
            VEC_PUSH(&setjmps, i);
    for (instruction_id i = 0; setjmps.count && i < sdg->program->instructions.count; i++) {
        bool is_jump = threads_calls(sdg->program, sdg->pta, i, registers);
        for (size_t k = 0; is_jump && k < setjmps.count; k++)
            if (may_use(sdg, i, setjmps.data[k])) {
                sdg_add_edge(sdg, i, setjmps.data[k], EDGE_HUB);
                bitset_add(&cleanups, setjmps.data[k]);
            }
    }
    for (instruction_id i = 0; setjmps.count && i < sdg->program->instructions.count; i++) {
        if (!(sdg->program->instructions.data[i].flags & INSTRUCTION_CALL))
            continue;
        if (calls_jump(sdg, i)) {
            for (size_t k = 0; k < setjmps.count; k++)
                if (may_use(sdg, i, setjmps.data[k])) {
                    sdg_add_edge(sdg, i, setjmps.data[k], EDGE_HUB);
                    sdg_add_edge(sdg, setjmps.data[k], i, EDGE_HUB);
                }
        } else if (threads_is_exit(sdg->program, sdg->pta, i) ||
                   threads_is_cancelled_at(sdg->threads, i)) {
            BITSET_EACH(set, &cleanups)
            sdg_add_edge(sdg, i, set, EDGE_HUB);
        }
    }
    VEC_DEINIT(&setjmps);
    bitset_deinit(&cleanups);
}

/* Lists from the raw edges, in the order in which they were added. */
struct sdg_edges sdg_make_lists(const struct sdg *sdg, bool forward) {
    size_t nodes = sdg->nodes.count, count = sdg->impl->edges.count;
    struct sdg_edges lists = {mem_zalloc(nodes + 2, sizeof *lists.start),
                              mem_alloc((count + 1) * sizeof *lists.edges)};
    const struct raw_edge *edges = sdg->impl->edges.data;
    for (size_t i = 0; i < count; i++)
        lists.start[(forward ? edges[i].from : edges[i].to) + 2]++;
    for (size_t n = 0; n + 1 < nodes + 2; n++)
        lists.start[n + 1] += lists.start[n];
    for (size_t i = 0; i < count; i++) {
        node_id key = forward ? edges[i].from : edges[i].to;
        lists.edges[lists.start[key + 1]++] =
            (struct sdg_edge){.node = forward ? edges[i].to : edges[i].from, .kind = edges[i].kind};
    }
    return lists;
}

static bool is_hub(const struct sdg *sdg, uint32_t cell) { return parts_is_hub(sdg->parts, cell); }

struct sdg *sdg_build(const struct pta *pta, const struct sdg_options *options) {
    struct sdg *sdg = mem_zalloc(1, sizeof *sdg);
    const struct program *program = pta_program(pta);
    sdg->program = program;
    sdg->pta = pta;
    sdg->effects = effects_build(pta);
    sdg->graph = callgraph_build(sdg->effects);
    sdg->threads = threads_build(sdg->effects);
    sdg->parts = parts_build(sdg->effects, sdg->graph,
                             options->most_actuals ? options->most_actuals : PARTS_MOST_ACTUALS);
    struct sdg_impl *impl = sdg->impl = mem_zalloc(1, sizeof *impl);
    impl->options = options;
    sdg->probes = mem_alloc((options->probe_count + 1) * sizeof *sdg->probes);
    memset(sdg->probes, 0xff, (options->probe_count + 1) * sizeof *sdg->probes);
    size_t functions = program->functions.count + 1, instructions = program->instructions.count + 1;
    impl->functions = mem_zalloc(functions, sizeof *impl->functions);
    impl->may_jump = mem_zalloc(functions, sizeof *impl->may_jump);
    impl->may_end = mem_zalloc(functions, sizeof *impl->may_end);
    impl->ends = mem_alloc(functions * sizeof *impl->ends);
    memset(impl->ends, 0xff, functions * sizeof *impl->ends);
    impl->call_results = mem_alloc(instructions * sizeof *impl->call_results);
    memset(impl->call_results, 0xff, instructions * sizeof *impl->call_results);
    impl->calls = mem_zalloc(instructions, sizeof *impl->calls);
    impl->call_ranks = mem_zalloc(instructions, sizeof *impl->call_ranks);
    impl->hubs = (struct hubs){
        .is_one = is_hub,
        .kind = EDGE_HUB,
        .by_object = cells_count(effects_cells(sdg->effects)) > SDG_MOST_HUBS,
    };
    sdg->entries = mem_alloc(functions * sizeof *sdg->entries);
    sdg->results = mem_alloc(functions * sizeof *sdg->results);
    memset(sdg->entries, 0xff, functions * sizeof *sdg->entries);
    memset(sdg->results, 0xff, functions * sizeof *sdg->results);

    for (instruction_id i = 0; i < program->instructions.count; i++)
        sdg_add_node(sdg, (struct sdg_node){.kind = NODE_INSTRUCTION,
                                            .function = program_function_of(program, i),
                                            .of = i,
                                            .part = NO_ID});
    find_jumps(sdg);
    sdg_find_waits(sdg);
    if (options->termination)
        sdg_find_ends(sdg);
    for (uint32_t m = 0; m < sdg->graph->start[sdg->graph->count]; m++)
        add_formals(sdg, sdg->graph->members[m]);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        uint32_t count;
        effects_callees(sdg->effects, i, &count);
        if (!count || program->instructions.data[i].result == NO_ID ||
            !effects_is_direct(sdg->effects, i))
            continue;
        impl->call_results[i] =
            sdg_add_node(sdg, (struct sdg_node){.kind = NODE_ACTUAL_OUT,
                                                .function = program_function_of(program, i),
                                                .of = i,
                                                .part = NO_ID});
        sdg_add_edge(sdg, i, impl->call_results[i], EDGE_CONTROL);
    }
    for (uint32_t m = 0; m < sdg->graph->start[sdg->graph->count]; m++)
        sdg_add_function(sdg, sdg->graph->members[m]);
    add_jumps(sdg);
    sdg_add_interference(sdg);
    sdg_add_processes(sdg);
    sdg_add_summaries(sdg);
    sdg_add_roots(sdg);
    sdg->in = sdg_make_lists(sdg, false);
    sdg->out = sdg_make_lists(sdg, true);
    VEC_DEINIT(&impl->edges);
    sdg_find_initial(sdg);
    sdg->figures.cells = cells_count(effects_cells(sdg->effects));
    sdg->figures.hubs = parts_hub_count(sdg->parts);
    return sdg;
}

static void close_file(struct sdg *sdg) {
    munmap(sdg->mapped, sdg->mapped_size);
    free(sdg->impl->functions);
    free(sdg->impl);
    free(sdg);
}

void sdg_free(struct sdg *sdg) {
    if (!sdg)
        return;
    if (sdg->mapped) {
        close_file(sdg);
        return;
    }
    free(sdg->initial.start);
    free(sdg->initial.list);
    for (function_id f = 0; f < sdg->program->functions.count; f++) {
        free(sdg->impl->functions[f].formal_in);
        free(sdg->impl->functions[f].formal_out);
        free(sdg->impl->functions[f].is_variadic);
    }
    VEC_DEINIT(&sdg->impl->edges);
    free(sdg->impl->functions);
    free(sdg->impl->may_jump);
    free(sdg->impl->may_end);
    free(sdg->impl->ends);
    free(sdg->impl->call_results);
    free(sdg->impl->calls);
    free(sdg->impl->call_ranks);
    hubs_deinit(&sdg->impl->hubs);
    free(sdg->impl);
    free(sdg->in.start);
    free(sdg->in.edges);
    free(sdg->out.start);
    free(sdg->out.edges);
    free(sdg->entries);
    free(sdg->results);
    free(sdg->probes);
    VEC_DEINIT(&sdg->nodes);
    parts_free(sdg->parts);
    threads_free(sdg->threads);
    callgraph_free(sdg->graph);
    effects_free(sdg->effects);
    free(sdg);
}

const char *sdg_node_kind_name(enum sdg_node_kind kind) {
    static const char *const names[NODE_KIND_COUNT] = {
#define X(id, name) name,
        SDG_NODE_KINDS(X)
#undef X
    };
    return kind < NODE_KIND_COUNT ? names[kind] : "?";
}

const char *sdg_edge_kind_name(enum sdg_edge_kind kind) {
    static const char *const names[EDGE_KIND_COUNT] = {
#define X(id, name) name,
        SDG_EDGE_KINDS(X)
#undef X
    };
    return kind < EDGE_KIND_COUNT ? names[kind] : "?";
}
