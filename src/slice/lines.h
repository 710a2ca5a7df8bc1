/*
 * The source lines of a slice.
 *
 * A line is in it if one of its instructions is, or what one passes to or gets from
 * a call.  Jumps (break, continue, goto, return) have no dependences of their own in
 * the graph: what they do is in the edges of the flow graph.  So a jump's line is in if
 * what decides about it is.  So is that of a call that does not return, and in a function that it
 * enters, those of the calls which are why.  The line of a global is in if its initial value can
 * matter.
 */
#ifndef RECUT_SLICE_LINES_H
#define RECUT_SLICE_LINES_H

#include "slice/slice.h"

struct slice_line {
    file_id file;
    uint32_t line;
    node_id node; /* one that brought it in */
};

typedef VEC(struct slice_line) slice_lines;

/* The lines of the nodes for which `in` is set; ascending by file and line, each once. */
void slice_find_lines(const struct sdg *sdg, const bool *in, slice_lines *ret);

/* The same with every node that brings a line in; ascending by file, line and node. */
void slice_find_line_nodes(const struct sdg *sdg, const bool *in, slice_lines *ret);

/* The line of a node; false if it has none of its own. */
bool slice_line_of(const struct sdg *sdg, node_id node, file_id *ret_file, uint32_t *ret_line);

#endif
