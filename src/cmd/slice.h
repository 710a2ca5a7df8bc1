/*
 * What the files slice*.c of `recut slice` share.
 */
#ifndef RECUT_CMD_SLICE_H
#define RECUT_CMD_SLICE_H

#include <stdio.h>

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
};

enum slice_format { SLICE_TEXT, SLICE_LINES, SLICE_JSON, SLICE_DOT, SLICE_FORMAT_COUNT };

void slice_print(const struct sliced *sliced, enum slice_format format, FILE *out);

/* Slices from so many lines, and their sizes. */
void slice_survey(const struct sdg *sdg, const struct slice_options *options, size_t wanted,
                  bool is_json, FILE *out);

#endif
