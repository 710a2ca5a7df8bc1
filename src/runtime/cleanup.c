/*
 * Who cleans up when a thread ends?  See cleanup.h.
 *
 * The macro keeps a jmp_buf in the function's frame and tells libc where it is; a thread that
 * ends jumps from one to the next, innermost first.  Since these are filled by the runtime's
 * setjmp (jump.S), the list of them is the runtime's as well.
 *
 * While a run is recorded it is libc that cancels a thread, in the middle of a call: for each
 * frame it knows a copy in its own form, which leads to the runtime (__recut_cleanup_land).
 * From there the event goes into the log (cancel.c) and the jump to the frame is made.  All of it
 * stays when recording ends, as setjmp does.
 */
#include "runtime/cleanup.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/cancel.h"
#include "runtime/jump.h"
#include "runtime/raw.h"
#include "runtime/special.h"

/* __pthread_unwind_buf_t: a jmp_buf without a mask, and room for a link. */
struct frame {
    char state[72];
    struct frame *outer;
};
_Static_assert(sizeof(struct frame) <= sizeof(__pthread_unwind_buf_t), "frame");

static _Thread_local struct frame *innermost;
static _Thread_local void *result;
static _Thread_local bool is_ending;

/* --- what libc knows ------------------------------------------------------------------- */

/* libc's type is aligned to more than its size. */
struct copy {
    __pthread_unwind_buf_t of_libc;
};
enum { copies_size = 16 * 1024 * 1024, most_copies = copies_size / sizeof(struct copy) };

/* Of the frames that are in the list, outermost first. */
static _Thread_local struct copy *copies;
static _Thread_local unsigned copy_count;

void __recut_cleanup_land(void);

/* As libc's setjmp hides an address. */
static uint64_t mangled(uint64_t address) {
    uint64_t guard;
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    address ^= guard;
    return address << 17 | address >> 47;
}

static void tell_libc(const struct frame *frame) {
    enum { word_rbp = 1, word_rsp = 6, word_rip = 7, words };
    if (!copies) {
        long at = raw_syscall6(SYS_mmap, 0, copies_size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at < 0 && at > -4096)
            return;
        copies = (void *)at;
    }
    if (copy_count == most_copies)
        return;
    uint64_t registers[words + 1];
    memcpy(registers, frame->state, sizeof registers);
    registers[word_rbp] = mangled(registers[word_rbp]);
    registers[word_rsp] = mangled(registers[word_rsp]);
    registers[word_rip] = mangled((uint64_t)__recut_cleanup_land);
    struct copy *copy = &copies[copy_count++];
    memset(copy, 0, sizeof *copy);
    memcpy(copy, registers, sizeof registers);
    __pthread_register_cancel(&copy->of_libc);
}

static void untell_libc(void) {
    if (copy_count)
        __pthread_unregister_cancel(&copies[--copy_count].of_libc);
}

void __recut_cleanup_done(void) {
    if (copies)
        raw_syscall3(SYS_munmap, (long)copies, copies_size, 0);
    copies = NULL;
    copy_count = 0;
}

/* --- the list -------------------------------------------------------------------------- */

static void pop(const struct frame *frame) {
    innermost = frame->outer;
    untell_libc();
}

static __attribute__((noreturn)) void go_on(void) {
    if (innermost)
        __recut_jump_to(innermost, 1);
    pthread_exit(result);
}

void __recut_cleanup_end(void *value) {
    result = value;
    is_ending = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* once is enough */
    go_on();
}

bool __recut_cleanup_is_ending(void) { return is_ending; }

/* Where libc's copies lead, by way of jump.S: at the frame's place of the stack. */
void __recut_cleanup_landed(void) __attribute__((noreturn));
void __recut_cleanup_landed(void) {
    if (!is_ending)
        __recut_cancel_note();
    is_ending = true;
    result = PTHREAD_CANCELED;
    go_on();
}

#define REGISTER(name)                                                                             \
    void __recut_special_##name(struct frame *);                                                   \
    void __recut_special_##name(struct frame *frame) {                                             \
        frame->outer = innermost;                                                                  \
        innermost = frame;                                                                         \
        if (__recut_env_mode != ENV_REPLAY)                                                        \
            tell_libc(frame);                                                                      \
    }
REGISTER(__pthread_register_cancel)
REGISTER(__pthread_register_cancel_defer)

#define UNREGISTER(name)                                                                           \
    void __recut_special_##name(struct frame *);                                                   \
    void __recut_special_##name(struct frame *frame) { pop(frame); }
UNREGISTER(__pthread_unregister_cancel)
UNREGISTER(__pthread_unregister_cancel_restore)

/* The frame's function has done what it was to do. */
void __recut_special___pthread_unwind_next(struct frame *) __attribute__((noreturn));
void __recut_special___pthread_unwind_next(struct frame *frame) {
    pop(frame);
    go_on();
}

void __recut_special_pthread_exit(void *) __attribute__((noreturn));
void __recut_special_pthread_exit(void *value) { __recut_cleanup_end(value); }

void __recut_special_thrd_exit(int) __attribute__((noreturn));
void __recut_special_thrd_exit(int value) { __recut_cleanup_end((void *)(intptr_t)value); }
