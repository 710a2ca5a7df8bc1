/*
 * Minimum cuts of random networks: against all sets of nodes, where there are few, and against a
 * maximum flow by another algorithm (push and relabel), where there are more.
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

#include "cut/network.h"

enum { few_nodes = 11, most_nodes = 40 };

static uint32_t below(uint32_t limit) { return (uint32_t)rand() % limit; }

/* One edge in `one_infinite` is infinite, about; some are parallel, loops, or have no capacity. */
static void make_random(struct network *network, uint32_t most, uint32_t one_infinite) {
    *network = (struct network){.node_count = 2 + below(most - 1)};
    network->source = below(network->node_count);
    do
        network->sink = below(network->node_count);
    while (network->sink == network->source);
    uint32_t edges = below(4 * network->node_count);
    uint32_t largest = below(2) ? 3 : 1000;
    for (uint32_t i = 0; i < edges; i++)
        network_add(network, below(network->node_count), below(network->node_count),
                    below(one_infinite) == 0 ? NETWORK_INFINITE : below(largest + 1));
}

static uint64_t size_of(const struct network *network, const bool *at_sink) {
    uint64_t size = 0;
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        if (!at_sink[edge->from] && at_sink[edge->to]) {
            if (edge->capacity >= NETWORK_INFINITE)
                return NETWORK_INFINITE;
            size += edge->capacity;
        }
    }
    return size;
}

/* Every set of nodes: the least size, and what all sets of that size have in common. */
static uint64_t try_all(const struct network *network, bool *ret_common) {
    uint64_t least = NETWORK_INFINITE;
    for (uint32_t set = 0; set < 1U << network->node_count; set++) {
        if (set >> network->source & 1 || !(set >> network->sink & 1))
            continue;
        bool at_sink[most_nodes];
        for (uint32_t n = 0; n < network->node_count; n++)
            at_sink[n] = set >> n & 1;
        uint64_t size = size_of(network, at_sink);
        if (size < least) {
            least = size;
            memcpy(ret_common, at_sink, sizeof at_sink);
        } else if (size == least && size < NETWORK_INFINITE) {
            for (uint32_t n = 0; n < network->node_count; n++)
                ret_common[n] &= at_sink[n];
        }
    }
    return least;
}

/* Push and relabel, in the order in which nodes come to overflow. */
static uint64_t push_relabel(const struct network *network) {
    static uint64_t room[most_nodes][most_nodes];
    uint64_t excess[most_nodes] = {0};
    uint32_t height[most_nodes] = {0}, count = network->node_count;
    memset(room, 0, sizeof room);
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        uint64_t *to = &room[edge->from][edge->to];
        *to = *to + edge->capacity > NETWORK_INFINITE ? NETWORK_INFINITE : *to + edge->capacity;
    }
    uint32_t source = network->source, sink = network->sink;
    height[source] = count;
    for (uint32_t n = 0; n < count; n++)
        if (n != source) {
            /* Of what is infinite, so much that the sum does not overflow. */
            excess[n] = room[source][n] / (room[source][n] < NETWORK_INFINITE ? 1 : most_nodes);
            room[n][source] += excess[n];
            room[source][n] -= excess[n];
        }
    for (bool is_active = true; is_active;) {
        is_active = false;
        for (uint32_t n = 0; n < count; n++) {
            if (n == source || n == sink || !excess[n])
                continue;
            is_active = true;
            uint32_t lowest = 2 * count;
            for (uint32_t to = 0; to < count && excess[n]; to++) {
                if (!room[n][to])
                    continue;
                if (height[n] != height[to] + 1) {
                    lowest = height[to] < lowest ? height[to] : lowest;
                    continue;
                }
                uint64_t sent = excess[n] < room[n][to] ? excess[n] : room[n][to];
                room[n][to] -= sent;
                room[to][n] += sent;
                excess[n] -= sent;
                excess[to] += sent;
            }
            if (excess[n] && lowest >= height[n])
                height[n] = lowest + 1;
        }
    }
    return excess[sink];
}

static void test_all_sets(void **state) {
    (void)state;
    srand(1);
    uint32_t separable = 0;
    for (int round = 0; round < 3000; round++) {
        struct network network;
        make_random(&network, few_nodes, 1 + below(20));
        bool common[most_nodes], at_sink[most_nodes];
        uint64_t size, least = try_all(&network, common);
        bool is_cut = network_cut(&network, at_sink, &size, NULL);
        assert_int_equal(is_cut, least < NETWORK_INFINITE);
        if (is_cut) {
            separable++;
            assert_int_equal(size, least);
            assert_memory_equal(at_sink, common, network.node_count);
        }
        network_deinit(&network);
    }
    assert_true(separable > 1000 && separable < 3000);
}

static void test_other_algorithm(void **state) {
    (void)state;
    srand(2);
    for (int round = 0; round < 5000; round++) {
        struct network network;
        make_random(&network, most_nodes, 5 + below(50));
        bool at_sink[most_nodes];
        uint64_t size;
        if (network_cut(&network, at_sink, &size, NULL)) {
            assert_int_equal(size, push_relabel(&network));
            assert_int_equal(size, size_of(&network, at_sink));
            assert_true(at_sink[network.sink] && !at_sink[network.source]);
        }
        network_deinit(&network);
    }
}

/* A grid with 250,000 nodes, in which ways are long. */
static void test_large(void **state) {
    (void)state;
    srand(3);
    enum { width = 500, height = 500 };
    struct network network = {
        .node_count = width * height + 2, .source = width * height, .sink = width * height + 1};
    uint64_t least = UINT64_MAX;
    for (uint32_t x = 0; x < width; x++) {
        network_add(&network, network.source, x, NETWORK_INFINITE);
        network_add(&network, (height - 1) * width + x, network.sink, NETWORK_INFINITE);
    }
    for (uint32_t y = 0; y < height; y++) {
        uint64_t row = 0;
        for (uint32_t x = 0; x < width; x++) {
            uint64_t capacity = 1 + below(100);
            row += capacity;
            if (y + 1 < height)
                network_add(&network, y * width + x, (y + 1) * width + x, capacity);
            if (x + 1 < width)
                network_add(&network, y * width + x, y * width + x + 1, 1 + below(5));
        }
        least = y + 1 < height && row < least ? row : least;
    }
    bool *at_sink = mem_zalloc(network.node_count, sizeof *at_sink);
    uint64_t size;
    assert_true(network_cut(&network, at_sink, &size, NULL));
    assert_true(size <= least);
    free(at_sink);
    network_deinit(&network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sets),
        cmocka_unit_test(test_other_algorithm),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
