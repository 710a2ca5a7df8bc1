/*
 * Signals that the program sends to itself: kill(getpid(), …), tgkill(), sigqueue().
 *
 * Such a signal comes before the call returns, or when the program unblocks
 * it: a handler runs at the same place in both runs if both send it.  So the
 * event is written first, marked as one for the process itself, and then the
 * signal is sent, also in replay.  To others it is sent when recording only.
 *
 * One for the process may go to another of its threads: that has it from outside (async.h), and
 * a replay does not send it.
 */
#include <signal.h>
#include <unistd.h>

#include "runtime/answers.h"
#include "runtime/order.h"
#include "runtime/raw.h"
#include "runtime/special_data.h"

/* Not by a handler, that is. */
static bool ends_process(int number) {
    struct sigaction action;
    return number > 0 && number < _NSIG && sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_DFL;
}

/* Does a signal for the process come to the calling thread, or end all of them?  The kernel gives
 * it to the first thread, if that does not block it. */
static bool comes_here(int number) {
    sigset_t blocked;
    if (!__recut_is_threaded || __recut_order_is_alone() || ends_process(number))
        return true;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    return __recut_self.slot == 0 && !sigismember(&blocked, number);
}

struct sending {
    enum special special;
    uint64_t from;
    int target[2]; /* process, thread */
    unsigned count;
    int number;
    bool to_self;
    union sigval value; /* sigqueue */
};

static void send_to_self(const struct sending *sending) {
    struct async_state *async = &env_thread()->async;
    long process = raw_syscall3(SYS_getpid, 0, 0, 0);
    async->is_sending = true;
    if (sending->special == SPECIAL_sigqueue)
        REAL(sigqueue)(getpid(), sending->number, sending->value);
    else if (sending->special == SPECIAL_kill && __recut_is_threaded &&
             ends_process(sending->number))
        raw_syscall3(SYS_kill, process, sending->number, 0);
    else
        raw_syscall3(SYS_tgkill, process, raw_syscall3(SYS_gettid, 0, 0, 0), sending->number);
    async->is_sending = false;
}

static void record(const struct sending *sending, int result, int old) {
    unsigned char *p = __recut_special_write(sending->special, sending->from, old, 80);
    if (!p)
        return;
    for (unsigned i = 0; i < sending->count; i++)
        p = put_svarint(p, sending->target[i]);
    p = put_svarint(p, sending->number);
    if (sending->special == SPECIAL_sigqueue)
        p = put_svarint(p, (intptr_t)sending->value.sival_ptr);
    p = __recut_special_result(p, result, old);
    __recut_special_end(__recut_special_put_object(p, sending->to_self ? "" : NULL, 0));
}

static int replay(const struct sending *sending) {
    struct log_reader *log = __recut_special_read(sending->special, sending->from);
    for (unsigned i = 0; i < sending->count; i++)
        __recut_special_input(log, "target", sending->target[i]);
    __recut_special_input(log, "number", sending->number);
    if (sending->special == SPECIAL_sigqueue)
        __recut_special_input(log, "value", (intptr_t)sending->value.sival_ptr);
    int result = (int)__recut_special_take_result(log);
    size_t size;
    bool to_self = __recut_special_take_object(log, &size) != NULL;
    __recut_special_done(log);
    const char *name = sending->special == SPECIAL_kill     ? "kill"
                       : sending->special == SPECIAL_tgkill ? "tgkill"
                                                            : "sigqueue";
    if (!to_self) {
        __recut_answer_was(name, result, errno);
        return result;
    }
    __recut_answer_made(name);
    send_to_self(sending);
    return result;
}

/* A signal with a number that exists always reaches oneself. */
static int send_recorded(struct sending *sending) {
    int old = errno;
    sending->to_self = sending->to_self && sending->number > 0 && sending->number < _NSIG;
    if (sending->to_self) {
        record(sending, 0, old);
        send_to_self(sending);
        return 0;
    }
    int result;
    if (sending->special == SPECIAL_kill)
        result = REAL(kill)(sending->target[0], sending->number);
    else if (sending->special == SPECIAL_tgkill)
        result = REAL(tgkill)(sending->target[0], sending->target[1], sending->number);
    else
        result = REAL(sigqueue)(sending->target[0], sending->number, sending->value);
    record(sending, result, old);
    return result;
}

int __recut_special_kill(pid_t, int), __recut_special_tgkill(pid_t, pid_t, int);

int __recut_special_kill(pid_t process, int number) {
    bool to_self = process == raw_syscall3(SYS_getpid, 0, 0, 0) && comes_here(number);
    struct sending sending = {SPECIAL_kill, HERE, {process}, 1, number, to_self, {0}};
    return __recut_env_mode == ENV_RECORD ? send_recorded(&sending) : replay(&sending);
}

int __recut_special_tgkill(pid_t process, pid_t thread, int number) {
    struct sending sending = {SPECIAL_tgkill,
                              HERE,
                              {process, thread},
                              2,
                              number,
                              thread == raw_syscall3(SYS_gettid, 0, 0, 0),
                              {0}};
    return __recut_env_mode == ENV_RECORD ? send_recorded(&sending) : replay(&sending);
}

int __recut_special_sigqueue(pid_t, int, union sigval);
int __recut_special_sigqueue(pid_t process, int number, union sigval value) {
    bool to_self = process == raw_syscall3(SYS_getpid, 0, 0, 0) && comes_here(number);
    struct sending sending = {SPECIAL_sigqueue, HERE, {process}, 1, number, to_self, value};
    return __recut_env_mode == ENV_RECORD ? send_recorded(&sending) : replay(&sending);
}
