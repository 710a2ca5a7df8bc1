/*
 * The heap pool, against a shadow and against its promises.
 *
 * The shadow knows every live block, its size and the byte it is filled with;
 * after each step blocks are compared with it.  What ends a process (aborts,
 * limits, determinism) is tried in a child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/runtime/pool.h"
#include "../../src/runtime/self.h"

_Thread_local struct recut_self __recut_self;

#define KIB 1024UL
#define MIB (1024 * KIB)
#define COUNT(a) (sizeof(a) / sizeof *(a))

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static struct pool_stats stats(void)
{
    struct pool_stats s;
    __recut_pool_stats(&s);
    return s;
}

/* ---- shadow ---- */

struct block {
    unsigned char *p;
    size_t size;
    unsigned char fill;
};

static void fill(struct block *b, size_t from)
{
    memset(b->p + from, b->fill, b->size - from);
}

static void check(const struct block *b, size_t upto)
{
    /* A comparison with itself, shifted, is as fast as memcmp. */
    if (upto != 0)
        assert_int_equal(b->p[0], b->fill);
    if (upto > 1)
        assert_memory_equal(b->p, b->p + 1, upto - 1);
}

static void check_new(struct block *b, size_t align)
{
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

static int by_address(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return x->p < y->p ? -1 : x->p > y->p;
}

static void check_no_overlap(const struct block *blocks, size_t n)
{
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
static size_t random_size(uint64_t *seed)
{
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

static void step(struct block *b, uint64_t *seed)
{
    uint64_t r = next_random(seed);
    size_t size = random_size(seed);
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

static void random_calls_agree_with_a_shadow(void **state)
{
    (void)state;
    static struct block blocks[3000];
    size_t before = stats().live_blocks;
    for (uint64_t round = 1; round <= 6; round++) {
        uint64_t seed = round * 0x9e3779b97f4a7c15;
        size_t n = round % 2 ? COUNT(blocks) : COUNT(blocks) / 30;
        for (int i = 0; i < 60000; i++) {
            step(&blocks[next_random(&seed) % n], &seed);
            if (i % 20000 == 0)
                check_no_overlap(blocks, n);
        }
        size_t live = 0;
        for (size_t i = 0; i < n; i++)
            live += blocks[i].p != NULL;
        assert_int_equal(stats().live_blocks, before + live);
        for (size_t i = 0; i < n; i++) {
            if (blocks[i].p == NULL)
                continue;
            check(&blocks[i], blocks[i].size);
            __recut_pool_free(blocks[i].p);
            blocks[i].p = NULL;
        }
        assert_int_equal(stats().live_blocks, before);
    }
}

/* ---- single promises ---- */

static void every_size_fits_its_class(void **state)
{
    (void)state;
    for (size_t size = 0; size < 40000; size++) {
        struct block b = {.p = __recut_pool_malloc(size), .size = size};
        check_new(&b, 16);
        size_t usable = __recut_pool_usable_size(b.p);
        /* A fifth at most is rounded up; small sizes to 16, pages above 32 KiB. */
        assert_true(usable <= 16 || usable - size < 16 || usable <= size + size / 4);
        __recut_pool_free(b.p);
    }
}

static void zero_sizes(void **state)
{
    (void)state;
    void *a = __recut_pool_malloc(0), *b = __recut_pool_malloc(0), *c = __recut_pool_calloc(0, 7);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(b, c);
    assert_null(__recut_pool_realloc(a, 0));
    __recut_pool_free(b);
    __recut_pool_free(c);
    __recut_pool_free(NULL);
    assert_int_equal(__recut_pool_usable_size(NULL), 0);
    a = __recut_pool_realloc(NULL, 10);
    assert_non_null(a);
    __recut_pool_free(a);
}

static void impossible_sizes(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, 1UL << 62, 1UL << 45, 3UL << 40};
    void *p = __recut_pool_malloc(100);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        errno = 0;
        assert_null(__recut_pool_malloc(sizes[i]));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(__recut_pool_realloc(p, sizes[i]));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(__recut_pool_memalign(64, sizes[i]));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(__recut_pool_calloc(sizes[i], 3));
        assert_int_equal(errno, ENOMEM);
    }
    errno = 0;
    assert_null(__recut_pool_calloc(1UL << 33, 1UL << 33));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(__recut_pool_memalign(1UL << 60, 10));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(__recut_pool_memalign(48, 10));
    assert_int_equal(errno, EINVAL);
    __recut_pool_free(p);
}

static void alignments_up_to_a_gibibyte(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 100, 5000, 33000, 3 * MIB};
    for (size_t align = 1; align <= 1024 * MIB; align *= 2)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            struct block b = {.p = __recut_pool_memalign(align, sizes[i]), .size = sizes[i]};
            check_new(&b, align < 16 ? 16 : align);
            fill(&b, 0);
            __recut_pool_free(b.p);
        }
}

