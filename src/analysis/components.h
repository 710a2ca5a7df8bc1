/*
 * Strongly connected components of a graph.
 *
 * Edges of node n lead to targets[start[n]] up to targets[start[n + 1] - 1].  Components are
 * numbered so that every edge leads to its own component or to one with a lower number: in the
 * order of numbers, what is reached comes first.
 */
#ifndef RECUT_ANALYSIS_COMPONENTS_H
#define RECUT_ANALYSIS_COMPONENTS_H

#include <stdint.h>

/* Fills in `component`, by node, and `members`: all nodes, those of component 0 first, and in each
 * component those that were met last.  Returns how many components there are. */
uint32_t components_find(uint32_t node_count, const uint32_t *start, const uint32_t *targets,
                         uint32_t *component, uint32_t *members);

#endif
