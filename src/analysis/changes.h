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
 * A parameter with an empty list is not written through; that nothing is changed that it leads to,
 * by any number of pointers and by any way, is for immutable.h to say.
 */
#ifndef RECUT_ANALYSIS_CHANGES_H
#define RECUT_ANALYSIS_CHANGES_H

#include "analysis/callgraph.h"

enum {
    CHANGES_MOST = 24, /* ranges of one parameter, before they become all of it */
    CHANGE_LOW = -4096,
    CHANGE_HIGH = 4096, /* low and high of one that is all behind the parameter */
    CHANGES_FIELDS_MOST = 32,
    CHANGES_VARIABLES_MOST = 16, /* of one function */
    CHANGE_NO_FIELD = INT32_MIN,
};

struct change {
    int32_t low, high;
};

struct change_list {
    const struct change *changes;
    size_t count;
};

/* Bytes behind a pointer that itself lies behind a parameter: `list->last->next = 0` changes some
 * behind `last` of `list`. */
struct field_change {
    uint32_t argument;
    int32_t field; /* where the pointer lies, in bytes behind the parameter */
    struct change bytes;
};

struct field_change_list {
    const struct field_change *changes;
    size_t count;
};

/* Bytes of a variable, by its name. */
struct variable_change {
    memory_id memory;
    struct change bytes;
};

struct variable_change_list {
    const struct variable_change *changes;
    size_t count;
};

/* Bytes of one of the three kinds. */
struct change_place {
    uint32_t argument; /* NO_ID: of a variable */
    int32_t field;     /* CHANGE_NO_FIELD: behind the parameter itself */
    memory_id memory;  /* the variable, or NO_ID */
    struct change bytes;
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
/* By the function or by what it calls; not all of them, if there are very many. */
struct field_change_list changes_of_fields(const struct changes *changes, function_id function);
/* The same, those that the function changes itself first. */
struct variable_change_list changes_of_variables(const struct changes *changes,
                                                 function_id function);

/* May the instruction, with all that it calls, change such bytes, or the pointer by which they are
 * found?  As far as the lists above tell: what goes by other ways is not seen. */
bool changes_may(const struct changes *changes, instruction_id instruction,
                 const struct change_place *place);

#endif
