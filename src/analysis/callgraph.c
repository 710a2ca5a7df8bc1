/*
 * Components of the call graph by Tarjan's algorithm, without recursion;
 * callgraph.h.  Cost: linear.
 */
#include "analysis/callgraph.h"

#include <stdlib.h>
#include <string.h>

/* A function whose callees are being looked at, and how far. */
struct visited {
    function_id function;
    uint32_t instruction, callee;
};

struct search {
    const struct program *program;
    const struct effects *effects;
    struct callgraph *graph;
    uint32_t *number, *low; /* by function; number 0: not seen */
    bool *is_open;
    uint32_t next_number;
    VEC(function_id) open;
    VEC(struct visited) stack;
    uint32_t member_count;
};

static void enter(struct search *search, function_id function) {
    search->number[function] = search->low[function] = ++search->next_number;
    search->is_open[function] = true;
    VEC_PUSH(&search->open, function);
    VEC_PUSH(&search->stack, (struct visited){function, 0, 0});
}

/* The next function that the one on top of the stack calls; NO_ID at the end. */
static function_id next_callee(struct search *search) {
    struct visited *top = &search->stack.data[search->stack.count - 1];
    struct range instructions = search->program->functions.data[top->function].instructions;
    while (top->instruction < instructions.count) {
        uint32_t count;
        const function_id *callees =
            effects_shown(search->effects, instructions.first + top->instruction, &count);
        if (top->callee < count)
            return callees[top->callee++];
        top->instruction++;
        top->callee = 0;
    }
    return NO_ID;
}

static void close_component(struct search *search, function_id root) {
    struct callgraph *graph = search->graph;
    function_id member;
    do {
        member = search->open.data[--search->open.count];
        search->is_open[member] = false;
        graph->component[member] = graph->count;
        graph->members[search->member_count++] = member;
    } while (member != root);
    graph->start[++graph->count] = search->member_count;
}

static void visit(struct search *search, function_id root) {
    enter(search, root);
    while (search->stack.count) {
        function_id function = search->stack.data[search->stack.count - 1].function;
        function_id callee = next_callee(search);
        if (callee == function)
            search->graph->is_recursive[function] = true; /* by function for now */
        if (callee != NO_ID) {
            if (!search->number[callee])
                enter(search, callee);
            else if (search->is_open[callee] && search->number[callee] < search->low[function])
                search->low[function] = search->number[callee];
            continue;
        }
        if (search->low[function] == search->number[function])
            close_component(search, function);
        if (--search->stack.count) {
            function_id caller = search->stack.data[search->stack.count - 1].function;
            if (search->low[function] < search->low[caller])
                search->low[caller] = search->low[function];
        }
    }
}

struct callgraph *callgraph_build(const struct effects *effects) {
    const struct program *program = pta_program(effects_pta(effects));
    size_t functions = program->functions.count + 1;
    struct callgraph *graph = mem_zalloc(1, sizeof *graph);
    graph->start = mem_zalloc(functions + 1, sizeof *graph->start);
    graph->members = mem_alloc(functions * sizeof *graph->members);
    graph->component = mem_alloc(functions * sizeof *graph->component);
    memset(graph->component, 0xff, functions * sizeof *graph->component);
    graph->is_recursive = mem_zalloc(functions, sizeof *graph->is_recursive);
    struct search search = {.program = program,
                            .effects = effects,
                            .graph = graph,
                            .number = mem_zalloc(functions, sizeof *search.number),
                            .low = mem_zalloc(functions, sizeof *search.low),
                            .is_open = mem_zalloc(functions, sizeof *search.is_open)};
    for (function_id f = 0; f < program->functions.count; f++)
        if (program->functions.data[f].flags & FUNCTION_DEFINED && !search.number[f])
            visit(&search, f);
    bool *by_component = mem_zalloc(functions, sizeof *by_component);
    for (uint32_t c = 0; c < graph->count; c++)
        by_component[c] = graph->start[c + 1] - graph->start[c] > 1 ||
                          graph->is_recursive[graph->members[graph->start[c]]];
    free(graph->is_recursive);
    graph->is_recursive = by_component;
    free(search.number);
    free(search.low);
    free(search.is_open);
    VEC_DEINIT(&search.open);
    VEC_DEINIT(&search.stack);
    return graph;
}

void callgraph_free(struct callgraph *graph) {
    if (!graph)
        return;
    free(graph->start);
    free(graph->members);
    free(graph->component);
    free(graph->is_recursive);
    free(graph);
}
