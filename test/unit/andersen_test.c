/*
 * Solving inclusion constraints: small systems with known answers, and thousands
 * of random ones against a solver that knows nothing but bytes.
 *
 * The naive solver keeps, for each node, the granules of each object that it may
 * point to, and for each granule of memory what it may hold, in tables of bits, and
 * runs all constraints until nothing changes.  What it finds, the fast one must
 * find; and where no shift lies on a cycle, nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/andersen_impl.h"

/* --- known answers --- */

static bool points_at(struct andersen *solver, uint32_t node, uint32_t object, int32_t base) {
    BITSET_EACH(id, andersen_points_to(solver, node)) {
        struct memory_location at = andersen_location(solver, id);
        if (at.object == object && at.base == base && !at.stride)
            return true;
    }
    return false;
}

static uint32_t count(struct andersen *solver, uint32_t node) {
    return bitset_count(andersen_points_to(solver, node));
}

static uint32_t object(struct andersen *solver) {
    return andersen_object(solver, (struct andersen_shape){0});
}

static void solve(struct andersen *solver) { assert_true(andersen_solve(solver, UINT32_MAX)); }

static void fields_are_told_apart(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s), b = object(s);
    uint32_t n = andersen_nodes(s, 5); /* p, &a, &b, loaded at 0, loaded at 8 */
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    andersen_address(s, n + 2, b, 0);
    andersen_store(s, n, n + 1, 0, 8);
    andersen_store(s, n, n + 2, 8, 8);
    andersen_load(s, n + 3, n, 0, 8);
    andersen_load(s, n + 4, n, 8, 8);
    solve(s);
    assert_true(count(s, n + 3) == 1 && points_at(s, n + 3, a, 0));
    assert_true(count(s, n + 4) == 1 && points_at(s, n + 4, b, 0));
    andersen_free(s);
}

static void constants_keep_what_they_hold(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = andersen_object(s, (struct andersen_shape){.flags = OBJECT_CONSTANT});
    uint32_t v = object(s), a = object(s), b = object(s);
    uint32_t n = andersen_nodes(s, 4); /* p, &b, loaded, loaded from what is no constant */
    andersen_address(s, andersen_cell(s, o, 0), a, 0);
    andersen_address(s, n, o, 0);
    andersen_address(s, n, v, 0);
    andersen_address(s, n + 1, b, 0);
    andersen_store(s, n, n + 1, 0, 8);
    andersen_copy(s, n + 2, andersen_cell(s, o, 0));
    andersen_load(s, n + 3, n, 0, 8);
    solve(s);
    assert_true(count(s, n + 2) == 1 && points_at(s, n + 2, a, 0));
    assert_true(count(s, n + 3) == 2 && points_at(s, n + 3, b, 0));
    andersen_free(s);
}

static void unaligned_pointer_lies_in_two_granules(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s), n = andersen_nodes(s, 5);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    andersen_store(s, n, n + 1, 4, 8);
    andersen_load(s, n + 2, n, 0, 8);
    andersen_load(s, n + 3, n, 8, 1);
    andersen_load(s, n + 4, n, 16, 8);
    solve(s);
    assert_int_equal(count(s, n + 2), 1);
    assert_int_equal(count(s, n + 3), 1);
    assert_int_equal(count(s, n + 4), 0);
    andersen_free(s);
}

static void elements_keep_their_fields(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s), b = object(s), n = andersen_nodes(s, 8);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    andersen_address(s, n + 2, b, 0);
    andersen_shift(s, n + 3, n, 0, 24, 0); /* p = &array[i] */
    andersen_store(s, n + 3, n + 1, 0, 8); /* p->first = &a */
    andersen_store(s, n + 3, n + 2, 8, 8); /* p->second = &b */
    andersen_load(s, n + 4, n, 48, 8);     /* array[2].first */
    andersen_load(s, n + 5, n, 56, 8);
    andersen_load(s, n + 6, n, 64, 8);
    solve(s);
    assert_true(count(s, n + 4) == 1 && points_at(s, n + 4, a, 0));
    assert_true(count(s, n + 5) == 1 && points_at(s, n + 5, b, 0));
    assert_int_equal(count(s, n + 6), 0);
    andersen_free(s);
}

