/*
 * System calls and messages that need nothing of libc: no errno, no locks, no
 * thread pointer.  Used before libc is up and inside signal handlers.
 */
#ifndef RECUT_RUNTIME_RAW_H
#define RECUT_RUNTIME_RAW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static inline long raw_syscall6(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long raw_syscall3(long number, long a, long b, long c) {
    return raw_syscall6(number, a, b, c, 0, 0, 0);
}

/* Maps zeroed, private, unreserved memory at exactly this address, with more
 * flags if need be; 0 or -errno. */
static inline long raw_map_with(uint64_t address, uint64_t size, int flags) {
    long got = raw_syscall6(
        SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE | flags, -1, 0);
    if (got == (long)address)
        return 0;
    if (got > 0) /* a kernel before 4.17 took the address for a hint */
        raw_syscall3(SYS_munmap, got, (long)size, 0);
    return got < 0 ? got : -17; /* EEXIST */
}

static inline long raw_map_at(uint64_t address, uint64_t size) {
    return raw_map_with(address, size, 0);
}

/* Memory for the moment, of no heap; NULL if there is none. */
static inline void *raw_scratch(size_t size) {
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at < 0 && at > -4096 ? NULL : (void *)at;
}

static inline void raw_scratch_end(void *at, size_t size) {
    if (at)
        raw_syscall3(SYS_munmap, (long)at, (long)size, 0);
}

/* Writes "recut: " and the parts, in order, up to the first NULL. */
void __recut_say(const char *first, ...) __attribute__((sentinel));
/* A number in decimal, in a buffer of the caller's (at least 24 bytes). */
const char *__recut_decimal(uint64_t value, char *buffer);

/* The value of a variable of the environment, NULL if it is not set. */
const char *__recut_variable(char **envp, const char *name);

#endif
