/*
 * Threads of the program; see thread.h.
 *
 * Slots are handed out lowest first.  A slot is free again when its thread's
 * last thread-specific destructors run; its addresses, and what the pool holds
 * for it, go to the next thread that takes it.
 */
#include "runtime/thread.h"
#include "runtime/env_callback.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/pool.h"
#include "runtime/process_child.h"
#include "runtime/raw.h"
#include "runtime/signal.h"
#include "runtime/thread_recorded.h"

_Thread_local struct recut_self __recut_self;

/* What canonical code relies on (src/program/canonical/rewrite.h). */
_Static_assert(offsetof(struct recut_self, data_stack) == 0, "SELF_DATA_STACK");
_Static_assert(offsetof(struct recut_self, tls_block) == 8, "SELF_TLS_BLOCK");
_Static_assert(offsetof(struct recut_self, callback) == 32, "SELF_CALLBACK");
_Static_assert(offsetof(struct recut_self, counters) == 16, "SELF_COUNTERS");
_Static_assert(offsetof(struct recut_self, ticks) == 232, "SELF_TICKS");
_Static_assert(offsetof(struct recut_self, inside) == 236, "SELF_INSIDE");
_Static_assert(offsetof(struct recut_self, stack_limit) == 24, "SELF_STACK_LIMIT");

/* How far it is from the thread pointer, for tools that build variants
 * (struct runtime_section in format/program_section.h). */
__asm__(".pushsection .recut.runtime, \"aR\", @progbits\n"
        "    .balign 8\n"
        "    .quad 0x31544e5554434552\n"
        "    .quad __recut_self@tpoff\n"
        ".popsection\n");

/* From the canonical program. */
extern const char __recut_tls_image[];
extern const uint64_t __recut_tls_size, __recut_tls_align;

enum { default_data_stack = 32 * 1024 * 1024, word_bits = 64 };

static _Atomic uint64_t used_slots[RECUT_MAX_THREADS / word_bits];
static struct stack_range data_stacks[RECUT_MAX_THREADS];
static pthread_key_t exit_key;
static bool exit_key_made;

struct stack_range __recut_main_machine;

bool __recut_thread_take_slot(uint32_t *ret) {
    for (uint32_t word = 0; word < RECUT_MAX_THREADS / word_bits; word++) {
        uint64_t used = atomic_load(&used_slots[word]);
        while (~used) {
            uint32_t bit = (uint32_t)__builtin_ctzll(~used);
            if (atomic_compare_exchange_weak(&used_slots[word], &used, used | 1ULL << bit)) {
                *ret = word * word_bits + bit;
                return true;
            }
        }
    }
    return false;
}

void __recut_thread_give_slot(uint32_t slot) {
    atomic_fetch_and(&used_slots[slot / word_bits], ~(1ULL << slot % word_bits));
}

/* The block of a slot, filled from the image. The stride is a page multiple,
 * so that a block's memory can be given back. */
static char *make_tls_block(uint32_t slot) {
    if (__recut_tls_size == 0)
        return NULL;
    uint64_t unit = __recut_tls_align > 4096 ? __recut_tls_align : 4096;
    uint64_t stride = (__recut_tls_size + unit - 1) / unit * unit;
    uint64_t address = RECUT_TLS_BASE + slot * stride;
    if (address + stride > RECUT_TLS_END)
        return NULL;
    long failed = raw_map_at(address, stride);
    if (failed && failed != -EEXIST)
        return NULL;
    memcpy((char *)address, __recut_tls_image, __recut_tls_size);
    return (char *)address;
}

static bool attach(uint32_t slot, uint64_t stack_size) {
    struct stack_range *stack = &data_stacks[slot];
    bool mapped = slot == 0 ? __recut_stack_main(stack_size, stack)
                            : __recut_stack_thread(slot, stack_size, stack);
    char *tls = make_tls_block(slot);
    if (!mapped || (!tls && __recut_tls_size))
        return false;
    __recut_self.slot = slot;
    __recut_self.tls_block = tls;
    __recut_self.stack_limit = stack->low;
    __recut_self.attached = 1;
    __recut_self.data_stack = stack->high;
    return true;
}

struct stack_range __recut_thread_machine(void) {
    return __recut_self.slot % CUT_SLOTS == 0 ? __recut_main_machine
                                              : __recut_thread_recorded_machine(__recut_self.slot);
}

const struct stack_range *__recut_thread_data_stack(void) {
    return __recut_self.attached ? &data_stacks[__recut_self.slot] : NULL;
}

/* Runs again in every round of destructors but the last, since the program's
 * own destructors still need the stack. */
static void on_thread_exit(void *round) {
    uintptr_t count = (uintptr_t)round;
    if (count < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(exit_key, (void *)(count + 1));
        return;
    }
    uint32_t slot = __recut_self.slot;
    if (__recut_thread_recorded_exit())
        return;
    if (slot == 0) { /* main ended by pthread_exit(); what it had stays */
        __recut_thread_recorded_exited();
        return;
    }
    __recut_cut_thread_exit();
    __recut_pool_thread_exit();
    __recut_stack_thread_done(&data_stacks[slot]);
    if (!__recut_thread_recorded_exited())
        __recut_thread_give_slot(slot);
}

static void after_fork_in_child(void) {
    __recut_cut_forked();
    __recut_process_after_fork();
    __recut_pool_fork_child();
    if (__recut_process_is_parallel())
        return; /* how far the others were with their memory is not known: nobody gets it */
    for (uint32_t word = 0; word < RECUT_MAX_THREADS / word_bits; word++)
        atomic_store(&used_slots[word], word == 0);
    uint32_t slot = __recut_self.slot;
    atomic_fetch_or(&used_slots[slot / word_bits], 1ULL << slot % word_bits);
}

