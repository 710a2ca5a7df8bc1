/*
 * Atomic operations of a program with threads: the logging variant
 * (src/instrument/logging.c) calls these around each of them.
 *
 * One thread at a time is between the two for objects that share a counter
 * (order.h), so that the operation and its number are one.
 */
#ifndef RECUT_RUNTIME_ATOMIC_H
#define RECUT_RUNTIME_ATOMIC_H

void __recut_atomic_enter(const void *address);
void __recut_atomic_leave(const void *address);

#endif
