/*
 * Who cleans up when a thread ends?  pthread_exit() and pthread_cleanup_push(), in runs that
 * are recorded or replayed.
 *
 * The macro keeps a jmp_buf in the function's frame and tells libc where it is; a thread that
 * ends jumps from one to the next, innermost first.  Since these are filled by the runtime's
 * setjmp (jump.S), the list of them is the runtime's as well.
 */
#include <pthread.h>
#include <stdint.h>

#include "runtime/jump.h"
#include "runtime/special.h"

/* __pthread_unwind_buf_t: a jmp_buf without a mask, and room for a link. */
struct frame {
    char state[72];
    struct frame *outer;
};
_Static_assert(sizeof(struct frame) <= sizeof(__pthread_unwind_buf_t), "frame");

static _Thread_local struct frame *innermost;
static _Thread_local void *result;

static __attribute__((noreturn)) void go_on(void) {
    if (innermost)
        __recut_jump_to(innermost, 1);
    pthread_exit(result);
}

#define REGISTER(name)                                                                             \
    void __recut_special_##name(struct frame *);                                                   \
    void __recut_special_##name(struct frame *frame) {                                             \
        frame->outer = innermost;                                                                  \
        innermost = frame;                                                                         \
    }
REGISTER(__pthread_register_cancel)
REGISTER(__pthread_register_cancel_defer)

#define UNREGISTER(name)                                                                           \
    void __recut_special_##name(struct frame *);                                                   \
    void __recut_special_##name(struct frame *frame) { innermost = frame->outer; }
UNREGISTER(__pthread_unregister_cancel)
UNREGISTER(__pthread_unregister_cancel_restore)

/* The frame's function has done what it was to do. */
void __recut_special___pthread_unwind_next(struct frame *) __attribute__((noreturn));
void __recut_special___pthread_unwind_next(struct frame *frame) {
    innermost = frame->outer;
    go_on();
}

void __recut_special_pthread_exit(void *) __attribute__((noreturn));
void __recut_special_pthread_exit(void *value) {
    result = value;
    go_on();
}

void __recut_special_thrd_exit(int) __attribute__((noreturn));
void __recut_special_thrd_exit(int value) {
    result = (void *)(intptr_t)value;
    go_on();
}
