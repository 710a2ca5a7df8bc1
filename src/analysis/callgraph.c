/*
 * Components of the call graph; callgraph.h.  Cost: linear.
 */
#include "analysis/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/components.h"

/* Whom each defined function calls; the others call nobody. */
struct calls {
    VEC(uint32_t) start, callees;
};

static void find_calls(const struct program *program, const struct effects *effects,
                       struct calls *calls, bool *calls_itself) {
    for (function_id f = 0; f < program->functions.count; f++) {
        VEC_PUSH(&calls->start, (uint32_t)calls->callees.count);
        struct range instructions = program->functions.data[f].instructions;
        for (uint32_t i = 0; i < instructions.count; i++) {
            uint32_t count;
            const function_id *callees = effects_shown(effects, instructions.first + i, &count);
            for (uint32_t c = 0; c < count; c++) {
                calls_itself[f] |= callees[c] == f;
                VEC_PUSH(&calls->callees, callees[c]);
            }
        }
    }
    VEC_PUSH(&calls->start, (uint32_t)calls->callees.count);
}

struct callgraph *callgraph_build(const struct effects *effects) {
    const struct program *program = pta_program(effects_pta(effects));
    size_t functions = program->functions.count + 1;
    struct callgraph *graph = mem_zalloc(1, sizeof *graph);
    graph->start = mem_zalloc(functions + 1, sizeof *graph->start);
    graph->members = mem_alloc(functions * sizeof *graph->members);
    graph->component = mem_alloc(functions * sizeof *graph->component);
    graph->is_recursive = mem_zalloc(functions, sizeof *graph->is_recursive);
    struct calls calls = {0};
    bool *calls_itself = mem_zalloc(functions, sizeof *calls_itself);
    find_calls(program, effects, &calls, calls_itself);
    uint32_t *component = mem_alloc(functions * sizeof *component);
    function_id *members = mem_alloc(functions * sizeof *members);
    components_find((uint32_t)program->functions.count, calls.start.data, calls.callees.data,
                    component, members);
    memset(graph->component, 0xff, functions * sizeof *graph->component);
    uint32_t member_count = 0;
    for (uint32_t m = 0; m < program->functions.count; m++) {
        if (!(program->functions.data[members[m]].flags & FUNCTION_DEFINED))
            continue;
        bool is_first = !m || component[members[m]] != component[members[m - 1]];
        graph->count += is_first;
        graph->component[members[m]] = graph->count - 1;
        graph->is_recursive[graph->count - 1] = !is_first || calls_itself[members[m]];
        graph->members[member_count++] = members[m];
        graph->start[graph->count] = member_count;
    }
    free(component);
    free(members);
    free(calls_itself);
    VEC_DEINIT(&calls.start);
    VEC_DEINIT(&calls.callees);
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