static void large_calloc_is_zero_after_use(void **state)
{
    (void)state;
    for (size_t size = 40 * KIB; size < 200 * MIB; size = size * 3 / 2) {
        unsigned char *p = __recut_pool_calloc(size, 1);
        assert_non_null(p);
        for (size_t i = 0; i < size; i += 1000)
            assert_int_equal(p[i], 0);
        assert_int_equal(p[size - 1], 0);
        memset(p, 0xa5, size);
        __recut_pool_free(p);
    }
}

static void big_realloc_grows_in_place(void **state)
{
    (void)state;
    struct block b = {.p = NULL, .size = 0, .fill = 0x5a};
    unsigned moves = 0;
    for (size_t size = 64 * KIB; size <= 256 * MIB; size += size / 16) {
        unsigned char *old = b.p;
        b.p = __recut_pool_realloc(b.p, size);
        assert_non_null(b.p);
        moves += b.p != old;
        size_t kept = b.size;
        b.size = size;
        fill(&b, kept);
    }
    check(&b, b.size);
    assert_true(moves < 20);
    b.p = __recut_pool_realloc(b.p, 100 * KIB);
    b.size = 100 * KIB;
    check(&b, b.size);
    b.p = __recut_pool_realloc(b.p, 100);
    b.size = 100;
    check(&b, b.size);
    __recut_pool_free(b.p);
}

/* With another block behind it at each step, a buffer must not be copied each time. */
static void interleaved_growth_moves_seldom(void **state)
{
    (void)state;
    unsigned char *p = __recut_pool_malloc(64 * KIB);
    static void *others[2000];
    unsigned moves = 0;
    for (size_t i = 0; i < COUNT(others); i++) {
        unsigned char *old = p;
        p = __recut_pool_realloc(p, 64 * KIB + i * 4096);
        moves += p != old;
        others[i] = __recut_pool_malloc(33 * KIB);
    }
    assert_true(moves < 60);
    for (size_t i = 0; i < COUNT(others); i++)
        __recut_pool_free(others[i]);
    __recut_pool_free(p);
}

static void find_knows_live_and_freed_objects(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 16, 100, 1000, 20000, 100000, 5 * MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *p = __recut_pool_malloc(sizes[i]);
        void *start = NULL;
        size_t size = 0;
        assert_true(__recut_pool_find(p + sizes[i] / 2, &start, &size));
        assert_ptr_equal(start, p);
        __recut_pool_free(p);
        start = NULL;
        assert_true(__recut_pool_find(p + sizes[i] / 2, &start, &size));
        assert_ptr_equal(start, p);
        assert_true(size >= sizes[i]);
    }
    void *start = &start;
    size_t size = 42;
    const uintptr_t wild[] = {0,
                              (uintptr_t)&start,
                              RECUT_POOL_BASE,
                              RECUT_POOL_BASE - 1,
                              RECUT_POOL_MAIN_END - 1,
                              RECUT_POOL_THREADS + 7,
                              RECUT_POOL_THREADS + 77 * RECUT_POOL_THREAD_WINDOW + 100,
                              RECUT_POOL_SHARED + 100 * RECUT_GIB,
                              RECUT_POOL_END - 1,
                              RECUT_POOL_END,
                              UINTPTR_MAX};
    for (size_t i = 0; i < COUNT(wild); i++)
        assert_false(__recut_pool_find((void *)wild[i], &start, &size));
    assert_ptr_equal(start, &start);
    assert_int_equal(size, 42);
}

