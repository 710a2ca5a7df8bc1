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

#include "runtime/self.h"
#include "runtime/stack.h"

/* Main, before anything canonical runs. */
void __recut_thread_init_main(void);

/* The stacks of the calling thread; machine is empty where libc placed it. */
const struct stack_range *__recut_thread_data_stack(void);
extern struct stack_range __recut_main_machine;

#endif
