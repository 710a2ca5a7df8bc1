/*
 * The ends of a recorded and of a replayed run that are not a crash: exit(),
 * a return from main, _exit(), and a log that ends inside a call.
 */
#ifndef RECUT_RUNTIME_FINISH_H
#define RECUT_RUNTIME_FINISH_H

#include "runtime/diverge.h"

/* The run ends with this status, without exit handlers. */
void __recut_finish_now(int status);

/* Replay: the recorded run did not come back from this call. */
void __recut_finish_inside(struct log_reader *log, struct diverge_place now)
    __attribute__((noreturn));

#endif
