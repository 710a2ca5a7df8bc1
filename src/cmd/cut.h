/*
 * What the files cut*.c of `recut cut` share.
 */
#ifndef RECUT_CMD_CUT_H
#define RECUT_CMD_CUT_H

#include <stdio.h>

#include "cut/choose.h"

enum cut_format { CUT_TEXT, CUT_JSON, CUT_DOT, CUT_FORMAT_COUNT };

/* What the log would be if a function were no target. */
struct cut_saving {
    function_id function;
    uint64_t cost; /* instead, in weights */
};

/* A cut, to be printed. */
struct cut_report {
    const struct program *program;
    const struct graph *graph;
    const struct weights *weights;
    const struct cut *cut;
    const struct choice *choice;
    const struct bitset *targets;
    uint64_t whole_cost, least_cost; /* of other cuts: all of the program; mincut */
    VEC(struct cut_saving) savings;
    VEC(const struct site *) rows; /* that are logged, the dearest first */
    size_t most_rows;              /* 0: all */
};

/* Finds the rows. */
void cut_report_rows(struct cut_report *report);
void cut_report_deinit(struct cut_report *report);
void cut_print(const struct cut_report *report, enum cut_format format, FILE *out);
void cut_print_json(const struct cut_report *report, FILE *out);
void cut_print_dot(const struct cut_report *report, FILE *out);

/* "mod_deflate.c:612", or "" without debug information; the caller frees. */
char *cut_place_text(const struct program *program, const struct site *site);
/* The memory that makes a load or a store cross: "head in push +8"; NULL if it is none.  The caller
 * frees. */
char *cut_memory_text(const struct cut_report *report, const struct site *site);

#endif
