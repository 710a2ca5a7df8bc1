/*
 * Calls from the environment into the program, while it is recorded or
 * replayed (iTarget §4.1).
 *
 * A recorded thread that leaves the program has no data stack while it is
 * away.  So the functions that can be entered from outside notice, by the same
 * check that gives a foreign thread its stack (canonical/attach.c), and the call
 * is logged with its arguments, and again when it returns.  A replay makes these
 * calls itself, in the same order.
 */
#ifndef RECUT_RUNTIME_ENV_CALLBACK_H
#define RECUT_RUNTIME_ENV_CALLBACK_H

#include "runtime/env_thread.h"

/* Record: around a call of the environment. */
struct env_outside __recut_env_go_out(void);
void __recut_env_come_back(struct env_outside outside);

/* The value of a call that may take long, with signal handlers and callbacks of
 * the program in it noticed. */
#define ENV_OUTSIDE(call)                                                                          \
    ({                                                                                             \
        struct env_outside env_outside_ = __recut_env_go_out();                                    \
        __typeof__(call) env_result_ = (call);                                                     \
        __recut_env_come_back(env_outside_);                                                       \
        env_result_;                                                                               \
    })

/* Record: the environment entered a function of the program, whose return
 * address is at `return_slot`; the arguments are in __recut_self.callback. */
void __recut_callback_enter(void *function, void **return_slot);
/* A library frees a block of the program's: in a recording that is a call into the
 * program, too. */
void __recut_callback_free(void *block);
/* Record: the program jumped out of calls whose frames are below `stack`. */
void __recut_callback_unwind(const void *stack);

#endif
