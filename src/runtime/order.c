/* Whose turn is it?  See order.h. */
#include "runtime/order.h"

#include <linux/futex.h>
#include <time.h>

#include "format/layout.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

static struct counter {
    uint64_t next;
    uint32_t waiters;
    uint32_t locked;
    uint64_t writes; /* record: operations that may have changed what the counter is for */
} __attribute__((aligned(64))) counters[order_count];

/* --- record --------------------------------------------------------------------------- */

static bool take(unsigned counter, uint64_t *ret_ahead) {
    uint64_t number = __atomic_fetch_add(&counters[counter].next, 1, __ATOMIC_SEQ_CST);
    uint64_t *last = &env_thread()->order[counter];
    *ret_ahead = number - *last;
    *last = number + 1;
    return *ret_ahead == 0;
}

static void log_order(unsigned counter, uint64_t ahead, unsigned flags) {
    struct log_writer *log = &env_thread()->out;
    unsigned char *p = log_begin(log, EVENT_ORDER | flags, 20);
    if (p)
        log_end(log, put_varint(put_varint(p, counter), ahead));
}

static void note(unsigned counter, uint64_t place) {
    uint64_t ahead;
    if (take(counter, &ahead))
        env_skip(&env_thread()->out, place);
    else
        log_order(counter, ahead, 0);
}

static uint32_t is_stopped;

/* Who has a number after that of the thread that stopped all sees that it did: taking a number
 * is a barrier, there and here. */
static void wait_until_all_go_on(void) {
    while (__atomic_load_n(&is_stopped, __ATOMIC_SEQ_CST))
        raw_syscall3(SYS_sched_yield, 0, 0, 0);
}

void __recut_order_note(unsigned counter, uint64_t place) {
    note(counter, place);
    if (__builtin_expect(__atomic_load_n(&is_stopped, __ATOMIC_RELAXED), 0))
        wait_until_all_go_on();
}

bool __recut_order_note_entry(uint64_t place) {
    uint64_t ahead;
    if (!take(ORDER_RUNTIME, &ahead)) {
        log_order(ORDER_RUNTIME, ahead, 0);
        return false;
    }
    env_skip(&env_thread()->out, place);
    return true;
}

void __recut_order_tell_entry(void) { log_order(ORDER_RUNTIME, 0, 0); }

void __recut_order_note_return(void) {
    uint64_t ahead;
    if (!take(ORDER_RUNTIME, &ahead))
        log_order(ORDER_RUNTIME, ahead, EVENT_OUTSIDE);
}

static void lock(unsigned counter) {
    while (__atomic_exchange_n(&counters[counter].locked, 1, __ATOMIC_ACQUIRE))
        raw_syscall3(SYS_sched_yield, 0, 0, 0);
}

void __recut_order_lock(unsigned counter, uint64_t place) {
    lock(counter);
    note(counter, place);
}

void __recut_order_lock_told(unsigned counter) {
    uint64_t ahead;
    lock(counter);
    take(counter, &ahead);
    log_order(counter, ahead, 0);
}

void __recut_order_unlock(unsigned counter) {
    __atomic_store_n(&counters[counter].locked, 0, __ATOMIC_RELEASE);
}

/* Operations that one thread at a time does are over with their locks. */
void __recut_order_stop(void) {
    __atomic_store_n(&is_stopped, 1, __ATOMIC_SEQ_CST);
    for (unsigned counter = ORDER_RUNTIME + 1; counter < order_count; counter++) {
        uint64_t ahead;
        lock(counter);
        if (!take(counter, &ahead))
            log_order(counter, ahead, 0);
    }
}

void __recut_order_go_on(void) {
    for (unsigned counter = ORDER_RUNTIME + 1; counter < order_count; counter++)
        __recut_order_unlock(counter);
    __atomic_store_n(&is_stopped, 0, __ATOMIC_SEQ_CST);
}

