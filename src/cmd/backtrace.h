/*
 * A stack trace for people: function and source line of each call, inlined
 * functions among them.
 */
#ifndef RECUT_CMD_BACKTRACE_H
#define RECUT_CMD_BACKTRACE_H

#include <stdio.h>

#include "trace/source.h"
#include "trace/unwind.h"

/* The calls that led to an event of kind EVENT_CRASH, or to a place made up like
 * one: a line for each, innermost first, after `indent` spaces. Without `source`
 * there are addresses only. Calls further in than the one that returns to `from`
 * are left out, if that is not 0: they are the runtime's. */
void backtrace_print(FILE *out, const struct trace *trace, struct source *source,
                     const struct trace_event *event, uint64_t from, int indent);

#endif