/* Phases of different sizes: each must be able to use what the last one left. */
static void memory_is_reused_between_phases(void **state)
{
    (void)state;
    static void *blocks[1 << 20];
    size_t peak = 0;
    const size_t sizes[] = {16, 5000, 48, 700, 100 * KIB, 240, 31 * KIB, 2 * MIB, 64, 1200};
    for (size_t phase = 0; phase < 3 * COUNT(sizes); phase++) {
        size_t size = sizes[phase % COUNT(sizes)], n = 32 * MIB / size;
        n = n > COUNT(blocks) ? COUNT(blocks) : n;
        for (size_t i = 0; i < n; i++)
            blocks[i] = __recut_pool_malloc(size);
        for (size_t i = 0; i < n; i++)
            __recut_pool_free(blocks[phase % 2 ? i : n - 1 - i]);
        struct pool_stats s = stats();
        if (phase == 0)
            peak = s.span_bytes + s.free_bytes;
        assert_true(s.span_bytes < 12 * MIB);
    }
    struct pool_stats s = stats();
    /* Spares and current spans of classes are all that may be in the way. */
    assert_true(s.span_bytes + s.free_bytes < peak + 64 * MIB);
}

static void memory_goes_back_to_the_kernel(void **state)
{
    (void)state;
    char *p[8];
    for (int i = 0; i < 8; i++) {
        p[i] = __recut_pool_malloc(64 * MIB);
        memset(p[i], 1, 64 * MIB);
    }
    for (int i = 0; i < 8; i++)
        __recut_pool_free(p[i]);
    struct pool_stats s = stats();
    assert_true(s.dirty_bytes <= s.free_bytes);
    assert_true(s.dirty_bytes < 400 * MIB);
}

/* ---- in a child ---- */

/* Runs `body` in a child; gives its wait status and what it wrote to stderr. */
static int in_child(void (*body)(void), char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    __recut_pool_fork_prepare();
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
    __recut_pool_fork_parent();
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

static void dies_saying(void (*body)(void), const char *message)
{
    char text[512];
    int status = in_child(body, text, sizeof text);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(text, message) == NULL)
        fail_msg("status %#x, said \"%s\", not \"%s\"", status, text, message);
}