static void bounded_array_leaves_its_neighbours_alone(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s), n = andersen_nodes(s, 6);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    andersen_shift(s, n + 2, n, 16, 1, 800); /* bytes 16 to 815 */
    andersen_store(s, n + 2, n + 1, 0, 1);
    andersen_load(s, n + 3, n, 8, 8);
    andersen_load(s, n + 4, n, 400, 8);
    andersen_load(s, n + 5, n, 816, 8);
    solve(s);
    assert_int_equal(count(s, n + 3), 0);
    assert_int_equal(count(s, n + 4), 1);
    assert_int_equal(count(s, n + 5), 0);
    andersen_free(s);
}

static void array_in_a_struct_leaves_its_neighbours_alone(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s);
    uint32_t n = andersen_nodes(s, 7);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    /* q = p->array, of 80 bytes from 16 on; r = q + i; *r = &a; and back to p from q */
    andersen_shift_by(s, n + 2, n,
                      &(struct andersen_shift){.offset = 16, .array_at = 16, .array_size = 80});
    andersen_shift_by(s, n + 3, n + 2, &(struct andersen_shift){.stride = 1});
    andersen_shift(s, n + 4, n + 2, -16, 0, 0);
    andersen_store(s, n + 3, n + 1, 0, 8);
    andersen_load(s, n + 5, n + 4, 8, 8);
    andersen_load(s, n + 6, n + 4, 40, 8);
    solve(s);
    assert_true(count(s, n + 4) == 1 && points_at(s, n + 4, o, 0));
    assert_int_equal(count(s, n + 5), 0);
    assert_true(count(s, n + 6) == 1 && points_at(s, n + 6, a, 0));
    andersen_free(s);
}

static void walking_pointer_ends(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), n = andersen_nodes(s, 2);
    andersen_address(s, n, o, 0);
    andersen_shift(s, n + 1, n, 16, 0, 0); /* q = p + 16; p = q */
    andersen_copy(s, n, n + 1);
    solve(s);
    assert_in_range(count(s, n), 1, 4);
    andersen_free(s);
}

static void pointer_that_left_its_object_touches_nothing(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = andersen_object(s, (struct andersen_shape){.size = 16}), a = object(s);
    uint32_t n = andersen_nodes(s, 6);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    andersen_shift(s, n + 2, n, 400, 0, 0);
    andersen_store(s, n + 2, n + 1, 0, 8);
    andersen_shift(s, n + 3, n, -8, 0, 0); /* an array that is counted from 1 */
    andersen_store(s, n + 3, n + 1, 8, 8);
    andersen_load(s, n + 4, n, 8, 8);
    andersen_load(s, n + 5, n, 0, 8);
    solve(s);
    assert_int_equal(count(s, n + 4), 0);
    assert_int_equal(count(s, n + 5), 1);
    andersen_free(s);
}

static void cycles_become_one_node(void **state) {
    (void)state;
    enum { NODES = 1000 };
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), n = andersen_nodes(s, NODES);
    for (uint32_t i = 0; i < NODES; i++)
        andersen_copy(s, n + (i + 1) % NODES, n + i);
    andersen_address(s, n + 7, o, 0);
    solve(s);
    assert_int_equal(andersen_figures(s).merged, NODES - 1);
    assert_int_equal(count(s, n + 500), 1);
    andersen_free(s);
}

static void collapsed_object_still_holds_all(void **state) {
    (void)state;
    struct andersen *s = andersen_new(NULL, NULL);
    uint32_t o = object(s), a = object(s), n = andersen_nodes(s, 3);
    andersen_address(s, n, o, 0);
    andersen_address(s, n + 1, a, 0);
    for (int i = 0; i < 2 * MOST_CELLS; i++)
        andersen_store(s, n, n + 1, 8 * i, 8);
    andersen_load(s, n + 2, n, 40, 8);
    solve(s);
    assert_int_equal(andersen_figures(s).collapsed, 1);
    assert_int_equal(count(s, n + 2), 1);
    andersen_free(s);
}

/* --- random systems --- */

