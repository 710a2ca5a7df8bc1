/*
 * What the files dump_graph*.c of `recut dump` share: what slices are made of, as text, as JSON
 * and as graphs for dot.
 */
#ifndef RECUT_CMD_DUMP_GRAPH_H
#define RECUT_CMD_DUMP_GRAPH_H

#include "analysis/order.h"
#include "cmd/dump.h"

void dump_graph_text(const struct sdg *sdg, const struct dump_options *options, FILE *out);
void dump_graph_json(const struct sdg *sdg, const struct dump_options *options, FILE *out);
void dump_graph_dot(const struct sdg *sdg, const struct dump_options *options, FILE *out);

void dump_parallel_text(const struct sdg *sdg, const struct dump_options *options, FILE *out);
void dump_parallel_json(const struct sdg *sdg, const struct dump_options *options, FILE *out);
void dump_parallel_dot(const struct sdg *sdg, const struct dump_options *options, FILE *out);

/* "f0 main  main.c:7" */
void dump_function(const struct program *program, function_id function, FILE *out);

bool dump_shows(const struct sdg *sdg, const struct dump_options *options, function_id function);

/* Whom a call enters: first what it calls itself, external functions too, then what those call
 * back. */
struct dump_callees {
    const function_id *called, *entered;
    uint32_t direct, count;
};
struct dump_callees dump_callees_of(const struct sdg *sdg, instruction_id call);
const char *dump_callee_name(const struct sdg *sdg, const struct dump_callees *callees,
                             uint32_t number);

#endif
