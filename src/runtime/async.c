/* When does the handler of a signal run?  See async.h. */
#include "runtime/async.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "runtime/async_action.h"
#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

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

/* No signal comes until `let_in`: what is done about those that wait is done in peace, and
 * none comes between the choice of one and its handler. */
static void keep_out(sigset_t *mask) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, mask);
}
static void let_in(const sigset_t *mask) { sigprocmask(SIG_SETMASK, mask, NULL); }

/* Signals are kept out before and after; `mask` is the program's. */
static void run(const siginfo_t *info, const sigset_t *mask) {
    struct sigaction action = __recut_action_take(info->si_signo);
    if (!action_is_handler(&action))
        return;
    char *data_stack = __recut_self.data_stack;
    struct shown *shown = show(data_stack, info);
    __recut_self.data_stack = (char *)shown;
    sigset_t within = action_mask(&action, info->si_signo, mask), ignored;
    let_in(&within);
    action_call(&action, info->si_signo, &shown->info, &shown->context);
    keep_out(&ignored);
    __recut_self.data_stack = data_stack;
}

/* --- record ----------------------------------------------------------------------------- */

static void log_signal(const siginfo_t *info, uint64_t place, unsigned flags) {
    struct log_writer *log = &env_thread()->out;
    unsigned char *p = log_begin(log, EVENT_SIGNAL | flags, 40 + sizeof *info);
    if (!p)
        return;
    p = put_varint(put_varint(p, (uint64_t)info->si_signo), place);
    log_end(log, put_bytes(p, info, sizeof *info));
}

/* All below, up to __recut_async_on_signal: signals are kept out. */

/* The first that waits and is not blocked: one may be, in another's handler. */
static bool take_first(struct async_state *state, const sigset_t *mask, siginfo_t *ret) {
    uint32_t i = state->begin;
    while (i != state->end && sigismember(mask, state->signals[i % async_most].si_signo))
        i++;
    if (i == state->end)
        return false;
    *ret = state->signals[i % async_most];
    for (; i != state->begin; i--)
        state->signals[i % async_most] = state->signals[(i - 1) % async_most];
    state->begin++;
    return true;
}

static void arm(struct async_state *state) {
    if (!__recut_is_serial || state->is_armed)
        return;
    state->is_armed = true;
    state->ticks = __recut_self.ticks;
    __recut_self.ticks = 0;
}

static void disarm(struct async_state *state) {
    if (!state->is_armed)
        return;
    state->is_armed = false;
    __recut_self.ticks = state->ticks;
}

/* The program's mask is its own again if a full queue had closed it. */
static void reopen(struct async_state *state, sigset_t *mask) {
    if (state->is_full)
        *mask = state->mask;
    state->is_full = false;
}

/* The count is the program's when this begins. */
static void deliver(struct async_state *state, uint64_t place, sigset_t *mask) {
    siginfo_t info;
    reopen(state, mask);
    state->depth++;
    while (__recut_env_mode == ENV_RECORD && take_first(state, mask, &info)) {
        log_signal(&info, place, 0);
        place = signal_next(state->depth);
        run(&info, mask);
        disarm(state);
    }
    state->depth--;
    if (async_waits(state))
        arm(state);
}

/* No safe place: runs them where the program is. */
static void give_up(struct async_state *state, const sigset_t *mask) {
    siginfo_t info;
    __recut_env_stop("a signal", "its handler has to run where no call is made; recorded with "
                                 "--threads=serial it can");
    disarm(state);
    while (take_first(state, mask, &info))
        run(&info, mask);
}

/* The kernel sends a signal once more when the thread has worked for long without a safe
 * place; one timer for each thread will do. */
enum { patience = 100000000, reminder = 0x52435554 };

static int64_t now(void) {
    struct timespec time;
    raw_syscall3(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&time, 0);
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
        if (raw_syscall3(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, (long)&event, (long)&timer) !=
            0)
            return;
        state->timer = timer;
        state->timer_signal = event.sigev_signo;
    }
    raw_syscall6(SYS_timer_settime, state->timer, 0, (long)&once, 0, 0, 0);
}

static bool is_reminder(const siginfo_t *info) {
    return info->si_code == SI_TIMER && info->si_value.sival_int == reminder;
}

static void keep(struct async_state *state, const siginfo_t *info, sigset_t *mask) {
    bool is_first = !async_waits(state);
    for (uint32_t i = state->begin; i != state->end; i++) /* the kernel keeps one of each, too */
        if (info->si_signo < SIGRTMIN && state->signals[i % async_most].si_signo == info->si_signo)
            return;
    state->signals[state->end % async_most] = *info;
    __atomic_store_n(&state->end, state->end + 1, __ATOMIC_RELEASE);
    if (is_first) {
        state->since = now();
        remind(state);
    }
    arm(state);
    if (state->end - state->begin == async_most) { /* no more of them until a safe place */
        state->is_full = true;
        state->mask = *mask;
        sigfillset(mask);
    }
}

