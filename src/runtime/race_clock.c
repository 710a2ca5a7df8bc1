/*
 * What happens before what?  See race.h.
 *
 * A thread has a vector clock: how much it knows of what each thread did.  Its own entry
 * goes up each time it gives its clock to others.  Objects that order threads have clocks,
 * too, which are found in the shadow of their addresses (race.c), and so are gone when
 * their memory is freed.
 *
 * Atomic operations follow C11 as far as it matters: what a store releases, loads that
 * acquire get; relaxed ones give and get by way of fences alone.  All stores to an object
 * count as one release sequence.
 */
#include <string.h>

#include "runtime/race_impl.h"
#include "runtime/self.h"

_Thread_local struct race_thread *__recut_race_self;

static struct race_thread *threads; /* by number */

/* A lock for reading and a barrier have two clocks, at their address and behind it. */
static struct object {
    struct race_clock clock;
    uint32_t owner; /* 1 + the thread that has it alone; of a barrier: which round it is */
    uint32_t next_free;
} *objects;
static uint32_t object_count = 1, free_object;

/* --- memory of clocks --------------------------------------------------------------------- */

enum { smallest = 16, size_classes = 13 }; /* 16, 32 ... 65536 times */
static const uint64_t clocks_size = 64ULL << 30, most_objects = 1ULL << 26;
static uint32_t *clock_memory, *clock_end, *free_times[size_classes];

void __recut_race_clocks_init(void) {
    threads = __recut_race_region(race_most_threads * sizeof *threads);
    objects = __recut_race_region(most_objects * sizeof *objects);
    clock_memory = __recut_race_region(clocks_size);
    clock_end = clock_memory + clocks_size / sizeof *clock_memory;
    __recut_race_self = &threads[0];
    __recut_race_thread_made(0);
}

static unsigned class_of(uint32_t size) {
    return size <= smallest ? 0 : 28 - (unsigned)__builtin_clz(size - 1);
}

static void free_clock(struct race_clock *clock) {
    if (clock->size) {
        unsigned class = class_of(clock->size);
        memcpy(clock->times, &free_times[class], sizeof *free_times);
        free_times[class] = clock->times;
    }
    *clock = (struct race_clock){0};
}

static void grow(struct race_clock *clock, uint32_t wanted) {
    if (wanted <= clock->size)
        return;
    unsigned class = class_of(wanted);
    uint32_t size = (uint32_t)smallest << class;
    uint32_t *times = free_times[class];
    if (times) {
        memcpy(&free_times[class], times, sizeof *free_times);
    } else {
        times = clock_memory;
        clock_memory += size;
        if (clock_memory > clock_end)
            __builtin_trap(); /* 64 GiB of clocks: memory was gone long before */
    }
    memset(times, 0, size * sizeof *times);
    if (clock->size)
        memcpy(times, clock->times, clock->size * sizeof *times);
    free_clock(clock);
    *clock = (struct race_clock){times, size};
}

static void join(struct race_clock *clock, const struct race_clock *other) {
    uint32_t used = other->size;
    while (used && !other->times[used - 1])
        used--;
    grow(clock, used);
    for (uint32_t i = 0; i < used; i++)
        if (clock->times[i] < other->times[i])
            clock->times[i] = other->times[i];
}

/* --- objects ------------------------------------------------------------------------------ */

static uint32_t make_object(void) {
    uint32_t index = free_object;
    if (index)
        free_object = objects[index].next_free;
    else
        index = object_count < most_objects - 1 ? object_count++ : object_count;
    objects[index] = (struct object){0};
    return index;
}

void __recut_race_object_free(uint32_t object) {
    free_clock(&objects[object].clock);
    objects[object].next_free = free_object;
    free_object = object;
}

uint32_t __recut_race_object(uint64_t address) { return __recut_race_find(address, make_object); }

static struct object *object_at(const void *address, unsigned offset) {
    return &objects[__recut_race_object((uint64_t)address + offset)];
}