static void passes(void (*body)(void))
{
    char text[512];
    int status = in_child(body, text, sizeof text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("status %#x, said \"%s\"", status, text);
}

#define EXPECT(x)                                                              \
    do {                                                                       \
        if (!(x)) {                                                            \
            dprintf(STDERR_FILENO, "line %d: %s\n", __LINE__, #x);             \
            _exit(1);                                                          \
        }                                                                      \
    } while (0)

static size_t bad_size;

static void free_twice(void)
{
    void *p = __recut_pool_malloc(bad_size);
    __recut_pool_free(p);
    __recut_pool_free(p);
}

static void free_inside(void)
{
    __recut_pool_free((char *)__recut_pool_malloc(bad_size) + 16);
}

static void realloc_freed(void)
{
    void *p = __recut_pool_malloc(bad_size);
    __recut_pool_free(p);
    p = __recut_pool_realloc(p, 2 * bad_size);
}

/* Spans whose pages have been given back and joined with others. */
static void free_twice_much_later(void)
{
    static void *p[10000];
    for (size_t i = 0; i < COUNT(p); i++)
        p[i] = __recut_pool_malloc(bad_size);
    for (size_t i = 0; i < COUNT(p); i++)
        __recut_pool_free(p[i]);
    __recut_pool_free(p[COUNT(p) / 2]);
}

static uintptr_t bad_pointer;

static void free_wild(void)
{
    __recut_pool_free(__recut_pool_malloc(1));
    __recut_pool_free((void *)bad_pointer);
}

static void wrong_frees_abort(void **state)
{
    (void)state;
    const size_t sizes[] = {16, 100, 1000, 30000, 50000, MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        bad_size = sizes[i];
        dies_saying(free_twice, "free(): double free detected in recut's pool");
        dies_saying(realloc_freed, "realloc(): block was freed before");
        if (bad_size != 16)
            dies_saying(free_inside, "free(): invalid pointer");
    }
    for (bad_size = 16; bad_size < 20000; bad_size *= 3)
        dies_saying(free_twice_much_later, "free(): double free detected in recut's pool");
    const uintptr_t wild[] = {(uintptr_t)&bad_size, 8, RECUT_POOL_BASE, RECUT_POOL_BASE + 8192 + 8,
                              RECUT_POOL_BASE + RECUT_GIB * 900, RECUT_POOL_THREADS + 16,
                              RECUT_POOL_THREADS + 5 * RECUT_POOL_THREAD_WINDOW,
                              RECUT_POOL_SHARED + 99 * RECUT_MIB};
    for (size_t i = 0; i < COUNT(wild); i++) {
        bad_pointer = wild[i];
        dies_saying(free_wild, "free(): invalid pointer");
    }
}

/* Writes all over freed and neighbouring blocks must not reach the pool's data. */
static void trample(void)
{
    static unsigned char *p[1000];
    for (size_t i = 0; i < COUNT(p); i++)
        p[i] = __recut_pool_malloc(10 + i * 7);
    for (size_t i = 0; i < COUNT(p); i += 2)
        __recut_pool_free(p[i]);
    for (size_t i = 0; i < COUNT(p); i++)
        memset(p[i], 0xff, 10 + i * 7 + (i < 900 ? 64 : 0));
    for (size_t i = 0; i < COUNT(p); i += 2) {
        p[i] = __recut_pool_malloc(10 + i * 7);
        EXPECT(p[i] != NULL && pool_contains(p[i]));
    }
    for (size_t i = 0; i < COUNT(p); i++)
        __recut_pool_free(p[i]);
}

static void overflows_do_no_harm(void **state)
{
    (void)state;
    passes(trample);
}

static void low_memory(void)
{
    static void *p[20000];
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    EXPECT(f != NULL && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    limit.rlim_cur = pages * 4096 + 40 * MIB;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    for (int round = 0; round < 3; round++) {
        const size_t sizes[] = {100 * KIB, 2000, 64 * KIB};
        size_t size = sizes[round], n = 0, total = 0;
        errno = 0;
        while (n < COUNT(p) && (p[n] = __recut_pool_malloc(size)) != NULL) {
            memset(p[n++], 1, size);
            total += size;
        }
        EXPECT(n == COUNT(p) || errno == ENOMEM);
        EXPECT(n == COUNT(p) || total > 25 * MIB);
        errno = 0;
        EXPECT(n == COUNT(p) || (__recut_pool_realloc(p[0], 500 * MIB) == NULL && errno == ENOMEM));
        EXPECT(n == COUNT(p) || (__recut_pool_calloc(1, 500 * MIB) == NULL && errno == ENOMEM));
        void *small = __recut_pool_malloc(size / 2);
        __recut_pool_free(small);
        while (n > 0)
            __recut_pool_free(p[--n]);
    }
}

/* A heap of a gigabyte that was freed must not hide the limit. */
static void no_memory_is_survived(void **state)
{
    (void)state;
    char *argv[] = {"pool_test", "low-memory", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

/* ---- determinism ---- */

static uint64_t address_hash(uint64_t seed, int steps)
{
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

static void *hash_thread(void *arg)
{
    uint64_t *slot_and_hash = arg;
    __recut_self.slot = (uint32_t)slot_and_hash[0];
    slot_and_hash[1] = address_hash(slot_and_hash[0] * 77, 30000);
    __recut_pool_thread_exit();
    return NULL;
}

static void print_hashes(void)
{
    uint64_t runs[4][2] = {{1}, {2}, {3}, {0}};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, hash_thread, runs[i]);
    runs[3][1] = address_hash(42, 30000);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++)
        printf("%016lx\n", runs[i][1]);
}

static void addresses_are_the_same_in_every_process(void **state)
{
    (void)state;
    char first[200] = "", again[200];
    for (int i = 0; i < 4; i++) {
        FILE *f = popen("/proc/$PPID/exe hashes", "r");
        assert_non_null(f);
        size_t n = fread(again, 1, sizeof again - 1, f);
        again[n] = '\0';
        assert_int_equal(pclose(f), 0);
        assert_int_equal(n, 4 * 17);
        if (i == 0)
            strcpy(first, again);
        assert_string_equal(first, again);
    }
}

/* ---- threads ---- */

enum { THREADS = 4, BOX = 256 };
static struct block boxes[THREADS][BOX];
static pthread_mutex_t box_lock[THREADS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER};

/* Takes blocks out of any thread's box, checks and frees them, puts its own in. */
static void *exchange_thread(void *arg)
{
    uint32_t me = (uint32_t)(uintptr_t)arg;
    uint64_t seed = me * 0x1234567;
    __recut_self.slot = me;
    for (int i = 0; i < 100000; i++) {
        uint64_t r = next_random(&seed);
        unsigned to = r % THREADS, at = (r >> 8) % BOX;
        struct block mine = {.size = random_size(&seed) % (100 * KIB), .fill = (unsigned char)r};
        mine.p = __recut_pool_malloc(mine.size);
        if (mine.p == NULL)
            return "no memory";
        fill(&mine, 0);
        pthread_mutex_lock(&box_lock[to]);
        struct block old = boxes[to][at];
        boxes[to][at] = mine;
        pthread_mutex_unlock(&box_lock[to]);
        if (old.p == NULL)
            continue;
        for (size_t k = 0; k < old.size; k++)
            if (old.p[k] != old.fill)
                return "content changed";
        if (r % 5 == 0)
            old.p = __recut_pool_realloc(old.p, old.size + 100);
        __recut_pool_free(old.p);
    }
    __recut_pool_thread_exit();
    return NULL;
}

static void threads_free_each_others_blocks(void **state)
{
    (void)state;
    size_t before = stats().live_blocks;
    for (int round = 0; round < 2; round++) {
        pthread_t threads[THREADS];
        for (uintptr_t i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, exchange_thread, (void *)(i + 1));
        for (int i = 0; i < THREADS; i++) {
            void *result;
            pthread_join(threads[i], &result);
            assert_null(result);
        }
    }
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < BOX; k++) {
            __recut_pool_free(boxes[i][k].p);
            boxes[i][k].p = NULL;
        }
    /* Frees that no owner has collected yet still count as live. */
    assert_true(stats().live_blocks >= before);
    assert_true(stats().mapped_bytes < 4096 * MIB);
}

static void *allocate_much(void *arg)
{
    static void *p[400];
    __recut_self.slot = (uint32_t)(uintptr_t)arg;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT(p); i++) {
            size_t size = i % 50 == 0 ? 70 * MIB : i % 2 ? MIB : 3000;
            if ((p[i] = __recut_pool_malloc(size)) == NULL)
                return "no memory";
            memset(p[i], 7, size < MIB ? size : 5000);
            if (__recut_pool_usable_size(p[i]) < size)
                return "size";
        }
        for (size_t i = 0; i < COUNT(p); i++)
            __recut_pool_free(p[i]);
    }
    __recut_pool_thread_exit();
    return NULL;
}

/* More than a thread's window holds comes from the shared range, and is reused. */
static void a_thread_can_outgrow_its_window(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, allocate_much, (void *)9);
        pthread_join(thread, &result);
        assert_null(result);
    }
    assert_true(stats().mapped_bytes < 6000 * MIB);
}

