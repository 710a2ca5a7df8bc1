/*
 * The monitor variant: functions keep the shadow stack (format/shadow.h), for `recut monitor`.
 *
 * Left out are small functions that call no others and have no loop: what they get is what their
 * callers have (ReCrash, section 2.2.2).
 */
#ifndef RECUT_INSTRUMENT_MONITOR_H
#define RECUT_INSTRUMENT_MONITOR_H

#include "base/error.h"
#include "format/model_table.h"
#include "program/embedded.h"

struct monitor_options {
    const char *program_path;
    const struct embedded *embedded;
    const struct model_table *models;
    const char *image_path;
};

struct monitor_result {
    uint32_t functions; /* that are monitored */
};

struct error *monitor_build(const struct monitor_options *options, struct monitor_result *ret);

#endif
