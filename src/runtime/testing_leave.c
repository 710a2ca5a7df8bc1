/* How is the function left that a test calls?  See testing_leave.h. */
#include "runtime/testing_leave.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/env.h"
#include "runtime/failure.h"
#include "runtime/jump.h"
#include "runtime/raw.h"
#include "runtime/special.h"
#include "runtime/testing.h"

static struct stack_range test;

/* Threads of the test, and its signal handlers, may have stacks of their own. */
static bool is_of_test(uint64_t stack) {
    enum { far = 1 << 30 };
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    return (stack >= (uint64_t)test.low && stack <= (uint64_t)test.high) || stack - here < far;
}

static __attribute__((noreturn)) void leave_by_jump(void *buffer, int value) {
    uint64_t stack = __recut_jump_stack(buffer);
    if (!is_of_test(stack)) {
        fflush(NULL);
        __recut_say("the test ends at a jump out of the function that it calls", NULL);
        _exit(0);
    }
    __recut_jump_to(buffer, value);
}

static __attribute__((noreturn)) void leave_by_exit(int status) {
    if (!__recut_failure_by_exit)
        __recut_testing_exits();
    _exit(status);
}

void __recut_testing_watch(const struct stack_range *machine) {
    static const char *const set[] = {"_setjmp", "setjmp", "__sigsetjmp"};
    static const char *const jump[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
    static const char *const end[] = {"_exit", "_Exit", "quick_exit"};
    test = *machine;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        __recut_env_replace(set[i], __recut_special_find(set[i]));
    for (size_t i = 0; i < sizeof jump / sizeof *jump; i++)
        __recut_env_replace(jump[i], (void *)leave_by_jump);
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        __recut_env_replace(end[i], (void *)leave_by_exit);
}
