/*
 * What a function changes of what it is given: bytes behind its parameters that it writes, or that
 * what it calls writes when it is handed them.
 *
 *     struct changes *changes = changes_build(effects, graph);
 *     struct change_list list = changes_of(changes, function, argument);
 *
 * Besides, what the function itself reads or writes there: the fields that it uses, in the terms of
 * ReCrash (section 2.2.1).
 *
 * A parameter with an empty list is immutable in the sense of ReCrash (section 2.2.1), as far as it
 * goes by the parameter: the same memory may be changed by way of a global.
 */
#ifndef RECUT_ANALYSIS_CHANGES_H
#define RECUT_ANALYSIS_CHANGES_H

#include "analysis/callgraph.h"

enum {
    CHANGES_MOST = 24, /* ranges of one parameter, before they become all of it */
    CHANGE_LOW = -4096,
    CHANGE_HIGH = 4096, /* low and high of one that is all behind the parameter */
};

struct change {
    int32_t low, high;
};

struct change_list {
    const struct change *changes;
    size_t count;
};

struct changes;

/* Both must outlive it. */
struct changes *changes_build(struct effects *effects, const struct callgraph *graph);
void changes_free(struct changes *changes);

/* In any order; none within another. */
struct change_list changes_of(const struct changes *changes, function_id function,
                              uint32_t argument);
/* What it uses itself, changed or not. */
struct change_list changes_used(const struct changes *changes, function_id function,
                                uint32_t argument);

#endif
