/*
 * Threads of the program: each has a slot, and by it a data stack, a block of
 * thread-locals and an arena at fixed addresses.
 *
 * A thread that the program creates gets its slot from its creator.  A thread
 * that comes from elsewhere (a library, a timer) is attached when it first
 * enters canonical code.
 */
#ifndef RECUT_RUNTIME_THREAD_H
#define RECUT_RUNTIME_THREAD_H

#include <pthread.h>

#include "runtime/self.h"
#include "runtime/stack.h"

/* Main, before anything canonical runs. */
void __recut_thread_init_main(void);

/* The stacks of the calling thread; machine is empty where libc placed it. */
const struct stack_range *__recut_thread_data_stack(void);
extern struct stack_range __recut_main_machine;

/* The machine stack of the calling thread; empty where libc placed it. */
struct stack_range __recut_thread_machine(void);

/* Slots, and what belongs to them: for those who make threads. */
bool __recut_thread_take_slot(uint32_t *ret);
void __recut_thread_give_slot(uint32_t slot);
void __recut_thread_attach(uint32_t slot, uint64_t stack_size);
/* A thread of a replayed cut (cut.h), which is in replay space alone. */
void __recut_thread_attach_replayed(uint32_t slot);
/* The end of the calling thread is to be noticed. */
void __recut_thread_watch(void);
/* Of the machine stack that a thread with these attributes gets. */
size_t __recut_thread_stack_size(const pthread_attr_t *attributes);

#endif