/* --- giving and getting ------------------------------------------------------------------- */

static void give(struct race_clock *clock) {
    struct race_thread *self = __recut_race_self;
    join(clock, &self->now);
    self->now.times[self->number]++;
}

static void get(const struct race_clock *clock) { join(&__recut_race_self->now, clock); }

/* A hook of a thread that is known has the lock until it returns. */
static void unlock(const bool *is_held) {
    if (*is_held)
        __recut_race_unlock();
}
#define HOOK(...)                                                                                  \
    __attribute__((cleanup(unlock))) bool is_held = __recut_race_self != NULL;                     \
    if (!is_held)                                                                                  \
        return __VA_ARGS__;                                                                        \
    __recut_race_lock()

void __recut_race_release(const void *object) {
    HOOK();
    give(&object_at(object, 0)->clock);
}

void __recut_race_acquire(const void *object) {
    HOOK();
    get(&object_at(object, 0)->clock);
}

/* Behind the lock is the clock of those who read. */
void __recut_race_acquire_shared(const void *lock) { __recut_race_acquire(lock); }

void __recut_race_acquire_exclusive(const void *lock) {
    HOOK();
    get(&object_at(lock, 0)->clock);
    get(&object_at(lock, 1)->clock);
    object_at(lock, 0)->owner = 1 + __recut_race_self->number;
}

void __recut_race_release_either(const void *lock) {
    HOOK();
    struct object *object = object_at(lock, 0);
    bool is_alone = object->owner == 1 + __recut_race_self->number;
    if (is_alone)
        object->owner = 0;
    give(&object_at(lock, is_alone ? 0 : 1)->clock);
}

/* Rounds alternate between two clocks.  Who leaves a round first begins the next one: then
 * all have arrived, and so all have left the round before. */
uint32_t __recut_race_arrive(const void *barrier) {
    HOOK(0);
    uint32_t round = object_at(barrier, 0)->owner;
    give(&object_at(barrier, round % 2)->clock);
    return round;
}

void __recut_race_depart(const void *barrier, uint32_t round) {
    HOOK();
    struct object *object = object_at(barrier, 0);
    if (object->owner == round) {
        object->owner++;
        free_clock(&object_at(barrier, (round + 1) % 2)->clock);
    }
    get(&object_at(barrier, round % 2)->clock);
}

void __recut_race_order(uint32_t object, uint64_t order) {
    struct race_thread *self = __recut_race_self;
    struct race_clock *clock = &objects[object].clock;
    if (order & RACE_ORDER_LOADS)
        join(order & RACE_ORDER_ACQUIRES ? &self->now : &self->seen, clock);
    if (order & RACE_ORDER_STORES && order & RACE_ORDER_RELEASES)
        give(clock);
    else if (order & RACE_ORDER_STORES)
        join(clock, &self->fenced);
}

void __recut_race_fence(uint64_t order) {
    HOOK();
    struct race_thread *self = __recut_race_self;
    if (order & RACE_ORDER_ACQUIRES)
        get(&self->seen);
    if (order & RACE_ORDER_RELEASES)
        give(&self->fenced);
}

/* --- threads ------------------------------------------------------------------------------ */

static struct race_thread *thread_of(uint32_t number) {
    return number < race_most_threads ? &threads[number] : NULL;
}

void __recut_race_thread_made(uint32_t number) {
    HOOK();
    struct race_thread *thread = thread_of(number);
    if (!thread)
        return;
    thread->number = number;
    grow(&thread->now, number + 1);
    thread->now.times[number] = 1;
    if (thread != __recut_race_self)
        give(&thread->now);
}

void __recut_race_thread_begins(uint32_t number) {
    __recut_race_self = thread_of(number);
    HOOK();
    __recut_race_owner(__recut_self.slot, number);
}

void __recut_race_thread_joined(uint32_t number) {
    HOOK();
    if (thread_of(number))
        get(&thread_of(number)->now);
}
