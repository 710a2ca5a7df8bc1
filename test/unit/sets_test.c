/*
 * Sets by numbers: random unions, elements and sweeps against bits in words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/sets.h"

enum { MOST = 64, SETS = 24, STEP = 13 }; /* elements, spread over several words */

struct pool {
    struct sets *sets;
    uint32_t ids[SETS];
    uint64_t bits[SETS];
};

static uint64_t bits_of(const struct sets *sets, uint32_t set) {
    uint64_t bits = 0;
    uint32_t count = 0;
    BITSET_EACH(element, sets_get(sets, set)) {
        assert_int_equal(element % STEP, 0);
        assert_true(element / STEP < MOST);
        bits |= 1ULL << element / STEP;
        count++;
    }
    assert_int_equal(count, __builtin_popcountll(bits));
    assert_int_equal(count, sets_count(sets, set));
    return bits;
}

/* Equal sets have one number, others have not. */
static void check(const struct pool *pool) {
    for (int i = 0; i < SETS; i++) {
        assert_true(bits_of(pool->sets, pool->ids[i]) == pool->bits[i]);
        assert_true((pool->ids[i] == SETS_EMPTY) == !pool->bits[i]);
        for (int k = 0; k < i; k++)
            assert_true((pool->ids[i] == pool->ids[k]) == (pool->bits[i] == pool->bits[k]));
    }
}

static void unite(struct pool *pool, int to, int a, int b, bool asks) {
    uint32_t news;
    uint64_t x = pool->bits[a], y = pool->bits[b];
    pool->ids[to] = sets_union(pool->sets, pool->ids[a], pool->ids[b], asks ? &news : NULL);
    pool->bits[to] = x | y;
    if (asks)
        assert_true(bits_of(pool->sets, news) == (y & ~x));
}

static void change(struct pool *pool) {
    int to = rand() % SETS, a = rand() % SETS, b = rand() % SETS;
    uint32_t element = (uint32_t)rand() % MOST;
    struct bitset one = {0};
    switch (rand() % 8) {
    case 0:
        bitset_add(&one, element * STEP);
        pool->ids[to] = sets_take(pool->sets, &one);
        pool->bits[to] = 1ULL << element;
        break;
    case 1:
        pool->ids[to] = SETS_EMPTY;
        pool->bits[to] = 0;
        break;
    case 2:
        pool->ids[to] = sets_add(pool->sets, pool->ids[a], element * STEP);
        pool->bits[to] = pool->bits[a] | 1ULL << element;
        break;
    default:
        unite(pool, to, a, b, rand() % 2);
    }
}

static void test_random(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 40; round++) {
        struct pool pool = {.sets = sets_new()};
        for (int i = 0; i < 2000; i++) {
            change(&pool);
            if (i % 97 == 0) {
                for (int k = 0; k < SETS; k++)
                    sets_mark(pool.sets, pool.ids[k]);
                sets_sweep(pool.sets);
            }
            if (i % 10 == 0)
                check(&pool);
        }
        check(&pool);
        sets_free(pool.sets);
    }
}

/* What was remembered of sets that are gone says nothing about those that got their numbers. */
static void test_numbers_again(void **state) {
    (void)state;
    struct sets *sets = sets_new();
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t a = sets_add(sets, SETS_EMPTY, 2 * i), b = sets_add(sets, SETS_EMPTY, 2 * i + 1);
        uint32_t news, both = sets_union(sets, a, b, &news);
        assert_int_equal(news, b);
        assert_int_equal(sets_count(sets, both), 2);
        assert_true(bitset_has(sets_get(sets, both), 2 * i));
        assert_true(bitset_has(sets_get(sets, both), 2 * i + 1));
        assert_true(a < 8 && b < 8 && both < 8); /* they do come again */
        sets_sweep(sets);
    }
    sets_free(sets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_numbers_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