enum {
    VALUES = 7,
    OBJECTS = 3,
    CONSTRAINTS = 18,
    WINDOW = 96,   /* granules that the naive solver has, half of them below 0 */
    COMPARED = 24, /* of those, in the middle: the ends are cut off */
    /* Of arrays, those that begin about the middle. */
    ARRAYS = 16,
    FIRST_ARRAY = WINDOW / 2 - ARRAYS / 2,
    LENGTH = 4,
    PLACES = WINDOW * (ARRAYS + 1) /* a granule, and the array that it is in or none */
};

enum kind { ADDRESS, COPY, SHIFT, LOAD, STORE, KINDS };

struct random_constraint {
    enum kind kind;
    uint32_t a, b;
    int offset; /* in granules */
    int stride, extent;
    bool enters, leaves, is_step;
};

/* Without arrays, the first WINDOW places are all. */
static int places = WINDOW;

struct naive {
    bool points[VALUES][OBJECTS][PLACES];
    bool memory[OBJECTS][WINDOW][OBJECTS][PLACES];
    bool changed;
};

static void set(struct naive *naive, bool *bit) {
    naive->changed |= !*bit;
    *bit = true;
}

static void include(struct naive *naive, bool to[OBJECTS][PLACES], bool from[OBJECTS][PLACES]) {
    for (int o = 0; o < OBJECTS; o++)
        for (int p = 0; p < places; p++)
            if (from[o][p])
                set(naive, &to[o][p]);
}

static void naive_point(struct naive *naive, const struct random_constraint *c, int o, int at,
                        int array) {
    if (at >= 0 && at < WINDOW)
        set(naive, &naive->points[c->a][o][at + array * WINDOW]);
}

/* From a granule in an array, or in none (0): within an array only what is in it, or just behind,
 * but for what is made to leave, and for constants that are larger than it. */
static void naive_move(struct naive *naive, const struct random_constraint *c, int o, int from,
                       int array) {
    int first = from + c->offset, last = first;
    bool was_in = array;
    if (c->enters) {
        int entered = first - FIRST_ARRAY + 1;
        /* Of two arrays, one would have to be in the other. */
        if (entered < 1 || entered > ARRAYS || (array && array != entered))
            return;
        array = entered;
    }
    if (array && (c->leaves || (was_in && !c->is_step && abs(c->offset) > LENGTH)))
        array = 0;
    int low = array ? FIRST_ARRAY + array - 1 : 0;
    int high = array ? low + LENGTH : WINDOW - 1;
    if (c->stride && c->extent)
        last = first + c->extent - 1;
    if (c->stride && !c->extent) {
        first = low + ((first - low) % c->stride + c->stride) % c->stride;
        last = WINDOW - 1;
    }
    for (int at = first; at <= last; at += c->stride ? c->stride : 1)
        if (at >= low && at <= high)
            naive_point(naive, c, o, at, array);
}

static void naive_shift(struct naive *naive, const struct random_constraint *c) {
    for (int o = 0; o < OBJECTS; o++)
        for (int p = 0; p < places; p++)
            if (naive->points[c->b][o][p])
                naive_move(naive, c, o, p % WINDOW, p / WINDOW);
}

/* May an access be at an offset from a place?  Not by little out of its array. */
static bool is_allowed(int place, int offset) {
    int low = FIRST_ARRAY + place / WINDOW - 1, at = place % WINDOW + offset;
    return place < WINDOW || abs(offset) > LENGTH || (at >= low && at < low + LENGTH);
}

static void naive_step(struct naive *naive, const struct random_constraint *c) {
    switch (c->kind) {
    case ADDRESS:
        set(naive, &naive->points[c->a][c->b % OBJECTS][WINDOW / 2 + c->offset]);
        break;
    case COPY:
        include(naive, naive->points[c->a], naive->points[c->b]);
        break;
    case SHIFT:
        naive_shift(naive, c);
        break;
    default:
        for (int o = 0; o < OBJECTS; o++)
            for (int p = 0; p < places; p++) {
                int at = p % WINDOW + c->offset;
                uint32_t address = c->kind == LOAD ? c->b : c->a;
                if (!naive->points[address][o][p] || at < 0 || at >= WINDOW ||
                    !is_allowed(p, c->offset))
                    continue;
                if (c->kind == LOAD)
                    include(naive, naive->points[c->a], naive->memory[o][at]);
                else
                    include(naive, naive->memory[o][at], naive->points[c->b]);
            }
    }
}

