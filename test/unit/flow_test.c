/*
 * Dominators, post-dominators and control dependence of random flow graphs, against their
 * definitions: a dominates b if b cannot be reached without a.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/flow.h"

enum { MOST_BLOCKS = 9, GRAPHS = 20000 };

static uint32_t state = 1;

static uint32_t next_random(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* A function whose blocks have one instruction each, with up to three successors. */
static void make_program(struct program *program, uint32_t count) {
    *program = (struct program){0};
    struct function function = {
        .flags = FUNCTION_DEFINED, .blocks = {0, count}, .instructions = {0, count}};
    VEC_PUSH(&program->functions, function);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t successors = next_random(4), first = (uint32_t)program->edges.count;
        for (uint32_t i = 0; i < successors; i++)
            VEC_PUSH(&program->edges, 1 + next_random(count - 1)); /* never the entry */
        struct block block = {.instructions = {b, 1}, .successors = {first, successors}};
        VEC_PUSH(&program->blocks, block);
        struct instruction instruction = {.block = b, .flags = INSTRUCTION_TERMINATOR};
        VEC_PUSH(&program->instructions, instruction);
    }
}

static void free_program(struct program *program) {
    VEC_DEINIT(&program->functions);
    VEC_DEINIT(&program->edges);
    VEC_DEINIT(&program->blocks);
    VEC_DEINIT(&program->instructions);
}

/* Can `to` be reached from `from` without going through `without`? */
static bool reaches(const struct flow *flow, uint32_t from, uint32_t to, uint32_t without) {
    bool seen[MOST_BLOCKS + 1] = {false};
    uint32_t work[MOST_BLOCKS + 1], count = 0;
    if (from == without)
        return false;
    seen[from] = true;
    work[count++] = from;
    while (count) {
        uint32_t node = work[--count];
        if (node == to)
            return true;
        for (uint32_t i = flow->successors.start[node]; i < flow->successors.start[node + 1]; i++) {
            uint32_t next = flow->successors.to[i];
            if (next != without && !seen[next]) {
                seen[next] = true;
                work[count++] = next;
            }
        }
    }
    return false;
}

/* By definition, both strict or equal. */
static bool dominates(const struct flow *flow, uint32_t a, uint32_t b) {
    return a == b || !reaches(flow, 0, b, a);
}
static bool post_dominates(const struct flow *flow, uint32_t a, uint32_t b) {
    return a == b || !reaches(flow, b, flow->count, a);
}

/* Is it in the chain of immediate ones? */
static bool is_in_chain(const uint32_t *immediate, uint32_t a, uint32_t b) {
    while (b != a && b != NO_ID)
        b = immediate[b];
    return b == a;
}

static bool controls(const struct flow *flow, uint32_t a, uint32_t n) {
    for (uint32_t i = flow->controls.start[n]; i < flow->controls.start[n + 1]; i++)
        if (flow->controls.to[i] == a)
            return true;
    return false;
}

/* a has a successor that n post-dominates, and n does not strictly post-dominate a. */
static bool should_control(const struct flow *flow, uint32_t a, uint32_t n) {
    bool found = false;
    for (uint32_t i = flow->successors.start[a]; i < flow->successors.start[a + 1]; i++)
        found |= post_dominates(flow, n, flow->successors.to[i]);
    return found && (n == a || !post_dominates(flow, n, a));
}

static void check(const struct flow *flow) {
    bool all_end = true;
    for (uint32_t b = 0; b < flow->count; b++)
        all_end &= !reaches(flow, 0, b, NO_ID) || reaches(flow, b, flow->count, NO_ID);
    for (uint32_t a = 0; a < flow->count; a++)
        for (uint32_t b = 0; b < flow->count; b++) {
            if (!reaches(flow, 0, a, NO_ID) || !reaches(flow, 0, b, NO_ID))
                continue;
            assert_int_equal(is_in_chain(flow->dominator, a, b), dominates(flow, a, b));
            if (!all_end)
                continue;
            assert_int_equal(is_in_chain(flow->post_dominator, a, b), post_dominates(flow, a, b));
            assert_int_equal(controls(flow, a, b), should_control(flow, a, b));
        }
}

static void random_graphs(void **unused) {
    (void)unused;
    for (int i = 0; i < GRAPHS; i++) {
        struct program program;
        make_program(&program, 2 + next_random(MOST_BLOCKS - 2));
        struct flow *flow = flow_build(&program, 0, NULL);
        check(flow);
        for (uint32_t b = 0; b < flow->count; b++)
            assert_int_equal(flow_node(flow, b), b);
        flow_free(flow);
        free_program(&program);
    }
}

/* Every node of a loop without an end has a post-dominator, and a branch in it decides. */
static void endless_loop(void **unused) {
    (void)unused;
    struct program program = {0};
    static const block_id edges[] = {1, 2, 3, 1, 1};
    static const struct range successors[] = {{0, 1}, {1, 2}, {3, 1}, {4, 1}};
    struct function function = {
        .flags = FUNCTION_DEFINED, .blocks = {0, 4}, .instructions = {0, 4}};
    VEC_PUSH(&program.functions, function);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        VEC_PUSH(&program.edges, edges[i]);
    for (uint32_t b = 0; b < 4; b++) {
        VEC_PUSH(&program.blocks,
                 ((struct block){.instructions = {b, 1}, .successors = successors[b]}));
        VEC_PUSH(&program.instructions,
                 ((struct instruction){.block = b, .flags = INSTRUCTION_TERMINATOR}));
    }
    struct flow *flow = flow_build(&program, 0, NULL);
    for (uint32_t b = 0; b < 4; b++)
        assert_int_not_equal(flow->post_dominator[b], NO_ID);
    assert_true(controls(flow, 1, 2));
    assert_true(controls(flow, 1, 3));
    flow_free(flow);
    free_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(endless_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
