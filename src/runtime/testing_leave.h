/*
 * How the function that a test calls is left, other than by returning.
 *
 * By _exit(), which is no failure, as exit() is none.  By a jump to where one of its callers has
 * called setjmp(): these callers are not there, and what they would have done is not what is
 * tested. So the test ends there, and has not failed.  The runtime's own setjmp() is used, since
 * libc's buffers do not tell where they lead.
 */
#ifndef RECUT_RUNTIME_TESTING_LEAVE_H
#define RECUT_RUNTIME_TESTING_LEAVE_H

#include "runtime/stack.h"

/* From here on; `machine` is the stack of the test. */
void __recut_testing_watch(const struct stack_range *machine);

#endif
