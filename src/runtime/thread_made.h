/* The threads that a recorded or replayed program made; for thread_*.c only. */
#ifndef RECUT_RUNTIME_THREAD_MADE_H
#define RECUT_RUNTIME_THREAD_MADE_H

#include <pthread.h>
#include <stdatomic.h>

#include "format/layout.h"
#include "runtime/env_thread.h"
#include "runtime/stack.h"

/* By slot. */
extern struct made {
    union {
        void *(*posix)(void *);
        int (*standard)(void *);
    } entry;
    void *argument;
    uint64_t data_stack_size;
    struct env_thread *env;
    struct stack_range machine; /* empty if libc placed it */
    uint64_t mapped;            /* of the window of its machine stack */
    long tid;
    pthread_t recorded, real; /* in a replay they may differ */
    bool is_detached, is_over;
    bool is_told;                              /* record: that it was made is in the log */
    atomic_bool is_cancelled, is_asynchronous; /* record, see cancel.h */
    uint32_t number;                           /* of its stream */
} __recut_made[RECUT_MAX_THREADS];

extern uint32_t __recut_made_end; /* above all slots that were ever used */

/* The slot of a thread that was made; 0 if there is none. */
uint32_t __recut_made_slot(pthread_t thread);
/* What libc knows a thread of the program's by. */
pthread_t __recut_made_real(pthread_t thread);

#endif
