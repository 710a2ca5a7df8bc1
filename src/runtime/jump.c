/*
 * longjmp of runs that are recorded or replayed; see jump.S.
 *
 * A jump may leave calls that the environment made into the program: those are
 * over then.
 */
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "runtime/env_callback.h"
#include "runtime/env_thread.h"
#include "runtime/jump.h"
#include "runtime/section.h"

void __recut_jump(void *buffer, int value) __attribute__((noreturn));

uint64_t __recut_jump_stack(const void *buffer) {
    enum { stack_pointer = 48 };
    uint64_t stack;
    memcpy(&stack, (const char *)buffer + stack_pointer, sizeof stack);
    return stack;
}

void __recut_jump_to(void *buffer, int value) {
    uint64_t stack = __recut_jump_stack(buffer);
    if (env_thread())
        __recut_callback_unwind((const void *)stack);
    if (env_thread() && __recut_is_threaded)
        __recut_section_unwind((const void *)stack);
    __recut_jump(buffer, value);
}

#define JUMP(name)                                                                                 \
    void __recut_special_##name(void *, int) __attribute__((noreturn));                            \
    void __recut_special_##name(void *buffer, int value) { __recut_jump_to(buffer, value); }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
