/*
 * Atomic operations of a program with threads: the logging variant
 * (src/instrument/logging.c) calls these around each of them.
 *
 * One thread at a time is between the two for objects that share a counter
 * (order.h), so that the operation and its number are one.
 *
 * A thread that waits for another by loading the same object again and again does not
 * take a number each time.  It remembers what it saw last and how many operations had
 * changed something by then: as long as that is so, the load is one that needs no log,
 * in no order with those of other threads, and a replay takes what the thread remembers
 * without a look at memory.
 */
#ifndef RECUT_RUNTIME_ATOMIC_H
#define RECUT_RUNTIME_ATOMIC_H

#include <stdint.h>

void __recut_atomic_enter(const void *address);
void __recut_atomic_leave(const void *address);
/* A load of 1, 2, 4 or 8 bytes: where to load them from. */
const void *__recut_atomic_load(const void *address, uint64_t size);

/* What a thread saw last, by a hash of addresses. */
enum { atomic_most_seen = 64 };
struct atomic_seen {
    const void *address;
    uint64_t size, value, writes;
};

#endif
