/*
 * What `recut events` shows of a trace.
 */
#ifndef RECUT_CMD_EVENTS_H
#define RECUT_CMD_EVENTS_H

#include "cmd/trace_view.h"

struct events_options {
    uint64_t from, to;    /* numbers */
    const char *function; /* calls of this one alone; NULL for all */
    int64_t thread;       /* slot; -1 for all */
};

/* Is an event, one of this thread, to be shown? */
bool events_wants(const struct events_options *options, const struct trace_event *event);
bool events_wants_thread(const struct events_options *options, uint32_t slot);

/* A table of functions: calls, errors, bytes in the log. */
struct error *events_stat(const struct trace_view *view, const struct events_options *options,
                          bool is_json);

#endif