void __recut_order_stopped_child(void) {
    for (unsigned counter = ORDER_RUNTIME + 1; counter < order_count; counter++)
        counters[counter].next = env_thread()->order[counter];
}

void __recut_order_write(unsigned counter) {
    __atomic_add_fetch(&counters[counter].writes, 1, __ATOMIC_SEQ_CST);
}

uint64_t __recut_order_writes(unsigned counter) {
    return __atomic_load_n(&counters[counter].writes, __ATOMIC_SEQ_CST);
}

uint64_t __recut_order_now(unsigned counter) {
    return __atomic_load_n(&counters[counter].next, __ATOMIC_SEQ_CST);
}

/* --- replay --------------------------------------------------------------------------- */

static uint32_t live = 1, blocked;
static uint64_t progress; /* turns that are over */

void __recut_order_thread(int more) { __atomic_add_fetch(&live, (uint32_t)more, __ATOMIC_SEQ_CST); }

bool __recut_order_is_alone(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST) == 1; }

void __recut_order_await_others(void) {
    enum { most_rounds = 10000 };
    static const struct timespec a_while = {0, 1000000};
    for (unsigned i = 0; i < most_rounds && !__recut_order_is_alone(); i++)
        raw_syscall3(SYS_nanosleep, (long)&a_while, 0, 0);
}

/* What each thread waits for, by slot: a number of a counter, or something else. */
enum { runs = 0, waits_for_turn, waits_for_libc, waits_for_end, is_parked };
static struct wait {
    uint32_t what;
    uint32_t counter;
    uint64_t number;
} waits[RECUT_MAX_THREADS];
static uint32_t most_slots = 1;

