/* When does the handler of a signal run?  See async.h. */
#include "runtime/async.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

static struct sigaction actions[_NSIG]; /* what the program installed */

static bool is_handler(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void call_handler(const struct sigaction *action, int number, siginfo_t *info,
                         void *context) {
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
}

/* The program's action, once: the kernel does not know that it is for one time only. */
static struct sigaction take_action(int number) {
    struct sigaction action = actions[number];
    if (action.sa_flags & SA_RESETHAND) {
        actions[number].sa_handler = SIG_DFL;
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        sigaction(number, &fallback, NULL);
    }
    return action;
}

/* --- a handler at a safe place ---------------------------------------------------------- */

/* What the handler may look at lies on the data stack, where both runs have it. */
struct shown {
    siginfo_t info;
    ucontext_t context;
};
_Static_assert(sizeof(struct shown) <= async_shown_size, "async_shown_size");

static struct shown *show(char *data_stack, const siginfo_t *info) {
    struct shown *shown = (struct shown *)(data_stack - async_shown_size);
    shown->info = *info;
    memset(&shown->context, 0, sizeof shown->context);
    return shown;
}

static void run(const siginfo_t *info) {
    int number = info->si_signo;
    struct sigaction action = take_action(number);
    if (!is_handler(&action))
        return;
    sigset_t mask = action.sa_mask, old;
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    char *data_stack = __recut_self.data_stack;
    struct shown *shown = show(data_stack, info);
    __recut_self.data_stack = (char *)shown;
    sigprocmask(SIG_BLOCK, &mask, &old);
    call_handler(&action, number, &shown->info, &shown->context);
    sigprocmask(SIG_SETMASK, &old, NULL);
    __recut_self.data_stack = data_stack;
}

/* --- record ----------------------------------------------------------------------------- */

static void log_signal(const siginfo_t *info, uint64_t tick, unsigned flags) {
    struct log_writer *log = &env_thread()->out;
    unsigned char *p = log_begin(log, EVENT_SIGNAL | flags, 40 + sizeof *info);
    if (!p)
        return;
    p = put_varint(put_varint(p, (uint64_t)info->si_signo), tick);
    log_end(log, put_bytes(p, info, sizeof *info));
}

/* The first that waits. Handlers may add others meanwhile. */
static siginfo_t take_first(struct async_state *state) {
    siginfo_t info = state->signals[state->begin % async_most];
    __atomic_store_n(&state->begin, state->begin + 1, __ATOMIC_RELEASE);
    return info;
}

static void disarm(struct async_state *state) {
    if (!state->is_armed)
        return;
    state->is_armed = false;
    __recut_self.ticks = state->ticks;
}

static void deliver(struct async_state *state, uint64_t tick) {
    while (async_waits(state) && __recut_env_mode == ENV_RECORD) {
        siginfo_t info = take_first(state);
        log_signal(&info, tick, 0);
        run(&info);
    }
}

/* No safe place: runs them where the program is. */
static void give_up(struct async_state *state) {
    __recut_env_stop("a signal", "its handler has to run where no call is made; recorded with "
                                 "--threads=serial it can");
    while (async_waits(state)) {
        siginfo_t info = take_first(state);
        run(&info);
    }
}

/* The kernel sends a signal once more when it has waited for long; one timer for each
 * thread will do. */
enum { patience = 100000000, reminder = 0x52435554 };

static int64_t now(void) {
    struct timespec time;
    raw_syscall3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void remind(struct async_state *state) {
    static const struct itimerspec once = {.it_value = {0, patience}};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = state->signals[state->begin % async_most].si_signo};
    event.sigev_value.sival_int = reminder;
    event._sigev_un._tid = (int)raw_syscall3(SYS_gettid, 0, 0, 0);
    int timer;
    if (state->timer_signal != event.sigev_signo) {
        if (state->timer_signal)
            raw_syscall3(SYS_timer_delete, state->timer, 0, 0);
        state->timer_signal = 0;
        if (raw_syscall3(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer) != 0)
            return;
        state->timer = timer;
        state->timer_signal = event.sigev_signo;
    }
    raw_syscall6(SYS_timer_settime, state->timer, 0, (long)&once, 0, 0, 0);
}

static bool is_reminder(const siginfo_t *info) {
    return info->si_code == SI_TIMER && info->si_value.sival_int == reminder;
}

static void keep(struct async_state *state, const siginfo_t *info) {
    bool is_first = !async_waits(state);
    for (uint32_t i = state->begin; i != state->end; i++) /* the kernel keeps one of each, too */
        if (info->si_signo < SIGRTMIN && state->signals[i % async_most].si_signo == info->si_signo)
            return;
    if (state->end - state->begin == async_most) {
        give_up(state);
        return;
    }
    state->signals[state->end % async_most] = *info;
    __atomic_store_n(&state->end, state->end + 1, __ATOMIC_RELEASE);
    if (is_first) {
        state->since = now();
        remind(state);
    }
    if (__recut_is_serial && !state->is_armed && !state->is_ticking) {
        state->ticks = __recut_self.ticks;
        __recut_self.ticks = 0;
        state->is_armed = true;
    }
}

/* Outside: the handler is entered like any function that the environment calls. */
static void run_outside(const struct sigaction *action, const siginfo_t *info) {
    struct env_thread *thread = env_thread();
    char *outside = thread->outside_stack;
    struct shown *shown = show(outside, info);
    thread->outside_stack = (char *)shown;
    log_signal(info, 0, EVENT_OUTSIDE);
    call_handler(action, info->si_signo, &shown->info, &shown->context);
    thread->outside_stack = outside;
}

static bool is_own(const struct async_state *state, const siginfo_t *info) {
    bool is_sent =
        info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
    return is_sent && info->si_pid == raw_syscall3(SYS_getpid, 0, 0, 0) &&
           (!__recut_is_threaded || state->is_sending);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    int saved = errno;
    struct env_thread *thread = __recut_self.env;
    struct async_state *state = thread ? &thread->async : NULL;
    if (is_reminder(info)) {
        if (state && async_waits(state) && __recut_env_mode == ENV_RECORD) {
            bool is_late = now() - state->since >= patience - patience / 10;
            if (is_late && __recut_self.data_stack && !thread->out.is_writing)
                give_up(state);
            else
                remind(state);
        }
    } else if (__recut_env_mode != ENV_RECORD || !state || !__recut_self.data_stack ||
               is_own(state, info)) {
        struct sigaction action = take_action(number);
        sigset_t mask = ((ucontext_t *)context)->uc_sigmask;
        sigorset(&mask, &mask, &action.sa_mask);
        if (!(action.sa_flags & SA_NODEFER))
            sigaddset(&mask, number);
        sigprocmask(SIG_SETMASK, &mask, NULL); /* as if it had come by itself */
        errno = saved;
        if (!is_handler(&action))
            return;
        if (__recut_env_mode == ENV_RECORD && state && !__recut_self.data_stack &&
            thread->outside_stack)
            run_outside(&action, info);
        else
            call_handler(&action, number, info, context);
        return;
    } else {
        keep(state, info);
    }
    errno = saved;
}

void __recut_async_outside(void) {
    struct async_state *state = &env_thread()->async;
    disarm(state);
    while (async_waits(state)) {
        siginfo_t info = take_first(state);
        struct sigaction action = take_action(info.si_signo);
        if (is_handler(&action))
            run_outside(&action, &info);
    }
}

/* --- replay ----------------------------------------------------------------------------- */

static void read_info(struct log_reader *log, uint64_t number, siginfo_t *ret) {
    size_t size;
    const unsigned char *bytes = get_bytes(log, &size);
    if (log->damaged || size != sizeof *ret || number >= _NSIG)
        __recut_replay_damaged(log);
    memcpy(ret, bytes, sizeof *ret);
    __recut_env_expected(log);
}

void __recut_async_show(struct log_reader *log) {
    siginfo_t info;
    uint64_t number = get_varint(log);
    get_varint(log);
    read_info(log, number, &info);
    show(__recut_self.data_stack, &info);
    env_thread()->async.is_shown = true;
}

/* Is the next event a signal at a safe place, here and now? */
static bool is_signal(struct log_reader *log) {
    return log_next(log) && log->kind == EVENT_SIGNAL && !(log->flags & EVENT_OUTSIDE) &&
           log->skips == log->skipped;
}

static uint64_t tick_of(struct log_reader *log) {
    const unsigned char *begin = log->at;
    get_varint(log);
    uint64_t tick = get_varint(log);
    log->at = begin;
    return tick;
}

static bool take_signal(struct log_reader *log, bool at_tick, siginfo_t *ret) {
    if (!is_signal(log))
        return false;
    const unsigned char *begin = log->at;
    uint64_t number = get_varint(log), tick = get_varint(log);
    if ((tick != 0) != at_tick) {
        log->at = begin;
        return false;
    }
    __recut_env_check_path(log, (struct diverge_place){"a signal", 0});
    read_info(log, number, ret);
    return true;
}

/* All that came when the count was `left`; then the next is looked out for. */
static void take_at_tick(struct log_reader *log, int32_t left) {
    siginfo_t info;
    while (is_signal(log) && tick_of(log) == (uint64_t)left + 2 && take_signal(log, true, &info))
        run(&info);
    __recut_async_expect();
}

void __recut_async_expect(void) {
    struct env_thread *thread = __recut_self.env;
    struct log_reader *log = &thread->in;
    if (thread->async.is_armed || !is_signal(log))
        return;
    uint64_t tick = tick_of(log);
    int32_t left = (int32_t)(tick - 2); /* what the count is after the tick */
    if (!tick || left == __recut_self.ticks)
        return;
    thread->async.is_armed = true;
    thread->async.ticks = left;
    __recut_self.ticks -= left + 1;
}

/* --- safe places ------------------------------------------------------------------------ */

void __recut_async_at_call(uint64_t place) {
    struct env_thread *thread = __recut_self.env;
    if (!thread || thread->section.depth > thread->section.base || !env_is_from_program(place))
        return;
    if (__recut_env_mode == ENV_RECORD && async_waits(&thread->async)) {
        disarm(&thread->async);
        deliver(&thread->async, 0);
    } else if (__recut_env_mode == ENV_REPLAY) {
        siginfo_t info;
        while (take_signal(&thread->in, false, &info))
            run(&info);
    }
}

bool __recut_async_at_tick(void) {
    struct env_thread *thread = __recut_self.env;
    if (!thread || !thread->async.is_armed)
        return false;
    int32_t left = thread->async.ticks;
    thread->async.is_armed = false;
    if (__recut_env_mode == ENV_REPLAY) {
        __recut_self.ticks = left;
        take_at_tick(&thread->in, left);
        return left >= 0;
    }
    left = left < 0 ? -1 : left - 1; /* this one; it may have come by count as well */
    __recut_self.ticks = left;
    if (__recut_env_mode == ENV_RECORD)
        deliver(&thread->async, (uint64_t)left + 2);
    return left >= 0;
}

void __recut_async_after_tick(void) {
    struct async_state *state = &env_thread()->async;
    if (__recut_env_mode == ENV_RECORD && async_waits(state))
        deliver(state, (uint64_t)__recut_self.ticks + 2);
    if (__recut_env_mode == ENV_REPLAY)
        take_at_tick(&env_thread()->in, __recut_self.ticks);
}

/* --- sigaction -------------------------------------------------------------------------- */

int __recut_async_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (number <= 0 || number >= _NSIG)
        return sigaction(number, action, old);
    struct sigaction before = actions[number], kernel, installed;
    if (action) {
        installed = *action;
        if (is_handler(action) && __recut_env_mode != ENV_OFF) {
            installed.sa_sigaction = on_signal;
            installed.sa_flags = (action->sa_flags | SA_SIGINFO) & ~SA_RESETHAND;
            sigfillset(&installed.sa_mask); /* one at a time; handlers get theirs */
        }
    }
    int result = sigaction(number, action ? &installed : NULL, &kernel);
    if (result != 0)
        return result;
    if (action) {
        actions[number] = *action;
        if (is_handler(action))
            __recut_env_catch();
    }
    if (old) {
        *old = kernel;
        if (kernel.sa_sigaction == on_signal) {
            old->sa_sigaction = before.sa_sigaction;
            old->sa_flags = before.sa_flags;
            old->sa_mask = before.sa_mask;
        }
    }
    return 0;
}

void (*__recut_async_seen(int number, void (*handler)(int)))(int) {
    return (void *)handler == (void *)on_signal ? actions[number].sa_handler : handler;
}
