/*
 * Strongly connected components: random graphs against who can reach whom.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/components.h"

enum { most_nodes = 24, most_edges = 60 };

struct graph {
    uint32_t node_count, start[most_nodes + 1], targets[most_edges];
    bool reaches[most_nodes][most_nodes];
};

static void make_random(struct graph *graph) {
    *graph = (struct graph){.node_count = 1 + (uint32_t)rand() % most_nodes};
    uint32_t edges = (uint32_t)rand() % most_edges, made = 0;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        graph->start[n] = made;
        graph->reaches[n][n] = true;
        for (uint32_t i = (uint32_t)rand() % (2 * edges / graph->node_count + 1);
             i && made < most_edges; i--) {
            graph->targets[made] = (uint32_t)rand() % graph->node_count;
            graph->reaches[n][graph->targets[made++]] = true;
        }
    }
    graph->start[graph->node_count] = made;
    for (uint32_t k = 0; k < graph->node_count; k++)
        for (uint32_t i = 0; i < graph->node_count; i++)
            for (uint32_t j = 0; j < graph->node_count; j++)
                graph->reaches[i][j] |= graph->reaches[i][k] && graph->reaches[k][j];
}

static void test_random(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct graph graph;
        make_random(&graph);
        uint32_t component[most_nodes], members[most_nodes];
        uint32_t count =
            components_find(graph.node_count, graph.start, graph.targets, component, members);
        bool is_member[most_nodes] = {0};
        for (uint32_t i = 0; i < graph.node_count; i++) {
            assert_true(component[i] < count);
            assert_false(is_member[members[i]]);
            is_member[members[i]] = true;
            if (i)
                assert_true(component[members[i]] >= component[members[i - 1]]);
            for (uint32_t j = 0; j < graph.node_count; j++) {
                bool is_circle = graph.reaches[i][j] && graph.reaches[j][i];
                assert_int_equal(component[i] == component[j], is_circle);
                if (graph.reaches[i][j])
                    assert_true(component[j] <= component[i]);
            }
        }
    }
}

/* A recursion would not come this deep. */
static void test_long(void **state) {
    (void)state;
    enum { length = 1000000 };
    uint32_t *numbers = calloc(4, (length + 1) * sizeof *numbers), *start = numbers;
    uint32_t *targets = start + length + 1, *component = targets + length + 1;
    for (uint32_t n = 0; n <= length; n++)
        start[n] = n;
    for (uint32_t n = 0; n < length; n++)
        targets[n] = (n + 1) % length;
    assert_int_equal(components_find(length, start, targets, component, component + length + 1), 1);
    targets[length - 1] = length - 1;
    assert_int_equal(components_find(length, start, targets, component, component + length + 1),
                     length);
    assert_int_equal(component[length - 1], 0);
    free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
