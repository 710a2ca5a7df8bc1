/* Stacks at fixed addresses; see stack.h. Runs before libc is up. */
#include "runtime/stack.h"

#include <stddef.h>
#include <sys/resource.h>

#include "format/layout.h"
#include "runtime/raw.h"

enum { page_size = 4096 };

uint64_t __recut_stack_limit(void) {
    struct rlimit limit;
    uint64_t size = 8 * RECUT_MIB;
    if (raw_syscall3(SYS_getrlimit, RLIMIT_STACK, (long)&limit, 0) == 0)
        size = limit.rlim_cur;
    if (size > RECUT_STACK_MAX)
        size = RECUT_STACK_MAX;
    if (size < 64 * RECUT_KIB)
        size = 64 * RECUT_KIB;
    return size & ~(uint64_t)(page_size - 1);
}

/* Main's stacks are marked as such (MAP_GROWSDOWN): the kernel then counts them
 * as stack and not as data, so `ulimit -d` means what it did. They are mapped
 * whole, and beyond the limit of the stack it does not grow them. */
static bool map_below(uint64_t top, uint64_t size, int flags, struct stack_range *ret) {
    for (; size >= 64 * RECUT_KIB; size = (size / 2) & ~(uint64_t)(page_size - 1)) {
        if (raw_map_with(top - size, size, flags) != 0)
            continue;
        /* Huge pages would cost megabytes for a few frames. */
        raw_syscall3(SYS_madvise, (long)(top - size), (long)size, MADV_NOHUGEPAGE);
        *ret = (struct stack_range){(char *)(top - size), (char *)top};
        return true;
    }
    return false;
}

bool __recut_stack_main(uint64_t size, struct stack_range *ret) {
    return map_below(RECUT_DATA_STACK_TOP, size > RECUT_STACK_MAX ? RECUT_STACK_MAX : size,
                     MAP_GROWSDOWN, ret);
}

bool __recut_stack_main_machine(uint64_t size, struct stack_range *ret) {
    return map_below(RECUT_MACHINE_STACK_TOP, size, MAP_GROWSDOWN, ret);
}

bool __recut_stack_test_machine(uint64_t size, struct stack_range *ret) {
    return map_below(RECUT_TEST_STACK_TOP, size, 0, ret);
}

/* What is mapped of each slot's window; never shrinks. */
static uint32_t mapped_pages[RECUT_MAX_THREADS];

bool __recut_stack_thread(uint32_t slot, uint64_t size, struct stack_range *ret) {
    uint64_t top = RECUT_THREAD_STACKS + (slot + 1ULL) * RECUT_THREAD_STACK_WINDOW;
    uint64_t most = RECUT_THREAD_STACK_WINDOW - RECUT_STACK_GUARD;
    size = (size + page_size - 1) & ~(uint64_t)(page_size - 1);
    if (size > most)
        size = most;
    uint64_t have = (uint64_t)mapped_pages[slot] * page_size;
    struct stack_range range = {(char *)(top - have), (char *)top};
    if (have < size) {
        if (!map_below(top - have, size - have, 0, &range))
            return false;
        range.high = (char *)top;
        mapped_pages[slot] = (uint32_t)((top - (uint64_t)range.low) / page_size);
    }
    *ret = range;
    return true;
}

void __recut_stack_thread_done(const struct stack_range *range) {
    raw_syscall3(SYS_madvise, (long)range->low, range->high - range->low, MADV_DONTNEED);
}
