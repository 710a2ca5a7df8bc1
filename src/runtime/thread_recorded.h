/*
 * Threads of a program that is recorded or replayed.
 *
 * Each has a stream of its own, log.N for the Nth thread that the program made, and
 * what the log of its creator says: its slot, and by it all its addresses.  Its
 * machine stack has a fixed address as well, and with it what libc keeps of the
 * thread: a pthread_t is the same number in both runs, but for main's.
 */
#ifndef RECUT_RUNTIME_THREAD_RECORDED_H
#define RECUT_RUNTIME_THREAD_RECORDED_H

#include <pthread.h>
#include <threads.h>

#include "runtime/stack.h"

/* pthread_create() and thrd_create(), as called by the program from `from`. */
int __recut_thread_recorded(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*entry)(void *), void *argument, uint64_t from);
int __recut_thread_recorded_standard(thrd_t *thread, thrd_start_t entry, void *argument,
                                     uint64_t from);

/* The calling thread is over: before and after what it had is given back. True if it
 * still needs its slot; and before, if it is the last one: then libc ends the program in it, and it
 * goes on as it is. */
bool __recut_thread_recorded_exit(void);
bool __recut_thread_recorded_exited(void);

/* Is it a thread that the program made, and that is recorded? */
bool __recut_thread_recorded_is_made(pthread_t thread);

/* Record: such a thread is cancelled, or the calling one can be cancelled anywhere from now on, or
 * no longer. False if a thread is cancelled that can be cancelled anywhere. */
bool __recut_thread_recorded_cancel(pthread_t thread);
bool __recut_thread_recorded_asynchronous(bool is_asynchronous);

/* The number of the stream of the calling thread. */
uint32_t __recut_thread_recorded_number(void);
/* Record, in the child of a fork: the other threads are gone. */
void __recut_thread_recorded_forked(void);
/* The stream of the calling thread is the first of a process. */
void __recut_thread_recorded_first(void);

struct stack_range __recut_thread_recorded_machine(uint32_t slot);

#endif
