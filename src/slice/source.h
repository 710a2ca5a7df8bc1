/*
 * A slice as C sources that compile and run: `recut slice --source`.
 *
 * Each source file of the program is written with what does not stay blanked out, so that all
 * that does is still on its line; files that they include are copied.
 */
#ifndef RECUT_SLICE_SOURCE_H
#define RECUT_SLICE_SOURCE_H

#include "slice/executable.h"

struct source_options {
    const char *directory;    /* where to; made if it is not there */
    const char *const *flags; /* of the compiler, for all files, besides recorded ones */
    int flag_count;
    const char *criterion; /* for the comment on top */
    struct order *order;
};

struct source_counts {
    size_t files, lines, kept; /* lines that are neither blank nor comments, before and after */
};

struct error *source_write(const struct sdg *sdg, const node_vec *criteria,
                           const struct source_options *options, struct source_counts *ret);

#endif
