/*
 * The logging variant: functions of the program that may look at memory which
 * the environment owns or may write, with those accesses sent to the runtime
 * (runtime/access.h), so that a replay sees what the recorded run saw.
 *
 * Needed only where functions without a model, libraries that keep pointers,
 * or shared mappings come in: points-to analysis finds the accesses
 * (analysis/environment.h), and all others stay as they are.
 *
 * What the analysis said lies in the image, too (logging_facts.h): so another copy of a few
 * functions, with a shadow stack, is made in no time, and lies over the first.
 *
 * The same variant sends the atomic operations of a program with threads to
 * runtime/atomic.c.
 */
#ifndef RECUT_INSTRUMENT_LOGGING_H
#define RECUT_INSTRUMENT_LOGGING_H

#include "base/error.h"
#include "format/model_table.h"
#include "program/embedded.h"
#include "program/program.h"

struct logging_result {
    uint32_t functions; /* that were swapped; 0: none is needed, and there is no image */
    uint32_t accesses, arguments;
    uint32_t refused; /* functions that should be and cannot */
    char *refusal;    /* the first of them and why; NULL without. The caller frees. */
};

struct logging_options {
    const char *program_path;
    const struct program *program; /* of that; NULL: it is opened */
    const struct embedded *embedded;
    const struct model_table *models;
    const char *image_path;
    bool loads;                /* accesses to memory of the environment */
    bool atomics;              /* atomic operations get their place in the order of threads */
    bool ticks;                /* threads count how far they come (ticks.h) ... */
    bool dense;                /* ... at every access */
    bool races;                /* all accesses are told of (races.h) */
    const char *const *shadow; /* functions that keep the shadow stack (shadow.h); ends with NULL,
                                  NULL: none does */
    /* An image with the same features but no shadow stack, which has all other functions; NULL:
     * without it.  It is loaded in front of this one (format/variant.h). */
    const char *over;
};
struct error *logging_build(const struct logging_options *options, struct logging_result *ret);

#endif
