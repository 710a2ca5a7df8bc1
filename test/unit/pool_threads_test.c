/* The heap pool with threads: frees by other threads, the shared range, fork. */
#include "pool_shadow.h"

static void *hash_thread(void *arg) {
    uint64_t *slot_and_hash = arg;
    __recut_self.slot = (uint32_t)slot_and_hash[0];
    slot_and_hash[1] = address_hash(slot_and_hash[0] * 77, 30000);
    __recut_pool_thread_exit();
    return NULL;
}

static void print_hashes(void) {
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

static void addresses_are_the_same_in_every_process(void **state) {
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

enum { THREADS = 4, BOX = 256 };
static struct block boxes[THREADS][BOX];
static pthread_mutex_t box_lock[THREADS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                            PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* Takes blocks out of any thread's box, checks and frees them, puts its own in. */
static void *exchange_thread(void *arg) {
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

static void threads_free_each_others_blocks(void **state) {
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

static void *allocate_much(void *arg) {
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
static void a_thread_can_outgrow_its_window(void **state) {
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

static void *hold(void *arg) {
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

static void *fresh_thread(void *arg) {
    (void)arg;
    __recut_self.slot = 11;
    unsigned char *p = __recut_pool_malloc(100);
    EXPECT(p != NULL && p != hold_block);
    __recut_pool_free(p);
    EXPECT(address_hash(5, 5000) != 0);
    return NULL;
}

/* In the child, slot 11's old arena is nobody's; a new thread there starts anew. */
static void use_slot_after_fork(void) {
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

static void fork_with_other_threads(void **state) {
    (void)state;
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_barrier_wait(&barrier);
    passes(use_slot_after_fork);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}

static void *free_remotely(void *arg) {
    __recut_self.slot = 12;
    __recut_pool_free(arg);
    return NULL;
}

static size_t bad_size;

static void free_twice_by_two_threads(void) {
    pthread_t thread;
    void *p = __recut_pool_malloc(bad_size);
    if (bad_size % 2)
        __recut_pool_free(p);
    pthread_create(&thread, NULL, free_remotely, p);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, free_remotely, p);
    pthread_join(thread, NULL);
}

static void remote_double_frees_abort(void **state) {
    (void)state;
    const size_t sizes[] = {100, 101, 30000, 30001, MIB, MIB + 1};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        bad_size = sizes[i];
        dies_saying(free_twice_by_two_threads, "free(): double free detected in recut's pool");
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "hashes") == 0) {
        print_hashes();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_the_same_in_every_process),
        cmocka_unit_test(threads_free_each_others_blocks),
        cmocka_unit_test(a_thread_can_outgrow_its_window),
        cmocka_unit_test(fork_with_other_threads),
        cmocka_unit_test(remote_double_frees_abort),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]); /* one test, by name */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
