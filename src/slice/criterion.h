/*
 * Slicing criteria: from what a user writes to places in a program.
 *
 *     parse.c:120        everything on that line
 *     parse.c:120:len    the value of len there: what the line reads of it and gives it, or
 *                        what it would read
 *     parse.c:120:s.len  what the line itself reads and writes of a field; also p->len
 *     parse:return       what parse() returns
 *     parse:text         its parameter text, when it begins
 *     call:fsync         all calls of fsync(): their arguments, and whether they happen
 *
 * Errors say what is wrong and name the nearest thing that there is.
 */
#ifndef RECUT_SLICE_CRITERION_H
#define RECUT_SLICE_CRITERION_H

#include "slice/lines.h"

/* What a call passes for a parameter; a struct may be passed in two pieces. */
struct criterion_argument {
    value_id value;
    variable_id parameter;
};

struct criterion {
    VEC(instruction_id) instructions;
    VEC(struct sdg_probe) probes;
    VEC(function_id) returns;
    VEC(struct criterion_argument) arguments;
};

/* Adds what a text means to a zeroed or earlier criterion. */
struct error *criterion_parse(const struct program *program, const char *text,
                              struct criterion *criterion);
void criterion_deinit(struct criterion *criterion);

/* For a backward slice: leaves out the probes of variables that their lines read or change: then
 * it is what they read there, and what they leave, that is asked for.  Many of those are values in
 * the graph as it is, and need no probe. */
void criterion_prefer_accesses(const struct program *program, struct criterion *criterion);

/* Adds the same in the copies of functions (analysis/contexts.h) that were made since. */
void criterion_add_copies(const struct program *program, struct criterion *criterion);

/* The nodes of it in a graph that was built with its probes, the first of which is
 * the graph's probe number `first_probe`; as the beginning of a forward slice, or the end
 * of a backward one.  Forward, the value of a variable on a line is what the line gives
 * it. */
typedef VEC(node_id) node_vec;
void criterion_nodes(const struct criterion *criterion, const struct sdg *sdg, uint32_t first_probe,
                     bool forward, node_vec *ret);

/* The lines of parameters that it names, where their nodes are in the slice; `lines` is sorted. */
void criterion_add_lines(const struct criterion *criterion, const struct sdg *sdg, const bool *in,
                         slice_lines *lines);

#endif
