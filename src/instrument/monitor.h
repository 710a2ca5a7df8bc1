/*
 * The monitor variant: functions keep the shadow stack (format/shadow.h), for `recut monitor`.
 *
 * Left out are small functions that call no others: what they get is what their callers have
 * (ReCrash, section 2.2.2).
 */
#ifndef RECUT_INSTRUMENT_MONITOR_H
#define RECUT_INSTRUMENT_MONITOR_H

#include <stdbool.h>

#include "base/error.h"
#include "format/model_table.h"
#include "program/embedded.h"

/*
 * How: words in any order, each with a blank behind it.
 *
 *     copy=reference     nothing that arguments point to is kept as it was
 *     copy=shallow       what they point to, as far as the function changes it
 *     copy=depth:N       what N pointers lead to, or fewer
 *     copy=deep          all that they lead to
 *     used-fields        what fields that the function uses point to is copied one level deeper
 *     only=NAME          none but these functions are monitored
 *     exclude=NAME       this one is not
 */
#define MONITOR_COPY "copy="
#define MONITOR_USED_FIELDS "used-fields"
#define MONITOR_DEFAULT MONITOR_COPY "shallow " MONITOR_USED_FIELDS
#define MONITOR_ONLY "only="
#define MONITOR_EXCLUDE "exclude="

struct monitor_options {
    const char *choices;
    const char *program_path;
    const struct embedded *embedded;
    const struct model_table *models;
    const char *image_path;
};

/* monitor_choices.c, which needs no LLVM: is that, behind "copy=", one of these? */
bool monitor_is_copy(const char *how);
/* 0 by reference, 1 shallow; MONITOR_DEEP is as far as it goes. */
uint32_t monitor_depth(const char *choices);
#define MONITOR_DEEP 1000
/* Is there the word of this kind with this name? */
bool monitor_chooses(const char *choices, const char *kind, const char *name);

struct monitor_result {
    uint32_t functions; /* that are monitored */
};

struct error *monitor_build(const struct monitor_options *options, struct monitor_result *ret);

#endif