static void naive_solve(struct naive *naive, const struct random_constraint *constraints) {
    memset(naive, 0, sizeof *naive);
    do {
        naive->changed = false;
        for (int i = 0; i < CONSTRAINTS; i++)
            naive_step(naive, &constraints[i]);
    } while (naive->changed);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(*seed >> 33) % limit;
}

enum { WITH_EXTENTS = 1, WITH_ARRAYS = 2 };

static struct random_constraint random_constraint(uint64_t *seed, int with) {
    static const int strides[] = {0, 0, 0, 2, 3, 4, 6};
    struct random_constraint c = {
        .kind = random_below(seed, KINDS),
        .a = random_below(seed, VALUES),
        .b = random_below(seed, VALUES),
        .offset = (int)random_below(seed, 4) - 1,
    };
    if (c.kind == SHIFT)
        c.stride = strides[random_below(seed, sizeof strides / sizeof *strides)];
    if (c.stride && with && random_below(seed, 2))
        c.extent = c.stride * (int)(1 + random_below(seed, 5));
    if (c.kind == SHIFT && with == WITH_ARRAYS) {
        c.enters = random_below(seed, 3) == 0;
        c.leaves = !c.enters && c.stride && !c.extent && random_below(seed, 4) == 0;
        c.is_step = !c.enters && !c.stride && c.offset && random_below(seed, 2);
        if (c.leaves)
            c.stride = 1;
        if (!c.enters && random_below(seed, 8) == 0)
            c.offset *= LENGTH + 1;
    }
    return c;
}

/* What is rare in small systems is made to happen in some. */
enum { RARE_NOTHING, RARE_SORT, RARE_HUBS };

static struct andersen *fast_solve(const struct random_constraint *constraints, int rare) {
    struct andersen *s = andersen_new(NULL, NULL);
    s->smallest_memo = rare ? 0 : s->smallest_memo;
    if (rare == RARE_SORT)
        s->sort_every = 1;
    if (rare == RARE_HUBS)
        s->most_targets = 2;
    uint32_t n = andersen_nodes(s, VALUES);
    for (int i = 0; i < OBJECTS; i++)
        object(s);
    for (int i = 0; i < CONSTRAINTS; i++) {
        const struct random_constraint *c = &constraints[i];
        int offset = c->offset * GRANULE;
        switch (c->kind) {
        case ADDRESS:
            andersen_address(s, n + c->a, c->b % OBJECTS, offset);
            break;
        case COPY:
            andersen_copy(s, n + c->a, n + c->b);
            break;
        case SHIFT:
            andersen_shift_by(
                s, n + c->a, n + c->b,
                &(struct andersen_shift){.offset = offset,
                                         .stride = (uint64_t)c->stride * GRANULE,
                                         .extent = (uint64_t)c->extent * GRANULE,
                                         .leaves = c->leaves,
                                         .is_step = c->is_step,
                                         .array_at = c->enters ? offset : 0,
                                         .array_size = c->enters ? LENGTH * GRANULE : 0});
            break;
        case LOAD:
            andersen_load(s, n + c->a, n + c->b, offset, GRANULE);
            break;
        default:
            andersen_store(s, n + c->a, n + c->b, offset, GRANULE);
        }
    }
    solve(s);
    return s;
}

static bool has_cycle(const struct andersen *s) {
    for (size_t i = 0; i < s->constraints.count; i++)
        if (s->constraints.data[i].is_cyclic)
            return true;
    return false;
}

/* Does the fast solver's set contain a granule? */
static bool covers(const struct andersen *s, uint32_t node, uint32_t of, int granule) {
    BITSET_EACH(id, andersen_points_to(s, node)) {
        struct memory_location at = andersen_location(s, id);
        int base = at.base / GRANULE, stride = (int)at.stride / GRANULE;
        if (at.object != of)
            continue;
        if (s->objects.data[of].flags & OBJECT_ONE_CELL)
            return true;
        if (at.stride == ANYWHERE || (!at.stride && granule == base))
            return true;
        /* Of an element that begins at the base, or before the granule by less than the width. */
        int into = stride ? ((granule - base) % stride + stride) % stride : 0;
        int element = granule - into;
        if (stride && into * GRANULE < (int)(at.width ? at.width : 1) &&
            (!at.extent || (element >= base && (element - base) * GRANULE < (int)at.extent)))
            return true;
    }
    return false;
}

