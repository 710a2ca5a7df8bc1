/*
 * When do handlers of signals run, while a cut is recorded?  See cut.h.
 *
 * At once, if the thread is in environment, where nothing is executed again.  A signal that comes
 * while it is in replay space, or while the runtime is at work for it, waits for the next crossing,
 * or the next load that is logged: places that a replay finds again.  What the handler does then,
 * in replay space or to memory, is in the log like all that environment does.
 */
#include <errno.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/async_action.h"
#include "runtime/cut_impl.h"

static bool waits(const struct env_thread *thread, int number) {
    for (unsigned i = 0; i < thread->cut.signal_count; i++)
        if (thread->cut.signals[i].si_signo == number)
            return true;
    return false;
}

static void run_handler(int number, siginfo_t *info, void *context) {
    struct sigaction action = __recut_action_take(number);
    if (!action_is_handler(&action))
        return;
    sigset_t before, within;
    sigprocmask(SIG_SETMASK, NULL, &before);
    const sigset_t *interrupted = context ? &((ucontext_t *)context)->uc_sigmask : &before;
    within = action_mask(&action, number, interrupted);
    sigprocmask(SIG_SETMASK, &within, NULL);
    action_call(&action, number, info, context);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* As the kernel does, one of each number waits. */
void __recut_cut_on_signal(int number, siginfo_t *info, void *context) {
    struct env_thread *thread = env_thread();
    int error = errno;
    bool is_busy = thread && (__recut_self.inside || thread->cut.busy);
    if (__recut_cut_mode != CUT_RECORD || !is_busy) {
        run_handler(number, info, context);
    } else if (!waits(thread, number) && thread->cut.signal_count < cut_most_signals) {
        thread->cut.signals[thread->cut.signal_count] = *info;
        thread->cut.signals[thread->cut.signal_count].si_signo = number;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread->cut.signal_count++;
    }
    errno = error;
}

void __recut_cut_deliver_all(struct env_thread *thread) {
    int error = errno;
    while (thread->cut.signal_count && __recut_cut_mode == CUT_RECORD) {
        sigset_t all, before;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &before);
        siginfo_t info = thread->cut.signals[0];
        thread->cut.signal_count--;
        memmove(thread->cut.signals, thread->cut.signals + 1,
                thread->cut.signal_count * sizeof *thread->cut.signals);
        sigprocmask(SIG_SETMASK, &before, NULL);
        run_handler(info.si_signo, &info, NULL);
    }
    errno = error;
}
