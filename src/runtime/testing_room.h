/*
 * How much of the machine stack a test has.
 *
 * Where a stack ran over, each function on it had the rest of one.  With a whole one its test would
 * come to calls that the failed run never came to.  So such a test says what was left when the
 * function was called (TEST_ROOM), and has as much.
 */
#ifndef RECUT_RUNTIME_TESTING_ROOM_H
#define RECUT_RUNTIME_TESTING_ROOM_H

#include <stdint.h>

#include "format/testing.h"
#include "runtime/stack.h"

/* Where the stack of a test is to begin, in a machine stack that is mapped. */
char *__recut_testing_top(recut_test_main_function *run, uint64_t room,
                          const struct stack_range *machine);
/* The failed run may have come to the end of its stack in a call that nobody answers: what it takes
 * to record one must be there, if a test has no more of the stack than that run. */
void __recut_testing_probe(void);
/* The last thing before the function is called. */
void __recut_testing_close(struct stack_range *machine);
/* The first thing after it: what ends the process wants a stack, too. */
void __recut_testing_open(struct stack_range *machine);

#endif
