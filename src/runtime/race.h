/*
 * Data races of a program with threads, found in its replay (`recut races`).
 *
 * Two accesses to the same byte race if one of them writes, not both are atomic, they are
 * by two threads, and nothing that threads do to each other orders them: "happens before",
 * by vector clocks (Flanagan & Freund, FastTrack, PLDI 2009).  What orders threads is what
 * the hooks below are told: locks, semaphores, barriers, once, atomic operations, and
 * threads that begin and end, and descriptors.  Other calls out of the program do not,
 * although a replay keeps their order, too.
 *
 * The variant that `recut prepare` builds (src/instrument/races.c) calls
 * __recut_race_read() and its relatives before each access.
 *
 *     race.c         which accesses race
 *     race_clock.c   what happens before what
 *     race_call.c    what functions of libc do to the program's memory
 *     race_report.c  how the tool learns of it
 *
 * Cost: twenty bytes for each eight of the program's memory that are touched, and a walk
 * over the accesses that are known of them.  When nobody looks for races a hook is one
 * test.
 */
#ifndef RECUT_RUNTIME_RACE_H
#define RECUT_RUNTIME_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/env_args.h"

extern bool __recut_race_is_on;

/* From now on; races are written to this descriptor, in the form of race_report.c. */
void __recut_race_init(int fd);

/* Called by the variant. `order` is of enum race_order. */
void __recut_race_read(uint64_t address, uint64_t size);
void __recut_race_write(uint64_t address, uint64_t size);
void __recut_race_atomic(uint64_t address, uint64_t size, uint64_t order);
void __recut_race_fence(uint64_t order);
/* A function begins, and has a local there that others may see. */
void __recut_race_local(uint64_t address, uint64_t size);

/* --- hooks -------------------------------------------------------------------------- */

/* What the thread did so far is before what is done by those who get the object next. */
void __recut_race_release(const void *object);
void __recut_race_acquire(const void *object);
/* A lock that many may have for reading: those are not ordered among themselves. */
void __recut_race_acquire_shared(const void *lock);
void __recut_race_acquire_exclusive(const void *lock);
void __recut_race_release_either(const void *lock);
/* A barrier: a thread arrives, and all are there. */
uint32_t __recut_race_arrive(const void *barrier);
void __recut_race_depart(const void *barrier, uint32_t round);

/* A thread is made, by its creator; begins; is over; was waited for.  `number` is that of
 * its stream. */
void __recut_race_thread_made(uint32_t number);
void __recut_race_thread_begins(uint32_t number);
void __recut_race_thread_ends(void);
void __recut_race_thread_joined(uint32_t number);

/* A block of the heap is handed out; `frame` is that of the function that the program
 * called. */
void __recut_race_allocated(const void *block, size_t size, const void *frame);
/* A call that is answered from the log: before it, and when its outputs are there. */
void __recut_race_call(const struct env_args *args, const char *name, uint64_t place);
void __recut_race_called(const struct env_args *args, const char *name, int64_t result,
                         uint64_t place);
/* One that libc is about to make. */
void __recut_race_native(const struct env_frame *frame, const struct model_table *table,
                         const struct model_function *model);
/* Memory that a function uses which the program called from `place`. */
void __recut_race_outside(uint64_t address, uint64_t size, bool writes, uint64_t place);

/* Memory is not what it was: what was done to it races with nothing. */
void __recut_race_forget(const void *memory, size_t size);

#define RACE_HOOK(call)                                                                            \
    do {                                                                                           \
        if (__builtin_expect(__recut_race_is_on, 0))                                               \
            __recut_race_##call;                                                                   \
    } while (0)

#endif
