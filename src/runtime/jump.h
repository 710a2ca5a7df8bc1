/* Where does a program go on that jumps?  setjmp and longjmp of runs that are recorded or
 * replayed. */
#ifndef RECUT_RUNTIME_JUMP_H
#define RECUT_RUNTIME_JUMP_H

/* longjmp: `buffer` is what the runtime's setjmp (jump.S) filled. */
void __recut_jump_to(void *buffer, int value) __attribute__((noreturn));

#endif
