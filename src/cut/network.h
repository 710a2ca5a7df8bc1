/*
 * Flow networks, and their minimum cuts.
 *
 *     struct network network = {.node_count = n, .source = s, .sink = t};
 *     network_add(&network, a, b, capacity);
 *     ...
 *     bool *at_sink = mem_zalloc(n, sizeof *at_sink);
 *     uint64_t size;
 *     if (!network_cut(&network, at_sink, &size))
 *         ... source and sink cannot be separated
 *     network_deinit(&network);
 *
 * A cut is a set of nodes with the sink and without the source, and its size the capacity of the
 * edges that lead into it.  Of all cuts of the least size the one with the fewest nodes is chosen:
 * the common part of them all, so there is one such.
 */
#ifndef RECUT_CUT_NETWORK_H
#define RECUT_CUT_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* Of an edge that no cut may have.  Other capacities, and their sum, are to be less. */
#define NETWORK_INFINITE (UINT64_MAX / 4)

struct network_edge {
    uint32_t from, to;
    uint64_t capacity;
};

struct network {
    uint32_t node_count, source, sink;
    VEC(struct network_edge) edges;
};

static inline void network_add(struct network *network, uint32_t from, uint32_t to,
                               uint64_t capacity) {
    VEC_PUSH(&network->edges, (struct network_edge){from, to, capacity});
}

static inline void network_deinit(struct network *network) { VEC_DEINIT(&network->edges); }

/* What was left of it once it was contracted. */
struct network_figures {
    uint32_t nodes;
    uint64_t edges;
};

/* Fills in, by node, which are with the sink, and the size; false, and nothing is filled in, if
 * every cut has an infinite edge.  `ret_figures` may be NULL. */
bool network_cut(const struct network *network, bool *ret_at_sink, uint64_t *ret_size,
                 struct network_figures *ret_figures);

#endif
