/*
 * Everything that is done with a trace, for fuzzers: opened from parts, walked,
 * told as text and as JSON.  Aborts where the reader breaks a promise.
 */
#ifndef RECUT_TEST_TRACE_WALK_H
#define RECUT_TEST_TRACE_WALK_H

#include "trace/trace.h"

/* True if the trace was whole. */
bool walk_trace(const struct trace_part *parts, size_t count);
/* The same for the bytes of a plain tar file. */
bool walk_archive(struct bytes tar);

#endif
