/*
 * The end of a recording: what a process left in its window is put behind the
 * rest of its log (format/log.h).
 */
#ifndef RECUT_TRACE_FINISH_H
#define RECUT_TRACE_FINISH_H

#include "base/error.h"

/* Appends DIR/tail.SLOT to DIR/log.SLOT, of every thread, and removes it. Nothing
 * happens where there is none, and of a thread whose process still runs. */
struct error *trace_finish(const char *directory);

#endif
