/*
 * The call graph's components, callees first.
 *
 *     struct callgraph *graph = callgraph_build(effects);
 *     for (uint32_t c = 0; c < graph->count; c++)
 *         for (uint32_t i = graph->start[c]; i < graph->start[c + 1]; i++)
 *             use(graph->members[i]);
 *
 * A component is a function, or functions that call each other in a circle.
 * External functions that call back count as calls of what they call back.
 */
#ifndef RECUT_ANALYSIS_CALLGRAPH_H
#define RECUT_ANALYSIS_CALLGRAPH_H

#include "analysis/effects.h"

struct callgraph {
    uint32_t count;
    uint32_t *start;      /* by component, and one more */
    function_id *members; /* defined functions */
    uint32_t *component;  /* by function; NO_ID if it is not defined */
    bool *is_recursive;   /* by component */
};

struct callgraph *callgraph_build(const struct effects *effects);
void callgraph_free(struct callgraph *graph);

#endif
