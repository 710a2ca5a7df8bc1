/* Who may run?  See baton.h. */
#include "runtime/baton.h"

#include <cpuid.h>
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>

#include "format/layout.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

bool __recut_is_serial;

/* About as often as a kernel would: some hundred microseconds. */
enum { usual_count = 100000 };

/* --- counts ----------------------------------------------------------------------------- */

static uint64_t chaos;

/* xorshift64*, of the thread's own: a replay draws the same. */
static uint64_t draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dULL;
}

/* Each seed has a pace of its own, since what is rare for one that switches all the time is
 * not for one that switches now and then; and now and then a thread stands still for long. */
static int32_t next_count(void) {
    static const uint32_t paces[] = {4, 12, 36, 108, 324, 4000};
    if (!chaos)
        return usual_count;
    uint32_t pace = paces[chaos % (sizeof paces / sizeof *paces)];
    uint64_t random = draw(&__recut_self.random) >> 11;
    return (int32_t)(random / 8 % (random % 8 ? pace : 16 * pace));
}

/* What tick.S saves of the registers that code may use, and how much room that takes. */
uint32_t __recut_tick_state;
uint64_t __recut_tick_area = 512;

static void find_registers(void) {
    enum { has_xsave = 1 << 27, saved = 0xe7 /* x87, SSE, AVX, AVX-512 */, wide = 0xe0 };
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & has_xsave))
        return;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    __recut_tick_state = a & saved;
    __recut_tick_area = a & wide ? 2752 : 1024;
}

void __recut_baton_init(uint64_t seed) {
    find_registers();
    __recut_is_serial = true;
    chaos = seed;
    __recut_baton_thread(0);
}

uint64_t __recut_baton_seed(void) { return chaos; }

void __recut_baton_thread(uint32_t number) {
    __recut_self.random = (chaos + number) * 0x9e3779b97f4a7c15ULL | 1;
    __recut_self.ticks = next_count();
}

/* --- the baton -------------------------------------------------------------------------- */

/* Threads that wait for it, first come first served: the baton is handed over, and never
 * lies about for whoever is quickest. */
static struct {
    uint32_t lock;
    bool is_taken, is_dissolved;
    uint32_t count;
    uint32_t arrived; /* threads that wait, or waited, for the first time */
    struct baton_waiter {
        uint32_t has_it;
    } *queue[RECUT_MAX_THREADS];
    uint64_t random;
} baton;

static void lock(void) {
    while (__atomic_exchange_n(&baton.lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}
static void unlock(void) { __atomic_store_n(&baton.lock, 0, __ATOMIC_RELEASE); }

static void hand_over(struct baton_waiter *waiter) {
    __atomic_store_n(&waiter->has_it, 1, __ATOMIC_RELEASE);
    raw_syscall3(SYS_futex, (long)&waiter->has_it, FUTEX_WAKE_PRIVATE, 1);
}

static void wait_for(const struct baton_waiter *self) {
    while (!__atomic_load_n(&self->has_it, __ATOMIC_ACQUIRE))
        raw_syscall6(SYS_futex, (long)&self->has_it, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

void __recut_baton_take(void) {
    struct baton_waiter self = {0};
    bool is_first = !env_thread()->section.base;
    lock();
    if (!baton.is_taken || baton.is_dissolved) {
        baton.is_taken = true;
        unlock();
        return;
    }
    baton.queue[baton.count++] = &self;
    if (is_first)
        __atomic_add_fetch(&baton.arrived, 1, __ATOMIC_RELEASE);
    unlock();
    wait_for(&self);
}

/* Locked: takes one out of the queue. */
static struct baton_waiter *choose(void) {
    if (chaos && !baton.random)
        baton.random = chaos * 0x2545f4914f6cdd1dULL | 1;
    uint32_t chosen = chaos ? (uint32_t)(draw(&baton.random) >> 33) % baton.count : 0;
    struct baton_waiter *next = baton.queue[chosen];
    baton.count--;
    for (uint32_t i = chosen; i < baton.count; i++)
        baton.queue[i] = baton.queue[i + 1];
    return next;
}

void __recut_baton_give(void) {
    lock();
    struct baton_waiter *next = baton.count ? choose() : NULL;
    baton.is_taken = next != NULL;
    unlock();
    if (next)
        hand_over(next);
}

/* Gives it and waits to get it again, in one step: who comes next does not depend on who
 * is quick. */
static void pass_on(void) {
    struct baton_waiter self = {0};
    lock();
    if (!baton.count || baton.is_dissolved) {
        unlock();
        return;
    }
    struct baton_waiter *next = choose();
    baton.queue[baton.count++] = &self;
    unlock();
    hand_over(next);
    wait_for(&self);
}

void __recut_baton_await(uint32_t count) {
    while (__atomic_load_n(&baton.arrived, __ATOMIC_ACQUIRE) < count && !baton.is_dissolved)
        raw_syscall3(SYS_sched_yield, 0, 0, 0);
}

void __recut_baton_forked(void) { baton.count = baton.lock = 0; }

void __recut_baton_dissolve(void) {
    lock();
    baton.is_dissolved = true;
    while (baton.count)
        hand_over(baton.queue[--baton.count]);
    unlock();
}

/* --- ticks ------------------------------------------------------------------------------ */

/* The program is at a place where it may be switched. */
static void switch_at(uint64_t place) {
    int saved = errno;
    if (__recut_env_mode == ENV_RECORD) {
        pass_on();
        if (__recut_env_mode == ENV_RECORD)
            __recut_order_note(ORDER_RUNTIME, place);
    } else if (__recut_env_mode == ENV_REPLAY) {
        __recut_order_done(ORDER_RUNTIME);
        __recut_order_wait(ORDER_RUNTIME, place);
    }
    errno = saved;
}

static void count_tick(struct env_thread *thread, uint64_t place) {
    if (__recut_is_threaded)
        switch_at(place);
    else if (__recut_env_mode == ENV_RECORD)
        env_skip(&thread->out, place); /* signals name the tick that they come at */
    else if (!env_skips(&thread->in, place) && thread->in.kind == EVENT_END)
        __recut_env_at_end(&thread->in, (struct diverge_place){"a loop", place});
}

void __recut_ticked(uint64_t place, int32_t weight) {
    struct env_thread *thread = __recut_self.env;
    sigset_t mask;
    if (thread && !__recut_async_tick_begins(weight, &mask))
        return;
    if (!thread) {
        __recut_self.ticks = next_count();
        return;
    }
    __recut_async_set_count(next_count());
    if (__recut_env_mode != ENV_OFF && thread->section.depth <= thread->section.base)
        count_tick(thread, place);
    __recut_async_tick_ends(&mask);
}

void __recut_baton_chance(uint64_t place) {
    struct env_thread *thread = __recut_self.env;
    if (chaos && thread && thread->section.depth == 1 && draw(&__recut_self.random) >> 62 == 0)
        switch_at(place);
}