/* Outside: the handler is entered like any function that the environment calls.  It may have
 * come while another was about to be entered, whose arguments are in place; and none comes
 * until it is. */
static void run_outside(const siginfo_t *info, const sigset_t *mask) {
    struct sigaction action = __recut_action_take(info->si_signo);
    if (!action_is_handler(&action))
        return;
    struct env_thread *thread = env_thread();
    char *outside = thread->outside_stack;
    struct shown *shown = show(outside, info);
    uint64_t arguments[sizeof __recut_self.callback / sizeof *__recut_self.callback];
    sigset_t ignored;
    memcpy(arguments, __recut_self.callback, sizeof arguments);
    thread->outside_stack = (char *)shown;
    log_signal(info, 0, EVENT_OUTSIDE);
    /* What the kernel shows is the mask after the call. */
    const sigset_t *call_mask = thread->async.call_mask;
    thread->async.call_mask = NULL;
    thread->async.within = action_mask(&action, info->si_signo, call_mask ? call_mask : mask);
    thread->async.is_entering = true;
    action_call(&action, info->si_signo, &shown->info, &shown->context);
    keep_out(&ignored);
    thread->async.is_entering = false;
    thread->async.call_mask = call_mask;
    thread->outside_stack = outside;
    memcpy(__recut_self.callback, arguments, sizeof arguments);
}

void __recut_async_entered(void) {
    struct async_state *state = &env_thread()->async;
    state->is_entering = false;
    let_in(&state->within);
}

/* As if it had come by itself. */
static void run_here(siginfo_t *info, ucontext_t *context) {
    struct sigaction action = __recut_action_take(info->si_signo);
    if (!action_is_handler(&action))
        return;
    sigset_t within = action_mask(&action, info->si_signo, &context->uc_sigmask), ignored;
    let_in(&within);
    action_call(&action, info->si_signo, info, context);
    keep_out(&ignored);
}

static void on_reminder(struct env_thread *thread, ucontext_t *context) {
    struct async_state *state = &thread->async;
    bool is_late = !__recut_is_serial && now() - state->since >= patience - patience / 10;
    siginfo_t info;
    if (__recut_env_mode == ENV_OFF) { /* recording has ended, for whatever reason */
        disarm(state);
        while (take_first(state, &context->uc_sigmask, &info))
            run_here(&info, context);
    } else if (is_late && __recut_self.data_stack && !thread->out.is_writing)
        give_up(state, &context->uc_sigmask);
    else
        remind(state);
}

/* A replay is told by its log which signals come.  Others are for the replay, not for the
 * program: one that would end a program without handlers ends it. */
