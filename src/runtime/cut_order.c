/*
 * In which order do threads cross a cut?  See cut.h.
 *
 * One counter for all.  In a recording a crossing is made with a lock, under which it gets its
 * number and its event.  In a replay a thread waits until the counter is at the number of its next
 * crossing.  A thread whose log is at its end stays where it is; when no thread can go on, the log
 * of the run is at its end.  Crossings without an event behind the last event of a thread may have
 * been made or not: they are, where the number is not another thread's.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>

#include "runtime/cut_impl.h"
#include "runtime/raw.h"

static _Atomic uint32_t lock_word; /* 0 free, 1 taken, 2 taken and waited for */
static _Atomic uint64_t numbers;   /* the next number; replay: of the crossing that is next */

/* Replay: by stream, which number a thread waits for, with how it does; or that it does not, or
 * for ever. */
#define GOES_ON UINT64_MAX
#define PARKED (UINT64_MAX - 1)
#define UNSURE (1ULL << 63)  /* it may be that of another thread */
#define REACHES (1ULL << 62) /* or a later one */
static struct waiter {
    _Atomic uint64_t said;
    _Atomic uint32_t changes; /* that it was told of, to wait for */
} *waiters;
static uint32_t stream_count;

static void wait_on(_Atomic uint32_t *word, uint32_t seen) {
    raw_syscall6(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
}

static void wake(_Atomic uint32_t *word, int count) {
    raw_syscall3(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, count);
}

static void lock(void) {
    uint32_t seen = 0;
    if (atomic_compare_exchange_strong(&lock_word, &seen, 1))
        return;
    for (unsigned i = 0; i < 100 && seen != 2; i++) {
        __builtin_ia32_pause();
        seen = 0;
        if (atomic_compare_exchange_strong(&lock_word, &seen, 1))
            return;
    }
    while (atomic_exchange(&lock_word, 2) != 0)
        wait_on(&lock_word, 2);
}

static void unlock(void) {
    if (atomic_exchange(&lock_word, 0) == 2)
        wake(&lock_word, 1);
}

/* --- record ----------------------------------------------------------------------------------- */

static void record_begin(struct env_thread *thread, bool is_silent) {
    thread->cut.busy++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->cut.is_locked = !__recut_cut_is_alone();
    if (thread->cut.is_locked)
        lock();
    uint64_t number = atomic_load_explicit(&numbers, memory_order_relaxed);
    atomic_store_explicit(&numbers, number + 1, memory_order_relaxed);
    bool is_first = thread->cut.is_atomic && !thread->cut.counts;
    if (number != thread->cut.next || is_first) {
        unsigned char *p =
            log_begin(&thread->out, EVENT_ORDER | (is_silent ? EVENT_OUTSIDE : 0), 20);
        if (p)
            log_end(&thread->out, put_varint(put_varint(p, is_silent ? thread->cut.silents : 0),
                                             number - thread->cut.next));
        thread->cut.silents = 0;
    } else {
        thread->cut.silents = is_silent ? thread->cut.silents + 1 : 0;
    }
    thread->cut.next = number + 1;
}

/* --- replay ----------------------------------------------------------------------------------- */

static void replay_ends(struct env_thread *thread, struct diverge_place now) {
    unlock();
    __recut_replay_ends(&thread->in, now);
}

/* What a thread said, which it may change without the lock when it goes on: so it is read once. */
static bool goes_on(uint64_t said, uint64_t now) {
    if (said == GOES_ON || said == now)
        return true;
    return said != PARKED && !(said & UNSURE) && said & REACHES && (said & ~REACHES) <= now;
}

/* Locked: is there a thread that can go on, or will when it has seen what is there? */
static bool any_goes_on(void) {
    uint64_t before = numbers;
    for (uint32_t i = 0; i < stream_count; i++)
        if (goes_on(waiters[i].said, before))
            return true;
    return numbers != before; /* somebody did since */
}

/* Locked: the same, if nobody is sure to. */
static bool any_may_go_on(void) {
    for (uint32_t i = 0; i < stream_count; i++)
        if (waiters[i].said == (numbers | UNSURE))
            return true;
    return false;
}

static void tell(struct waiter *waiter) {
    waiter->changes++;
    wake(&waiter->changes, 1);
}

/* Those whom it concerns that `numbers` is what it is now. */
static void tell_waiters(void) {
    uint64_t now = numbers;
    for (uint32_t i = 0; i < stream_count; i++) {
        uint64_t said = waiters[i].said;
        if (said != GOES_ON && said != PARKED && (said & UNSURE || goes_on(said, now)))
            tell(&waiters[i]);
    }
}

/* Most turns come soon. */
static void spin_for(uint64_t number) {
    enum { spins = 200 };
    for (unsigned i = 0; i < spins && numbers != number; i++)
        __builtin_ia32_pause();
}

/* Locked, a thread stops here; one that is unsure may have waited for that.  False: nobody goes on.
 */
static bool stop_here(struct env_thread *thread, uint64_t said) {
    waiters[thread->cut.stream].said = said;
    if (any_goes_on())
        return true;
    if (!any_may_go_on())
        return false;
    tell_waiters();
    return true;
}

static void wait_for(struct env_thread *thread, uint64_t number) {
    struct waiter *waiter = &waiters[thread->cut.stream];
    spin_for(number);
    while (numbers != number) {
        uint32_t seen = waiter->changes;
        lock();
        if (!stop_here(thread, number))
            replay_ends(thread, (struct diverge_place){NULL, 0});
        unlock();
        if (numbers != number)
            wait_on(&waiter->changes, seen);
    }
    waiter->said = GOES_ON;
}

/* The log of the thread is at its end.  It may have crossed without an event before the run ended,
 * or have been on its way: then another thread has this number, or none. */
static void wait_unsure(struct env_thread *thread, uint64_t number) {
    struct waiter *waiter = &waiters[thread->cut.stream];
    for (;;) {
        uint32_t seen = waiter->changes;
        lock();
        if (numbers > number) {
            unlock();
            __recut_cut_order_park(thread, (struct diverge_place){NULL, 0});
        }
        if (!stop_here(thread, number | UNSURE))
            replay_ends(thread, (struct diverge_place){NULL, 0});
        bool is_mine = numbers == number && !any_goes_on();
        if (is_mine)
            waiter->said = GOES_ON;
        unlock();
        if (is_mine)
            return;
        wait_on(&waiter->changes, seen);
    }
}

/* Is the next event the ORDER of this crossing?  Of several that have no events, it says which. */
static bool is_told(struct env_thread *thread, bool is_silent) {
    struct log_reader *log = &thread->in;
    if (!log_next(log) || log->kind != EVENT_ORDER || log->repeats != log->repeated ||
        !(log->flags & EVENT_OUTSIDE) != !is_silent)
        return false;
    const unsigned char *at = log->at;
    uint64_t silents = get_varint(log);
    log->at = at;
    return silents == (is_silent ? thread->cut.silents : 0);
}

static void replay_begin(struct env_thread *thread, bool is_silent) {
    struct log_reader *log = &thread->in;
    if (thread->cut.is_turn)
        return;
    uint64_t number = thread->cut.next;
    bool is_sure = is_told(thread, is_silent);
    if (is_sure) {
        get_varint(log);
        number += get_varint(log);
        __recut_cut_take(thread);
        thread->cut.silents = 0;
    } else {
        thread->cut.silents = is_silent ? thread->cut.silents + 1 : 0;
        is_sure = log_next(log);
    }
    thread->cut.next = number + 1;
    if (stream_count > 1 && is_sure)
        wait_for(thread, number);
    else if (stream_count > 1)
        wait_unsure(thread, number);
    thread->cut.is_turn = true;
}

void __recut_cut_order_peek(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    if (log_next(log) && log->kind != EVENT_DONE && log->kind != EVENT_LOAD &&
        log->kind != EVENT_CRASH && log->kind != EVENT_LOST)
        replay_begin(thread, false);
}

void __recut_cut_order_begin(struct env_thread *thread, bool is_silent) {
    if (__recut_cut_mode == CUT_REPLAY)
        replay_begin(thread, is_silent);
    else
        record_begin(thread, is_silent);
}

void __recut_cut_order_end(struct env_thread *thread) {
    if (__recut_cut_mode != CUT_REPLAY) {
        if (thread->cut.is_locked)
            unlock();
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread->cut.busy--;
        return;
    }
    thread->cut.is_turn = false;
    numbers = thread->cut.next;
    if (stream_count > 1)
        tell_waiters();
}

/* --- atomic operations ------------------------------------------------------------------------ */

/* Where threads of replay space see what others did before, without a call that has a number.
 *
 * As long as main is alone there is nothing to order, and most programs are: its first one that is
 * counted has an ORDER event, whatever its number.  That of a replay knows it by that: no ORDER is
 * in its stream before, and the call that made the other thread is an event.
 *
 * Nobody asks before a crossing, behind which it may be otherwise, has seen another thread. */

static __attribute__((noinline)) void enter_counted(struct env_thread *thread,
                                                    const void *address) {
    int error = errno;
    /* A thread that dies of it is not to have the lock. */
    (void)*(const volatile char *)address;
    thread->cut.is_atomic = true;
    __recut_cut_order_begin(thread, true);
    thread->cut.counts = true;
    errno = error;
}

/* Is there anything to count?  The code of the program looks before it calls. */
uint8_t __recut_cut_has_order;

void __recut_cut_order_look(void) {
    if (!__recut_cut_is_alone())
        __recut_cut_has_order = 1;
}

QUICK void __recut_cut_atomic_enter(const void *address);
QUICK void __recut_cut_atomic_enter(const void *address) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread || !__recut_self.inside || thread->cut.is_atomic)
        return;
    bool is_counted = __recut_cut_mode == CUT_REPLAY
                          ? thread->cut.counts || is_told(thread, true)
                          : thread->cut.counts || !__recut_cut_is_alone();
    if (is_counted)
        enter_counted(thread, address);
}

