/*
 * From the registers and the stack of a crash to a stack trace.
 *
 * By the call frame information of the executable and, for a crash inside a
 * library, of the library: the one that was packed with the trace, else the file
 * that was mapped.  A call through a bad pointer is followed too.  Where nothing
 * is known of a frame the trace ends: what is there is right, if the files are
 * still those of the run.
 */
#ifndef RECUT_TRACE_UNWIND_H
#define RECUT_TRACE_UNWIND_H

#include "trace/trace.h"

#define UNWIND_MOST 256

/* Writes the place of the crash, then return addresses, innermost first; returns
 * how many.  `directory` is that of the trace, or NULL. */
size_t unwind_crash(const char *program, const char *directory, const struct trace_event *event,
                    uint64_t ret[UNWIND_MOST]);

#endif
