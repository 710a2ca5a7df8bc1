/*
 * The heap pool in one thread, against a shadow and against its promises.
 * What ends a process (aborts, limits) is tried in a child.
 */
#include <sys/resource.h>

#include "pool_shadow.h"

static void random_calls_agree_with_a_shadow(void **state) {
    (void)state;
    static struct block blocks[3000];
    size_t before = stats().live_blocks;
    for (uint64_t round = 1; round <= 6; round++) {
        uint64_t seed = round * 0x9e3779b97f4a7c15;
        size_t n = round % 2 ? COUNT(blocks) : COUNT(blocks) / 30;
        for (int i = 0; i < 60000; i++) {
            step(&blocks[next_random(&seed) % n], &seed);
            assert_int_equal(errno, 1234); /* step sets it first */
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

static void every_size_fits_its_class(void **state) {
    (void)state;
    for (size_t size = 0; size < 40000; size++) {
        struct block b = {.p = __recut_pool_malloc(size), .size = size};
        check_new(&b, 16);
        size_t usable = __recut_pool_usable_size(b.p);
        /* An eighth at most is rounded up; small sizes to 16, large ones to pages. */
        assert_true(usable <= 16 || usable - size < 16 || usable <= size + size / 4);
        __recut_pool_free(b.p);
    }
}

static void zero_sizes(void **state) {
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

static void impossible_sizes(void **state) {
    (void)state;
    const size_t sizes[] = {SIZE_MAX,  SIZE_MAX - 4096, SIZE_MAX / 2,
                            1UL << 62, 1UL << 45,       3UL << 40};
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

static void alignments_up_to_a_gibibyte(void **state) {
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

static void large_calloc_is_zero_after_use(void **state) {
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

static void big_realloc_grows_in_place(void **state) {
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
static void interleaved_growth_moves_seldom(void **state) {
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

static void find_knows_live_and_freed_objects(void **state) {
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
static void memory_is_reused_between_phases(void **state) {
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

/* The first time it is given back, the second time it is known to be missed. */
static void a_big_buffer_does_not_fault_every_time(void **state) {
    (void)state;
    long faults = 0;
    for (int i = 0; i < 10; i++) {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        if (i == 3)
            faults = usage.ru_minflt;
        char *p = __recut_pool_malloc(300 * MIB);
        assert_non_null(p);
        for (size_t at = 0; at < 300 * MIB; at += 4096)
            p[at] = 1;
        __recut_pool_free(p);
        getrusage(RUSAGE_SELF, &usage);
        if (i >= 3)
            assert_true(usage.ru_minflt - faults < 1000);
    }
}

static void memory_goes_back_to_the_kernel(void **state) {
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

static size_t bad_size;

static void free_twice(void) {
    void *p = __recut_pool_malloc(bad_size);
    __recut_pool_free(p);
    __recut_pool_free(p);
}

static void free_inside(void) { __recut_pool_free((char *)__recut_pool_malloc(bad_size) + 16); }

static void realloc_freed(void) {
    void *p = __recut_pool_malloc(bad_size);
    __recut_pool_free(p);
    p = __recut_pool_realloc(p, 2 * bad_size);
}

/* Spans whose pages have been given back and joined with others. */
static void free_twice_much_later(void) {
    static void *p[10000];
    for (size_t i = 0; i < COUNT(p); i++)
        p[i] = __recut_pool_malloc(bad_size);
    for (size_t i = 0; i < COUNT(p); i++)
        __recut_pool_free(p[i]);
    __recut_pool_free(p[COUNT(p) / 2]);
}

static uintptr_t bad_pointer;

static void free_wild(void) {
    __recut_pool_free(__recut_pool_malloc(1));
    __recut_pool_free((void *)bad_pointer);
}

static void wrong_frees_abort(void **state) {
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
    const uintptr_t wild[] = {(uintptr_t)&bad_size,
                              8,
                              RECUT_POOL_BASE,
                              RECUT_POOL_BASE + 8192 + 8,
                              RECUT_POOL_BASE + RECUT_GIB * 900,
                              RECUT_POOL_THREADS + 16,
                              RECUT_POOL_THREADS + 5 * RECUT_POOL_THREAD_WINDOW,
                              RECUT_POOL_SHARED + 99 * RECUT_MIB};
    for (size_t i = 0; i < COUNT(wild); i++) {
        bad_pointer = wild[i];
        dies_saying(free_wild, "free(): invalid pointer");
    }
}

/* Writes all over freed and neighbouring blocks must not reach the pool's data. */
static void trample(void) {
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

static void overflows_do_no_harm(void **state) {
    (void)state;
    passes(trample);
}

static void low_memory(void) {
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
static void no_memory_is_survived(void **state) {
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

int main(int argc, char **argv) {
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
        cmocka_unit_test(a_big_buffer_does_not_fault_every_time),
        cmocka_unit_test(memory_goes_back_to_the_kernel),
        cmocka_unit_test(wrong_frees_abort),
        cmocka_unit_test(overflows_do_no_harm),
        cmocka_unit_test(no_memory_is_survived),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]); /* one test, by name */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