static __attribute__((noinline)) void leave_counted(struct env_thread *thread) {
    int error = errno;
    thread->cut.is_atomic = false;
    __recut_cut_order_end(thread);
    errno = error;
}

QUICK void __recut_cut_atomic_leave(void);
QUICK void __recut_cut_atomic_leave(void) {
    struct env_thread *thread = env_thread();
    if (thread && thread->cut.is_atomic)
        leave_counted(thread);
}

uint64_t __recut_cut_order_now(void) { return numbers; }

void __recut_cut_order_reach(uint64_t number) {
    if (stream_count <= 1)
        return;
    struct waiter *waiter = &waiters[env_thread()->cut.stream];
    bool is_possible = true;
    while (numbers < number && is_possible) {
        uint32_t seen = waiter->changes;
        lock();
        is_possible = stop_here(env_thread(), number | REACHES);
        unlock();
        if (numbers < number && is_possible)
            wait_on(&waiter->changes, seen);
    }
    waiter->said = GOES_ON;
}

void __recut_cut_order_threads(uint32_t count) {
    waiters = raw_scratch(count * sizeof *waiters);
    for (uint32_t i = 0; waiters && i < count; i++)
        waiters[i].said = GOES_ON;
    stream_count = waiters ? count : 1;
    __recut_cut_has_order = stream_count > 1;
}

void __recut_cut_order_park(struct env_thread *thread, struct diverge_place now) {
    if (thread->in.damaged)
        __recut_replay_damaged(&thread->in);
    if (stream_count <= 1)
        __recut_replay_ends(&thread->in, now);
    lock();
    if (!stop_here(thread, PARKED))
        replay_ends(thread, now);
    unlock();
    for (;;)
        raw_syscall3(SYS_pause, 0, 0, 0);
}
