/*
 * Which lines of a slice depend on which: the dependence graph, contracted to lines.
 *
 *     struct line_dependences all;
 *     dependences_find(sdg, in, &lines, &(struct dependence_options){0}, &all);
 *     for (uint64_t i = all.start[v]; i < all.start[v + 1]; i++)
 *         ... v depends on all.data[i].on
 *
 * Vertices are the lines, by their place in the list, and behind them junctions: nodes without
 * a line through which many lines depend on many others.  A line depends on the lines behind a
 * junction as on its own; kept apart, the graph does not grow with the square of them.
 *
 *     line, line, line ---> junction ---> line, line, line
 */
#ifndef RECUT_SLICE_DEPENDENCES_H
#define RECUT_SLICE_DEPENDENCES_H

#include "slice/lines.h"

/* How, weakest first.  A way through nodes without lines counts as the strongest on it: that
 * from a call by the entry of a function to its first block is a call, not control. */
#define LINE_DEPENDENCE_KINDS(X)                                                                   \
    X(DATA, "data")                                                                                \
    X(CONTROL, "control")                                                                          \
    X(CALL, "call")                                                                                \
    X(THREADS, "threads")

enum line_dependence_kind {
#define X(id, name) LINE_DEPENDENCE_##id,
    LINE_DEPENDENCE_KINDS(X)
#undef X
        LINE_DEPENDENCE_KIND_COUNT
};

struct line_dependence {
    uint32_t on;    /* a vertex */
    uint32_t kinds; /* a bit for each kind */
};

struct line_dependences {
    uint32_t count;  /* of vertices */
    uint64_t *start; /* by vertex, and one more */
    struct line_dependence *data;
};

struct dependence_options {
    bool data_only, no_threads; /* as in struct slice_options */
};

/* Among `lines`, which slice_find_lines() made of the same nodes. */
void dependences_find(const struct sdg *sdg, const bool *in, const slice_lines *lines,
                      const struct dependence_options *options, struct line_dependences *ret);
void dependences_deinit(struct line_dependences *dependences);

#endif
