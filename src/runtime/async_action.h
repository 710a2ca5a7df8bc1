/*
 * What the program installed for a signal (sigaction).  The runtime's own handler stands in
 * front of it (async.h), with all signals kept out.
 */
#ifndef RECUT_RUNTIME_ASYNC_ACTION_H
#define RECUT_RUNTIME_ASYNC_ACTION_H

#include <signal.h>
#include <stdbool.h>

/* The program's action, once: the kernel does not know of those that are for one time only. */
struct sigaction __recut_action_take(int number);

/* Has the program ever installed a handler? */
extern bool __recut_action_any;

static inline bool action_is_handler(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static inline void action_call(const struct sigaction *action, int number, siginfo_t *info,
                               void *context) {
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
}

/* What is blocked while a handler runs that came when `mask` was. */
static inline sigset_t action_mask(const struct sigaction *action, int number,
                                   const sigset_t *mask) {
    sigset_t within;
    sigorset(&within, mask, &action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        sigaddset(&within, number);
    return within;
}

#endif
