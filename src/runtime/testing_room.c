/* How much of the machine stack does a test have?  See testing_room.h. */
#include "runtime/testing_room.h"

#include <stddef.h>
#include <sys/mman.h>

#include "runtime/raw.h"

enum {
    page = 4096,
    least = 16,
};

static struct {
    void *back[5];
    uint64_t slot; /* of the function's return address, where the test begins at the top */
    char *low;     /* nothing is below it once it is closed */
    char *all;     /* where the stack ended before that */
} test;

/* Instead of setting memory, which is what a test does first. */
static void measure(const char *path, void *const *symbols, uint64_t data_stack) {
    (void)path, (void)symbols, (void)data_stack;
    test.slot = (uint64_t)__builtin_frame_address(0) + sizeof(uint64_t);
    __builtin_longjmp(test.back, 1);
}

static __attribute__((noreturn, used)) void run_measured(recut_test_main_function *run) {
    static const struct recut_test given = {.memory = measure};
    run(&given);
    __builtin_trap(); /* each test sets memory */
}

static __attribute__((noinline)) void find_room(recut_test_main_function *run, char *top) {
    if (__builtin_setjmp(test.back))
        return;
    __asm__ volatile("movq %0, %%rsp\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "pushq $0\n\t"
                     "jmp *%1"
                     :
                     : "r"(top), "r"(run_measured), "D"(run)
                     : "memory");
    __builtin_unreachable();
}

char *__recut_testing_top(recut_test_main_function *run, uint64_t room,
                          const struct stack_range *machine) {
    char *high = machine->high;
    if (room < least)
        return high;
    find_room(run, high);
    uint64_t used = (uint64_t)high - test.slot;
    room += -(room + used) % 16;
    if (room + used + page > (uint64_t)(high - (char *)machine->low))
        return high;
    test.low = (char *)(((uint64_t)high - used - room) & ~(uint64_t)(page - 1));
    return test.low + room + used;
}

void __recut_testing_probe(void) {
    enum { taken = 8 << 10 };
    volatile char *here = __builtin_frame_address(0);
    for (size_t at = 0; test.low && at < taken; at += 256)
        (void)*(here - at);
}

void __recut_testing_close(struct stack_range *machine) {
    if (!test.low)
        return;
    test.all = machine->low;
    machine->low = test.low;
    raw_syscall3(SYS_mprotect, (long)test.all, test.low - test.all, PROT_NONE);
}

void __recut_testing_open(struct stack_range *machine) {
    if (!test.all)
        return;
    machine->low = test.all;
    raw_syscall3(SYS_mprotect, (long)test.all, test.low - test.all, PROT_READ | PROT_WRITE);
}
