/*
 * What the pool's tests share: a shadow that knows every live block, its size
 * and the byte it is filled with, and a child for what ends a process.
 */
#ifndef RECUT_TEST_POOL_SHADOW_H
#define RECUT_TEST_POOL_SHADOW_H

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/pool.h"
#include "runtime/self.h"

/* The runtime has it in thread.c, which is no part of these tests. */
_Thread_local struct recut_self __recut_self;

#define KIB 1024UL
#define MIB (1024 * KIB)
#define COUNT(a) (sizeof(a) / sizeof *(a))

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static inline struct pool_stats stats(void) {
    struct pool_stats s;
    __recut_pool_stats(&s);
    return s;
}

struct block {
    unsigned char *p;
    size_t size;
    unsigned char fill;
};

static inline void fill(struct block *b, size_t from) {
    memset(b->p + from, b->fill, b->size - from);
}

static inline void check(const struct block *b, size_t upto) {
    /* A comparison with itself, shifted, is as fast as memcmp. */
    if (upto != 0)
        assert_int_equal(b->p[0], b->fill);
    if (upto > 1)
        assert_memory_equal(b->p, b->p + 1, upto - 1);
}

static inline void check_new(struct block *b, size_t align) {
    assert_non_null(b->p);
    assert_true(pool_contains(b->p));
    assert_int_equal((uintptr_t)b->p % align, 0);
    size_t usable = __recut_pool_usable_size(b->p);
    assert_true(usable >= b->size);
    void *start = NULL;
    size_t size = 0;
    assert_true(__recut_pool_find(b->p + usable - 1, &start, &size));
    assert_ptr_equal(start, b->p);
    assert_int_equal(size, usable);
}

static inline int by_address(const void *a, const void *b) {
    const struct block *x = a, *y = b;
    return x->p < y->p ? -1 : x->p > y->p;
}

static inline void check_no_overlap(const struct block *blocks, size_t n) {
    struct block *sorted = calloc(n, sizeof *sorted);
    size_t live = 0;
    for (size_t i = 0; i < n; i++)
        if (blocks[i].p != NULL)
            sorted[live++] = blocks[i];
    qsort(sorted, live, sizeof *sorted, by_address);
    for (size_t i = 1; i < live; i++)
        assert_true(sorted[i - 1].p + __recut_pool_usable_size(sorted[i - 1].p) <= sorted[i].p);
    free(sorted);
}

/* Mostly small, now and then up to 300 KiB, seldom up to 8 MiB. */
static inline size_t random_size(uint64_t *seed) {
    uint64_t r = next_random(seed);
    switch (r % 64) {
    case 0:
        return (r >> 8) % (r % 1024 == 0 ? 8 * MIB : 300 * KIB);
    case 1 ... 7:
        return (r >> 8) % (40 * KIB);
    case 8 ... 20:
        return (r >> 8) % 2100;
    default:
        return (r >> 8) % 300;
    }
}

static inline void step(struct block *b, uint64_t *seed) {
    uint64_t r = next_random(seed);
    size_t size = random_size(seed);
    errno = 1234;
    if (b->p == NULL) {
        size_t align = 16;
        b->size = size;
        b->fill = (unsigned char)(r >> 32);
        if (r % 8 == 0) {
            b->p = __recut_pool_calloc(1, size);
            unsigned char want = b->fill;
            b->fill = 0;
            check(b, size);
            b->fill = want;
        } else if (r % 8 == 1) {
            align = 1UL << (r >> 40) % 18;
            b->p = __recut_pool_memalign(align, size);
        } else {
            b->p = __recut_pool_malloc(size);
        }
        check_new(b, align < 16 ? 16 : align);
        fill(b, 0);
        return;
    }
    check(b, b->size);
    if (r % 3 == 0 && size != 0) {
        size_t kept = size < b->size ? size : b->size;
        if (r % 4 == 0)
            size = b->size + size / 16 + 1; /* growth by little */
        b->p = __recut_pool_realloc(b->p, size);
        kept = size < b->size ? size : b->size;
        check(b, kept);
        b->size = size;
        check_new(b, 16);
        fill(b, kept);
    } else {
        __recut_pool_free(b->p);
        b->p = NULL;
    }
}

/* A hash of all addresses that `steps` random calls give. */
static inline uint64_t address_hash(uint64_t seed, int steps) {
    static _Thread_local struct block blocks[500];
    uint64_t hash = 1;
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < steps; i++) {
        struct block *b = &blocks[next_random(&seed) % COUNT(blocks)];
        step(b, &seed);
        hash = (hash ^ (uintptr_t)b->p) * 0x100000001b3;
    }
    for (size_t i = 0; i < COUNT(blocks); i++)
        __recut_pool_free(blocks[i].p);
    return hash;
}

/* Runs `body` in a child; gives its wait status and what it wrote to stderr. */
static inline int in_child(void (*body)(void), char *text, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        __recut_pool_fork_child();
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while (n < size - 1 && (got = read(ends[0], text + n, size - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static inline void dies_saying(void (*body)(void), const char *message) {
    char text[512];
    int status = in_child(body, text, sizeof text);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(text, message) == NULL)
        fail_msg("status %#x, said \"%s\", not \"%s\"", status, text, message);
}

static inline void passes(void (*body)(void)) {
    char text[512];
    int status = in_child(body, text, sizeof text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("status %#x, said \"%s\"", status, text);
}

#define EXPECT(x)                                                                                  \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            dprintf(STDERR_FILENO, "line %d: %s\n", __LINE__, #x);                                 \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif
