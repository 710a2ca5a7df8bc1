/* Where does a program go on that jumps?  setjmp and longjmp of runs that are recorded or
 * replayed. */
#ifndef RECUT_RUNTIME_JUMP_H
#define RECUT_RUNTIME_JUMP_H

#include <stdint.h>

/* longjmp: `buffer` is what the runtime's setjmp (jump.S) filled. */
void __recut_jump_to(void *buffer, int value) __attribute__((noreturn));

/* The stack pointer that it leads to. */
uint64_t __recut_jump_stack(const void *buffer);

#endif