static void *hold_block;
static pthread_barrier_t barrier;

static void *hold(void *arg)
{
    (void)arg;
    __recut_self.slot = 11;
    hold_block = __recut_pool_malloc(100);
    memset(hold_block, 3, 100);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    __recut_pool_free(hold_block);
    __recut_pool_thread_exit();
    return NULL;
}

static void *fresh_thread(void *arg)
{
    (void)arg;
    __recut_self.slot = 11;
    unsigned char *p = __recut_pool_malloc(100);
    EXPECT(p != NULL && p != hold_block);
    __recut_pool_free(p);
    EXPECT(address_hash(5, 5000) != 0);
    return NULL;
}

/* In the child, slot 11's old arena is nobody's; a new thread there starts anew. */
static void use_slot_after_fork(void)
{
    pthread_t thread;
    EXPECT(((unsigned char *)hold_block)[99] == 3);
    EXPECT(__recut_pool_usable_size(hold_block) >= 100);
    EXPECT(pthread_create(&thread, NULL, fresh_thread, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    void *start;
    size_t size;
    EXPECT(__recut_pool_find(hold_block, &start, &size) && start == hold_block);
    hold_block = __recut_pool_realloc(hold_block, 1000);
    EXPECT(((unsigned char *)hold_block)[99] == 3);
    __recut_pool_free(hold_block);
}

static void fork_with_other_threads(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_barrier_wait(&barrier);
    passes(use_slot_after_fork);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}

static void *free_remotely(void *arg)
{
    __recut_self.slot = 12;
    __recut_pool_free(arg);
    return NULL;
}

static void free_twice_by_two_threads(void)
{
    pthread_t thread;
    void *p = __recut_pool_malloc(bad_size);
    if (bad_size % 2)
        __recut_pool_free(p);
    pthread_create(&thread, NULL, free_remotely, p);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, free_remotely, p);
    pthread_join(thread, NULL);
}

static void remote_double_frees_abort(void **state)
{
    (void)state;
    const size_t sizes[] = {100, 101, 30000, 30001, MIB, MIB + 1};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        bad_size = sizes[i];
        dies_saying(free_twice_by_two_threads, "free(): double free detected in recut's pool");
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "hashes") == 0) {
        print_hashes();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "low-memory") == 0) {
        low_memory();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_fits_its_class),
        cmocka_unit_test(zero_sizes),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(find_knows_live_and_freed_objects),
        cmocka_unit_test(random_calls_agree_with_a_shadow),
        cmocka_unit_test(memory_is_reused_between_phases),
        cmocka_unit_test(alignments_up_to_a_gibibyte),
        cmocka_unit_test(large_calloc_is_zero_after_use),
        cmocka_unit_test(big_realloc_grows_in_place),
        cmocka_unit_test(interleaved_growth_moves_seldom),
        cmocka_unit_test(memory_goes_back_to_the_kernel),
        cmocka_unit_test(wrong_frees_abort),
        cmocka_unit_test(overflows_do_no_harm),
        cmocka_unit_test(no_memory_is_survived),
        cmocka_unit_test(addresses_are_the_same_in_every_process),
        cmocka_unit_test(threads_free_each_others_blocks),
        cmocka_unit_test(a_thread_can_outgrow_its_window),
        cmocka_unit_test(fork_with_other_threads),
        cmocka_unit_test(remote_double_frees_abort),
    };
    /* One test can be named: CMOCKA_TEST_FILTER does not exist in every version. */
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