static bool naive_has(const struct naive *naive, uint32_t node, uint32_t of, int granule) {
    for (int array = 0; array <= ARRAYS; array++)
        if (naive->points[node][of][granule + array * WINDOW] &&
            is_allowed(granule + array * WINDOW, 0))
            return true;
    return false;
}

static void print_system(const struct random_constraint *constraints) {
    static const char *const kinds[KINDS] = {"address", "copy", "shift", "load", "store"};
    for (int i = 0; i < CONSTRAINTS; i++)
        printf("# %s %u %u offset %d stride %d extent %d%s%s%s\n", kinds[constraints[i].kind],
               constraints[i].a, constraints[i].b, constraints[i].offset, constraints[i].stride,
               constraints[i].extent, constraints[i].enters ? ", enters" : "",
               constraints[i].leaves ? ", leaves" : "", constraints[i].is_step ? ", a step" : "");
}

static void compare(const struct random_constraint *constraints, uint64_t seed, bool exact,
                    uint32_t *compared) {
    int rare = (int)(seed % 3);
    static struct naive naive;
    naive_solve(&naive, constraints);
    struct andersen *s = fast_solve(constraints, rare);
    exact &= !has_cycle(s) && rare != RARE_HUBS;
    *compared += exact;
    for (uint32_t v = 0; v < VALUES; v++)
        for (uint32_t o = 0; o < OBJECTS; o++)
            for (int g = WINDOW / 2 - COMPARED / 2; g < WINDOW / 2 + COMPARED / 2; g++) {
                bool fast = covers(s, v, o, g - WINDOW / 2);
                bool found = naive_has(&naive, v, o, g);
                if (found ? !fast : fast && exact)
                    print_system(constraints);
                if (found ? !fast : fast && exact)
                    fail_msg("seed %llu: node %u, object %u, granule %d: naive %d, fast %d",
                             (unsigned long long)seed, v, o, g - WINDOW / 2, found, fast);
            }
    andersen_free(s);
}

static void random_systems(int with, uint64_t graphs) {
    uint32_t compared = 0;
    places = with == WITH_ARRAYS ? PLACES : WINDOW;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        uint64_t state = seed * 977;
        struct random_constraint constraints[CONSTRAINTS];
        for (int i = 0; i < CONSTRAINTS; i++)
            constraints[i] = random_constraint(&state, with);
        compare(constraints, seed, !with, &compared);
    }
    if (!with)
        assert_true(compared > graphs / 10);
}

static void naive_finds_the_same(void **state) {
    (void)state;
    random_systems(0, getenv("RECUT_LONG") ? 50000 : 4000);
}

static void naive_finds_no_more(void **state) {
    (void)state;
    random_systems(WITH_EXTENTS, getenv("RECUT_LONG") ? 50000 : 4000);
}

static void naive_finds_no_more_with_arrays(void **state) {
    (void)state;
    random_systems(WITH_ARRAYS, getenv("RECUT_LONG") ? 50000 : 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_told_apart),
        cmocka_unit_test(constants_keep_what_they_hold),
        cmocka_unit_test(unaligned_pointer_lies_in_two_granules),
        cmocka_unit_test(elements_keep_their_fields),
        cmocka_unit_test(bounded_array_leaves_its_neighbours_alone),
        cmocka_unit_test(array_in_a_struct_leaves_its_neighbours_alone),
        cmocka_unit_test(walking_pointer_ends),
        cmocka_unit_test(pointer_that_left_its_object_touches_nothing),
        cmocka_unit_test(cycles_become_one_node),
        cmocka_unit_test(collapsed_object_still_holds_all),
        cmocka_unit_test(naive_finds_the_same),
        cmocka_unit_test(naive_finds_no_more),
        cmocka_unit_test(naive_finds_no_more_with_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