static void end_replay(int number) {
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    if (number == SIGCHLD || number == SIGWINCH || number == SIGURG || number == SIGCONT)
        return;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigaction(number, &fallback, NULL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

static bool is_from_self(const siginfo_t *info) {
    bool is_sent =
        info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
    return is_sent && info->si_pid == raw_syscall3(SYS_getpid, 0, 0, 0);
}

/* The kernel keeps all others out (async_action.c). */
void __recut_async_on_signal(int number, siginfo_t *info, void *context) {
    int saved = errno;
    struct env_thread *thread = __recut_self.env;
    sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
    bool is_from_program =
        is_from_self(info) && (!__recut_is_threaded || (thread && thread->async.is_sending));
    if (__recut_env_mode == ENV_REPLAY && !is_from_self(info))
        end_replay(number);
    else if (thread && is_reminder(info)) {
        if (async_waits(&thread->async))
            on_reminder(thread, context);
    } else if (__recut_env_mode != ENV_RECORD || !thread)
        run_here(info, context);
    else if (__recut_self.data_stack && !is_from_program)
        keep(&thread->async, info, mask);
    else if (!__recut_self.data_stack && thread->outside_stack)
        run_outside(info, mask);
    else
        run_here(info, context);
    errno = saved;
}

void __recut_async_outside(void) {
    struct async_state *state = &env_thread()->async;
    sigset_t mask;
    siginfo_t info;
    keep_out(&mask);
    disarm(state);
    reopen(state, &mask);
    while (take_first(state, &mask, &info))
        run_outside(&info, &mask);
    let_in(&mask);
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
    struct async_state *state = &env_thread()->async;
    struct sigaction action = __recut_action_take(info.si_signo);
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    state->within =
        action_mask(&action, info.si_signo, state->call_mask ? state->call_mask : &mask);
    show(__recut_self.data_stack, &info);
    state->is_shown = true;
}

/* Is the next event a signal at a safe place, here and now?  Where it is: format/log.h. */
static bool is_signal(struct log_reader *log, uint64_t *ret) {
    if (!log_next(log) || log->kind != EVENT_SIGNAL || log->flags & EVENT_OUTSIDE ||
        log->skips != log->skipped)
        return false;
    const unsigned char *begin = log->at;
    get_varint(log);
    *ret = get_varint(log);
    log->at = begin;
    return true;
}

static bool take_signal(struct log_reader *log, uint64_t place, const sigset_t *mask) {
    siginfo_t info;
    uint64_t recorded;
    if (!is_signal(log, &recorded) || recorded != place)
        return false;
    __recut_env_check_path(log, (struct diverge_place){"a signal", 0});
    uint64_t number = get_varint(log);
    get_varint(log);
    read_info(log, number, &info);
    run(&info, mask);
    return true;
}

static void take_signals(struct env_thread *thread, uint64_t place, const sigset_t *mask) {
    thread->async.depth++;
    while (take_signal(&thread->in, place, mask))
        place = signal_next(thread->async.depth);
    thread->async.depth--;
}

void __recut_async_expect(void) {
    struct env_thread *thread = __recut_self.env;
    uint64_t place;
    if (thread->async.is_armed || !is_signal(&thread->in, &place) || !signal_is_at_tick(place))
        return;
    int32_t left = signal_count(place);
    thread->async.is_armed = true;
    thread->async.ticks = left;
    __recut_self.ticks -= left + 1;
}

/* --- safe places ------------------------------------------------------------------------ */

/* A call that left nothing in the log is counted when the next one is made: signals that come
 * before that are told apart from those that came before the call. */
static void count_silent(struct env_thread *thread) {
    const struct async_state *state = &thread->async;
    if (!state->called)
        return;
    if (__recut_env_mode == ENV_RECORD && thread->out.events == state->events)
        env_skip(&thread->out, state->called);
    if (__recut_env_mode == ENV_REPLAY && thread->in.events == state->events)
        env_skips(&thread->in, state->called);
}

void __recut_async_at_call(uint64_t place) {
    struct env_thread *thread = __recut_self.env;
    if (!thread || thread->section.depth > thread->section.base || !env_is_from_program(place))
        return;
    count_silent(thread);
    sigset_t mask;
    uint64_t where;
    if (__recut_env_mode == ENV_RECORD && async_waits(&thread->async)) {
        keep_out(&mask);
        disarm(&thread->async);
        deliver(&thread->async, SIGNAL_AT_CALL, &mask);
        let_in(&mask);
    } else if (__recut_env_mode == ENV_REPLAY && is_signal(&thread->in, &where)) {
        keep_out(&mask);
        take_signals(thread, SIGNAL_AT_CALL, &mask);
        let_in(&mask);
    }
    thread->async.called = place;
    thread->async.events = __recut_env_mode == ENV_REPLAY ? thread->in.events : thread->out.events;
}

static bool at_tick(struct env_thread *thread, int32_t weight, sigset_t *mask) {
    struct async_state *state = &thread->async;
    if (!state->is_armed)
        return false;
    disarm(state);
    if (__recut_env_mode == ENV_RECORD && __recut_self.ticks >= 0)
        __recut_self.ticks -= weight; /* this one; it may have come by count as well */
    if (__recut_self.ticks < 0)
        __recut_self.ticks = -1;
    int32_t left = __recut_self.ticks;
    uint64_t place = signal_at_tick(left);
    if (__recut_env_mode == ENV_RECORD)
        deliver(state, place, mask);
    else if (__recut_env_mode == ENV_REPLAY)
        take_signals(thread, place, mask);
    return left >= 0;
}

/* A program without handlers is spared the kernel's part. */
bool __recut_async_tick_begins(int32_t weight, sigset_t *mask) {
    struct env_thread *thread = __recut_self.env;
    thread->async.is_ticking = __recut_action_any;
    if (!thread->async.is_ticking)
        return true;
    keep_out(mask);
    if (!at_tick(thread, weight, mask))
        return true;
    let_in(mask);
    return false;
}

void __recut_async_set_count(int32_t count) {
    struct async_state *state = &env_thread()->async;
    if (__recut_env_mode == ENV_RECORD && state->is_armed)
        state->ticks = count;
    else
        __recut_self.ticks = count;
}

void __recut_async_tick_ends(const sigset_t *mask) {
    if (__recut_env_mode == ENV_REPLAY)
        __recut_async_expect();
    if (env_thread()->async.is_ticking)
        let_in(mask);
}

void __recut_async_forked(void) {
    struct async_state *state = &env_thread()->async;
    sigset_t mask;
    keep_out(&mask);
    disarm(state);
    reopen(state, &mask);
    *state = (struct async_state){0};
    let_in(&mask);
}
