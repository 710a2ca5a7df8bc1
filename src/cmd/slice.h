/*
 * What the files slice*.c of `recut slice` share.
 */
#ifndef RECUT_CMD_SLICE_H
#define RECUT_CMD_SLICE_H

#include <stdio.h>

#include "slice/criterion.h"
#include "slice/lines.h"

/* A slice or a chop, to be printed. */
struct sliced {
    const struct sdg *sdg;
    const bool *in;            /* by node */
    const struct slice *slice; /* NULL: a chop, which has no reasons */
    slice_lines lines;
    bool forward;
    const char *const *criteria;
    size_t criterion_count;
    const char *chop;           /* the criterion that a chop leads to, or NULL */
    const struct criterion *at; /* by text */
    const node_vec *from, *to;  /* the nodes of the criteria */
    bool data_only, no_threads;
};

enum slice_format {
    SLICE_TEXT,
    SLICE_LINES,
    SLICE_JSON,
    SLICE_DOT,
    SLICE_HTML,
    SLICE_FORMAT_COUNT
};

void slice_print(const struct sliced *sliced, enum slice_format format, FILE *out);
void slice_print_html(const struct sliced *sliced, FILE *out);

/* A source file; all zero, one that has no lines. */
struct slice_source {
    char *data;
    size_t size;
    VEC(size_t) starts; /* of lines */
};

/* False if it cannot be read, and then it has no lines. */
bool slice_source_open(struct slice_source *source, const char *path);
void slice_source_close(struct slice_source *source);
/* A line without its end; empty if there is none.  Lines count from 1. */
const char *slice_source_line(const struct slice_source *source, uint32_t line, size_t *ret_length);

/* Slices from lines all over a program, and what they come to on average. */
struct slice_survey {
    size_t lines, instructions; /* of the program */
    size_t criteria;
    double part, nodes; /* of the program's lines, of the graph's nodes */
    double seconds;
};

struct slice_survey slice_survey(const struct sdg *sdg, const struct slice_options *options,
                                 size_t wanted);
void slice_survey_print(const struct slice_survey *with, const struct slice_survey *without,
                        bool is_json, FILE *out);

#endif
