/*
 * The ways in which `recut dump` shows a program: as text, as JSON, as a graph;
 * and a trace.
 */
#ifndef RECUT_CMD_DUMP_H
#define RECUT_CMD_DUMP_H

#include <stdio.h>

#include "analysis/pta.h"

struct cJSON;

enum dump_what {
    DUMP_FUNCTIONS,
    DUMP_IR,
    DUMP_CFG,
    DUMP_MEMORY,
    DUMP_VARIABLES,
    DUMP_TYPES,
    DUMP_POINTS_TO,
    DUMP_ENVIRONMENT,
    DUMP_CALLS, /* this and what follows: dump_graph() */
    DUMP_CONTROL,
    DUMP_THREADS,
    DUMP_PARALLEL,
    DUMP_PARTS,
    DUMP_SDG,
};

struct dump_options {
    enum dump_what what;
    const char *function; /* symbol or source name; NULL for all */
    bool copies;          /* as slices have it: analysis/contexts.h */
    const char *models;   /* file with a compiled table of models; NULL for none */
};

/* Is a function to be shown?  Those without a body only in the list. */
bool dump_wants(const struct program *program, const struct dump_options *options,
                function_id function);

/* "a.c:22:4, inlined into main at a.c:47:9"; "" without debug information; the
 * caller frees. */
char *dump_location_text(const struct program *program, location_id location);

/* An item of a list in JSON, which is freed; and text in quotes for dot. */
void dump_json_item(FILE *out, struct cJSON *item, bool *first);
void dump_label(const char *text, FILE *out);

void dump_text(const struct program *program, const struct dump_options *options, FILE *out);
void dump_json(const struct program *program, const struct dump_options *options, FILE *out);
void dump_dot(const struct program *program, const struct dump_options *options, FILE *out);
enum dump_format { DUMP_AS_TEXT, DUMP_AS_JSON, DUMP_AS_DOT };

/* DUMP_POINTS_TO and all behind it, for which the program is analysed first. */
struct error *dump_analysis(const struct program *program, const struct dump_options *options,
                            enum dump_format format, FILE *out);

/* DUMP_ENVIRONMENT, of these. */
void dump_environment(const struct pta *pta, const struct dump_options *options, bool json,
                      FILE *out);

/* DUMP_CALLS and all behind it. */
void dump_graph(const struct pta *pta, const struct dump_options *options, enum dump_format format,
                FILE *out);

struct dump_trace_options {
    const char *command, *argument;
    uint64_t pid; /* of the process that is wanted; 0: all */
    bool is_json;
    bool is_check; /* only whether it is whole */
};

/* Everything in a trace, to stdout, and what is wrong to stderr; the exit code. */
int dump_trace(const struct dump_trace_options *options);

#endif
