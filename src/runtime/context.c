/*
 * Coroutines of <ucontext.h>: each context made by makecontext() gets a data
 * stack of its own, and a switch restores the one of the context that goes on.
 *
 * A context is entered in one of three ways.  After getcontext(), the caller's
 * code restores its stack pointer itself (it may return twice, see
 * program/canonical/frame.c).  After swapcontext(), our wrapper does, whoever
 * resumed it.  A fresh context starts in context_entry below, which sets up the
 * data stack that makecontext() chose.
 *
 * Data stacks belong to machine stacks: a new context whose machine stack
 * overlaps an earlier one's frees that one's data stack, usually for itself,
 * since the earlier context can no longer run.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "format/layout.h"
#include "runtime/raw.h"
#include "runtime/thread.h"

/* Above the data stack of main there is room that nothing else uses. */
#define CONTEXT_STACKS (RECUT_DATA_STACK_TOP + RECUT_GIB)
#define CONTEXT_STACKS_END RECUT_THREAD_STACKS
/* Room for the reserve (signal.c) and more than an unprobed frame around it. */
#define CONTEXT_GUARD (4 * RECUT_MIB)

enum { max_contexts = 65536 };

static struct context {
    char *low, *high;                           /* machine stack */
    struct stack_range data;                    /* data stack */
} contexts[max_contexts];                       /* sorted, disjoint */
static struct stack_range spares[max_contexts]; /* data stacks without a context */
static uint32_t context_count, spare_count;
static uint64_t next_address = CONTEXT_STACKS;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* rbx: restored by setcontext; r12, r13: set below. */
__asm__(".text\n"
        ".type context_entry, @function\n"
        "context_entry:\n"
        "    movq %r13, %fs:__recut_self@tpoff\n"    /* data_stack */
        "    movq %r14, %fs:__recut_self@tpoff+24\n" /* stack_limit */
        "    jmpq *%r12\n"
        ".size context_entry, . - context_entry\n");
extern char context_entry[];

/* The first context whose machine stack ends above `low`. */
static uint32_t find_context(const char *low) {
    uint32_t from = 0, to = context_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (contexts[middle].high > low)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

static void remove_context(uint32_t index) {
    spares[spare_count++] = contexts[index].data;
    memmove(&contexts[index], &contexts[index + 1], (--context_count - index) * sizeof *contexts);
}

static void insert_context(uint32_t index, struct context context) {
    memmove(&contexts[index + 1], &contexts[index], (context_count++ - index) * sizeof *contexts);
    contexts[index] = context;
}

static uint64_t size_of(struct stack_range range) { return (uint64_t)(range.high - range.low); }

/* A spare that is large enough, the latest first, or a new one. */
static bool find_data_stack(uint64_t size, struct stack_range *ret) {
    for (uint32_t i = spare_count; i--;)
        if (size_of(spares[i]) >= size) {
            *ret = spares[i];
            memmove(&spares[i], &spares[i + 1], (--spare_count - i) * sizeof *spares);
            return true;
        }
    uint64_t address = next_address + CONTEXT_GUARD;
    if (address + size > CONTEXT_STACKS_END || raw_map_at(address, size) != 0)
        return false;
    next_address = address + size;
    *ret = (struct stack_range){(char *)address, (char *)(address + size)};
    return true;
}

static struct stack_range take_data_stack(ucontext_t *ucontext) {
    char *low = ucontext->uc_stack.ss_sp, *high = low + ucontext->uc_stack.ss_size;
    uint64_t size = STACK_DATA_FACTOR * ucontext->uc_stack.ss_size;
    size = (size + 4095) & ~4095ULL;
    struct context context = {.low = low, .high = high};
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    uint32_t index = find_context(low);
    while (index < context_count && contexts[index].low < high)
        remove_context(index);
    if (context_count + spare_count < max_contexts && find_data_stack(size, &context.data))
        insert_context(index, context);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return context.data;
}

void __recut_makecontext(ucontext_t *, void (*)(void), int, ...);
void __recut_makecontext(ucontext_t *ucontext, void (*entry)(void), int argc, ...) {
    /* Arguments are ints by the standard, pointers in practice; both fit. */
    long args[16] = {0};
    va_list list;
    va_start(list, argc);
    for (int i = 0; i < argc && i < 16; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    if (argc > 16) {
        __recut_say("makecontext with more than 16 arguments", NULL);
        abort();
    }
    struct stack_range data = take_data_stack(ucontext);
    if (!data.low) {
        __recut_say("no room for another coroutine's data stack", NULL);
        abort();
    }
    makecontext(ucontext, entry, argc, args[0], args[1], args[2], args[3], args[4], args[5],
                args[6], args[7], args[8], args[9], args[10], args[11], args[12], args[13],
                args[14], args[15]);
    greg_t *registers = ucontext->uc_mcontext.gregs;
    registers[REG_R12] = registers[REG_RIP];
    registers[REG_R13] = (greg_t)data.high;
    registers[REG_R14] = (greg_t)data.low;
    registers[REG_RIP] = (greg_t)context_entry;
}

int __recut_swapcontext(ucontext_t *, const ucontext_t *);
int __recut_swapcontext(ucontext_t *from, const ucontext_t *to) {
    char *data_stack = __recut_self.data_stack, *limit = __recut_self.stack_limit;
    int result = swapcontext(from, to);
    /* Whoever resumed us left its own here. A context may go on in another
     * thread; this function's TLS address must not be cached across the call. */
    __asm__ volatile("movq %0, %%fs:__recut_self@tpoff\n\t"
                     "movq %1, %%fs:__recut_self@tpoff+24"
                     :
                     : "r"(data_stack), "r"(limit)
                     : "memory");
    return result;
}
