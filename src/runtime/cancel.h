/*
 * Threads that others end: pthread_cancel(), while a run is recorded or replayed.
 *
 * In a recording libc does all of it.  It ends a thread in a call that is a cancellation
 * point, by unwinding its stack to the innermost frame that cleans up (cleanup.c), or to the
 * bottom of the stack (thread_recorded.c).  What is left in the log is an event CANCEL in the
 * place of the call's.  In a replay nobody is cancelled: a thread that finds such an event where
 * its call's should be ends there.
 *
 * A wait for a condition takes the mutex again before anything cleans up, in its order.
 *
 * Not recorded: cancelling a thread that is asynchronous then, or becomes so after, since it may
 * end at any instruction, and the first thread, which nobody made. Threads that could be
 * cancelled so, but never are, are recorded like all others: servers are made so for the moment
 * in which they crash.
 */
#ifndef RECUT_RUNTIME_CANCEL_H
#define RECUT_RUNTIME_CANCEL_H

#include <stdbool.h>

#include "runtime/diverge.h"
#include "runtime/log_read.h"

/* Record: libc cancelled this thread.  It is inside again, as if the call had come back. */
void __recut_cancel_note(void);

/* Replay: is this where the thread was cancelled? */
static inline bool cancel_is_next(const struct log_reader *log) {
    return log->kind == EVENT_CANCEL && log->skips == log->skipped;
}
/* Then it ends. */
void __recut_cancel_take(struct log_reader *log, struct diverge_place now)
    __attribute__((noreturn));

#endif