static void set_wait(uint32_t what, unsigned counter, uint64_t number) {
    struct wait *wait = &waits[__recut_self.slot];
    wait->counter = counter;
    wait->number = number;
    __atomic_store_n(&wait->what, what, __ATOMIC_SEQ_CST);
    uint32_t most = __atomic_load_n(&most_slots, __ATOMIC_RELAXED);
    while (most <= __recut_self.slot &&
           !__atomic_compare_exchange_n(&most_slots, &most, __recut_self.slot + 1, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    if (what == runs)
        __atomic_sub_fetch(&blocked, 1, __ATOMIC_SEQ_CST);
    else
        __atomic_add_fetch(&blocked, 1, __ATOMIC_SEQ_CST);
}

void __recut_order_forked(void) {
    live = 1;
    blocked = 0;
    memset(waits, 0, sizeof waits);
    for (unsigned i = 0; i < order_count; i++)
        counters[i].waiters = 0;
}

void __recut_order_block(void) { set_wait(waits_for_libc, 0, 0); }
void __recut_order_block_on(uint32_t slot) { set_wait(waits_for_end, slot, 0); }
void __recut_order_unblock(void) { set_wait(runs, 0, 0); }

/* Can one of those that wait go on?  Of what libc does we know nothing. */
static bool can_go_on(bool *ret_unsure) {
    uint32_t most = __atomic_load_n(&most_slots, __ATOMIC_SEQ_CST);
    for (uint32_t slot = 0; slot < most; slot++) {
        uint32_t what = __atomic_load_n(&waits[slot].what, __ATOMIC_SEQ_CST);
        *ret_unsure |= what == waits_for_libc;
        /* Is the thread that it waits for gone? */
        if (what == waits_for_end && waits[slot].counter != __recut_self.slot &&
            __atomic_load_n(&waits[waits[slot].counter].what, __ATOMIC_SEQ_CST) == runs)
            return true;
        if (what == waits_for_turn && __recut_order_now(waits[slot].counter) >= waits[slot].number)
            return true;
    }
    return false;
}

/* How long a thread has waited, in rounds of sleep_on(). */
struct patience {
    uint64_t seen;
    unsigned all_wait, nothing_happens;
};

/* Some thread runs, and may for ever. */
static void tell_of_silence(void) {
    static uint32_t is_told;
    if (!__atomic_exchange_n(&is_told, 1, __ATOMIC_RELAXED))
        __recut_say("the replay goes on, but one thread has waited for another for 20 seconds. If "
                    "that one waits for memory to change, a race has led the replay astray: "
                    "record with --threads=serial",
                    NULL);
}

/* Everybody waits, and has done so for a while: nobody will be the first. */
static bool is_over(struct patience *patience) {
    enum { enough = 3, more_than_enough = 20, worth_a_word = 200 };
    uint64_t now = __atomic_load_n(&progress, __ATOMIC_SEQ_CST);
    bool is_unsure = false;
    bool all =
        __atomic_load_n(&blocked, __ATOMIC_SEQ_CST) >= __atomic_load_n(&live, __ATOMIC_SEQ_CST) &&
        !can_go_on(&is_unsure);
    bool is_silent = now == patience->seen;
    patience->seen = now;
    patience->all_wait = all && is_silent ? patience->all_wait + 1 : 0;
    patience->nothing_happens = is_silent ? patience->nothing_happens + 1 : 0;
    if (patience->nothing_happens == worth_a_word)
        tell_of_silence();
    return patience->all_wait >= (is_unsure ? more_than_enough : enough);
}

static void sleep_on(uint32_t *word, uint32_t value) {
    static const struct timespec while_ = {0, 100000000};
    raw_syscall6(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, (long)&while_, 0, 0);
}

/* Waits until the counter is at `number`, or beyond. */
static void wait_until(unsigned counter, uint64_t number, struct diverge_place now) {
    enum { spins = 2000 };
    struct counter *at = &counters[counter];
    for (unsigned i = 0; i < spins; i++) {
        if (__atomic_load_n(&at->next, __ATOMIC_ACQUIRE) >= number)
            return;
        __builtin_ia32_pause();
    }
    struct patience patience = {0};
    set_wait(waits_for_turn, counter, number);
    __atomic_add_fetch(&at->waiters, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        uint64_t next = __atomic_load_n(&at->next, __ATOMIC_SEQ_CST);
        if (next >= number)
            break;
        sleep_on((uint32_t *)&at->next, (uint32_t)next);
        if (is_over(&patience))
            __recut_replay_ends(&env_thread()->in, now);
    }
    __atomic_sub_fetch(&at->waiters, 1, __ATOMIC_SEQ_CST);
    set_wait(runs, 0, 0);
}

void __recut_order_reach(unsigned counter, uint64_t number) {
    wait_until(counter, number, (struct diverge_place){NULL, 0});
}

static void wait_turn(unsigned counter, uint64_t ahead, uint64_t place) {
    uint64_t *last = &env_thread()->order[counter];
    struct diverge_place now = {"an operation that orders threads", place};
    *last += ahead;
    wait_until(counter, *last, now);
    if (__atomic_load_n(&counters[counter].next, __ATOMIC_SEQ_CST) != *last)
        __recut_diverge_number(&env_thread()->in, "order of threads", (int64_t)*last,
                               (int64_t)__recut_order_now(counter), now);
    ++*last;
}

/* Is the next event an ORDER, and of this operation?  Then takes it. */
static bool take_order(unsigned counter, unsigned flags, uint64_t place, uint64_t *ret_ahead) {
    struct log_reader *log = &env_thread()->in;
    if (!log_next(log) || log->kind != EVENT_ORDER || log->skips != log->skipped ||
        (log->flags & EVENT_OUTSIDE) != flags)
        return false;
    __recut_env_check_path(log, (struct diverge_place){NULL, place});
    uint64_t recorded = get_varint(log);
    if (recorded != counter)
        __recut_diverge_number(log, "object that orders threads", (int64_t)recorded, counter,
                               (struct diverge_place){NULL, place});
    *ret_ahead = get_varint(log);
    __recut_env_expected(log);
    return true;
}

bool __recut_order_wait_told(unsigned counter, uint64_t place) {
    uint64_t ahead;
    if (!take_order(counter, 0, place, &ahead))
        return false;
    wait_turn(counter, ahead, place);
    return true;
}

void __recut_order_wait(unsigned counter, uint64_t place) {
    struct log_reader *log = &env_thread()->in;
    uint64_t ahead = 0;
    bool is_known = take_order(counter, 0, place, &ahead) || env_skips(log, place);
    if (!is_known && log->kind == EVENT_END)
        __recut_order_park();
    if (!is_known)
        __recut_diverge(log, "event", "a call", "an operation that orders threads",
                        (struct diverge_place){NULL, place});
    wait_turn(counter, ahead, place);
}

void __recut_order_wait_all(uint64_t place) {
    struct log_reader *log = &env_thread()->in;
    unsigned counter = ORDER_RUNTIME + 1;
    while (log_next(log) && log->kind == EVENT_ORDER && log->skips == log->skipped &&
           !(log->flags & EVENT_OUTSIDE)) {
        __recut_env_check_path(log, (struct diverge_place){NULL, place});
        uint64_t told = get_varint(log), ahead = get_varint(log);
        if (log->damaged || told < counter || told >= order_count)
            __recut_replay_damaged(log);
        __recut_env_expected(log);
        for (; counter < told; counter++)
            wait_turn(counter, 0, place);
        wait_turn(counter++, ahead, place);
    }
    for (; counter < order_count; counter++)
        wait_turn(counter, 0, place);
}

void __recut_order_done_all(void) {
    for (unsigned counter = ORDER_RUNTIME + 1; counter < order_count; counter++)
        __recut_order_done(counter);
}

bool __recut_order_await_rest(void) {
    enum { enough = 5, more_than_enough = 50, most_rounds = 60000 };
    static const struct timespec a_while = {0, 1000000};
    uint64_t seen = 0;
    unsigned rounds = 0;
    for (unsigned i = 0; i < most_rounds; i++) {
        uint64_t now = __atomic_load_n(&progress, __ATOMIC_SEQ_CST);
        bool is_unsure = false;
        bool all = __atomic_load_n(&blocked, __ATOMIC_SEQ_CST) + 1 >=
                       __atomic_load_n(&live, __ATOMIC_SEQ_CST) &&
                   !can_go_on(&is_unsure);
        rounds = all && now == seen ? rounds + 1 : 0;
        seen = now;
        if (rounds >= (is_unsure ? more_than_enough : enough))
            return true;
        raw_syscall3(SYS_nanosleep, (long)&a_while, 0, 0);
    }
    return false;
}

/* Where it is not told, the entry is among the calls that need no log, or goes with the
 * event of the call. */
void __recut_order_wait_entry(uint64_t place) {
    struct log_reader *log = &env_thread()->in;
    uint64_t ahead = 0;
    if (!take_order(ORDER_RUNTIME, 0, place, &ahead) && !env_skips(log, place) &&
        log->kind == EVENT_END)
        __recut_order_park();
    wait_turn(ORDER_RUNTIME, ahead, place);
}

void __recut_order_wait_return(uint64_t place) {
    uint64_t ahead = 0;
    if (!log_next(&env_thread()->in))
        __recut_order_park();
    take_order(ORDER_RUNTIME, EVENT_OUTSIDE, place, &ahead);
    wait_turn(ORDER_RUNTIME, ahead, place);
}

void __recut_order_done(unsigned counter) {
    struct counter *at = &counters[counter];
    __atomic_store_n(&at->next, env_thread()->order[counter], __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&progress, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&at->waiters, __ATOMIC_SEQ_CST))
        raw_syscall3(SYS_futex, (long)&at->next, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

void __recut_order_park(void) {
    static uint32_t never;
    struct log_reader *log = &env_thread()->in;
    struct patience patience = {0};
    set_wait(is_parked, 0, 0);
    while (!is_over(&patience))
        sleep_on(&never, 0);
    __recut_replay_ends(log, (struct diverge_place){NULL, 0});
}