void __recut_thread_init_main(void) {
    atomic_fetch_or(&used_slots[0], 1);
    if (!attach(0, STACK_DATA_FACTOR * __recut_stack_limit())) {
        __recut_say("cannot map the data stack at its address; is the memory limit too low?", NULL);
        raw_syscall3(SYS_exit_group, 127, 0, 0);
    }
    exit_key_made = pthread_key_create(&exit_key, on_thread_exit) == 0;
    /* The first that is registered: nothing comes between these and the system call. */
    pthread_atfork(__recut_process_before_fork, __recut_process_after_fork, after_fork_in_child);
}

void __recut_thread_attach_replayed(uint32_t slot) {
    __recut_self.slot = slot;
    __recut_self.tls_block = make_tls_block(slot);
    __recut_self.attached = 1;
}

void __recut_thread_watch(void) {
    if (exit_key_made)
        pthread_setspecific(exit_key, (void *)1);
}

void __recut_thread_attach(uint32_t slot, uint64_t stack_size) {
    if (!attach(slot, stack_size)) {
        __recut_say("cannot map a data stack for a new thread", NULL);
        raw_syscall3(SYS_exit_group, 127, 0, 0);
    }
    __recut_thread_watch();
    __recut_signal_thread(slot);
}

/* Called by attach.S with all registers saved. */
void __recut_attach_here(void *, void **);
void __recut_attach_here(void *function, void **return_slot) {
    int saved = errno;
    if (__recut_self.attached) { /* it is outside the program, and comes back */
        __recut_callback_enter(function, return_slot);
        errno = saved;
        return;
    }
    if (raw_syscall3(SYS_gettid, 0, 0, 0) == raw_syscall3(SYS_getpid, 0, 0, 0) &&
        !(atomic_load(&used_slots[0]) & 1)) {
        __recut_thread_init_main();
        return;
    }
    uint32_t slot;
    if (__recut_cut_mode == CUT_OFF) /* there it is a thread like others */
        __recut_env_stop(NULL, "a thread of a library calls the program");
    if (!__recut_thread_take_slot(&slot)) {
        __recut_say("more threads than recut has data stacks for (8192)", NULL);
        raw_syscall3(SYS_exit_group, 127, 0, 0);
    }
    __recut_thread_attach(slot, default_data_stack);
    errno = saved;
}

/* What a new thread needs to know, by slot: written by its creator, read once. */
static struct {
    union {
        void *(*posix)(void *);
        int (*standard)(void *);
    } entry;
    void *argument;
    uint64_t stack_size;
} starts[RECUT_MAX_THREADS];

static void *start_posix(void *slot) {
    uint32_t index = (uint32_t)(uintptr_t)slot;
    __recut_thread_attach(index, starts[index].stack_size);
    return starts[index].entry.posix(starts[index].argument);
}

static int start_standard(void *slot) {
    uint32_t index = (uint32_t)(uintptr_t)slot;
    __recut_thread_attach(index, starts[index].stack_size);
    return starts[index].entry.standard(starts[index].argument);
}

/* As large as the machine stack that the thread gets. */
size_t __recut_thread_stack_size(const pthread_attr_t *attributes) {
    size_t size = default_data_stack / STACK_DATA_FACTOR;
    pthread_attr_t defaults;
    if (attributes) {
        pthread_attr_getstacksize(attributes, &size);
    } else if (pthread_getattr_default_np(&defaults) == 0) {
        pthread_attr_getstacksize(&defaults, &size);
        pthread_attr_destroy(&defaults);
    }
    return size;
}

int __recut_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __recut_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*entry)(void *), void *argument) {
    uint32_t slot;
    if (__recut_env_mode != ENV_OFF)
        return __recut_thread_recorded(thread, attributes, entry, argument,
                                       (uint64_t)__builtin_return_address(0));
    if (!__recut_thread_take_slot(&slot))
        return EAGAIN;
    starts[slot].entry.posix = entry;
    starts[slot].argument = argument;
    starts[slot].stack_size = STACK_DATA_FACTOR * __recut_thread_stack_size(attributes);
    int failed = pthread_create(thread, attributes, start_posix, (void *)(uintptr_t)slot);
    if (failed)
        __recut_thread_give_slot(slot);
    return failed;
}

int __recut_thrd_create(thrd_t *, thrd_start_t, void *);
int __recut_thrd_create(thrd_t *thread, thrd_start_t entry, void *argument) {
    uint32_t slot;
    if (__recut_env_mode != ENV_OFF)
        return __recut_thread_recorded_standard(thread, entry, argument,
                                                (uint64_t)__builtin_return_address(0));
    if (!__recut_thread_take_slot(&slot))
        return thrd_nomem;
    starts[slot].entry.standard = entry;
    starts[slot].argument = argument;
    starts[slot].stack_size = default_data_stack;
    int result = thrd_create(thread, start_standard, (void *)(uintptr_t)slot);
    if (result != thrd_success)
        __recut_thread_give_slot(slot);
    return result;
}

/* libc only knows the stack that main had from the kernel. */
int __recut_pthread_getattr_np(pthread_t, pthread_attr_t *);
int __recut_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
    int failed = pthread_getattr_np(thread, attributes);
    if (!failed && __recut_self.slot == 0 && pthread_equal(thread, pthread_self()) &&
        __recut_main_machine.low)
        failed =
            pthread_attr_setstack(attributes, __recut_main_machine.low,
                                  (size_t)(__recut_main_machine.high - __recut_main_machine.low));
    return failed;
}
