/*
 * The minimum cut of a network, by maximum flow (iTarget, section 3.3).
 *
 * First the network is made smaller.  What infinite edges tie together, in circles, or to the
 * source, or to the sink, is one node; edges between the same nodes are one; those that lead to the
 * source or from the sink are none.  Then Dinic's algorithm: flow is sent along shortest ways until
 * there is none, with distances to the sink, so that a way that is begun nearly always gets there,
 * and the last search, which does not come to the source, has found just the nodes from which the
 * sink can still be reached: the least of all minimum cuts.
 *
 * That the capacity of the cut is the flow proves both, and is checked each time.
 *
 * Cost: at most nodes^2 * edges (Dinic 1970), on program's graphs about linear.
 */
#include "cut/network.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/components.h"
#include "base/error.h"

/* The contracted network; each edge is followed by the one back, so that edge e has its other at e
 * ^ 1. */
struct residual {
    uint32_t node_count, source, sink;
    uint32_t *group; /* by node of the network: its node here */
    VEC(struct network_edge) edges;
    uint32_t *start; /* by node, and one more: in `out` */
    uint32_t *out;   /* edges by where they begin */
    uint32_t *distance, *next, *queue;
};

static void residual_deinit(struct residual *residual) {
    free(residual->group);
    VEC_DEINIT(&residual->edges);
    free(residual->start);
    free(residual->out);
    free(residual->distance);
    free(residual->next);
    free(residual->queue);
}

/* --- making it smaller ------------------------------------------------------------------------ */

static bool is_infinite(const struct network_edge *edge) {
    return edge->capacity >= NETWORK_INFINITE;
}

/* Infinite edges by where they begin or, backward, end. */
static void list_infinite(const struct network *network, bool backward, uint32_t *start,
                          uint32_t *targets) {
    memset(start, 0, (network->node_count + 1) * sizeof *start);
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        if (is_infinite(edge))
            start[(backward ? edge->to : edge->from) + 1]++;
    }
    for (uint32_t n = 0; n < network->node_count; n++)
        start[n + 1] += start[n];
    uint32_t *at CLEANUP_FREE = mem_alloc((network->node_count + 1) * sizeof *at);
    memcpy(at, start, (network->node_count + 1) * sizeof *at);
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        if (is_infinite(edge))
            targets[at[backward ? edge->to : edge->from]++] = backward ? edge->from : edge->to;
    }
}

static void mark_reached(const uint32_t *start, const uint32_t *targets, uint32_t from, bool *marks,
                         uint32_t *stack) {
    uint32_t depth = 0;
    stack[depth++] = from;
    marks[from] = true;
    while (depth) {
        uint32_t node = stack[--depth];
        for (uint32_t i = start[node]; i < start[node + 1]; i++)
            if (!marks[targets[i]]) {
                marks[targets[i]] = true;
                stack[depth++] = targets[i];
            }
    }
}

/* Groups 0 and 1 are what is tied to the source and to the sink; false if that is the same. */
static bool make_groups(const struct network *network, struct residual *residual) {
    uint32_t count = network->node_count;
    uint32_t *start CLEANUP_FREE = mem_alloc((count + 1) * sizeof *start);
    uint32_t *targets CLEANUP_FREE = mem_alloc((network->edges.count + 1) * sizeof *targets);
    uint32_t *members CLEANUP_FREE = mem_alloc((count + 1) * sizeof *members);
    bool *at_source CLEANUP_FREE = mem_zalloc(count, sizeof *at_source);
    bool *at_sink CLEANUP_FREE = mem_zalloc(count, sizeof *at_sink);
    residual->group = mem_alloc((count + 1) * sizeof *residual->group);
    list_infinite(network, true, start, targets);
    mark_reached(start, targets, network->sink, at_sink, members);
    list_infinite(network, false, start, targets);
    mark_reached(start, targets, network->source, at_source, members);
    uint32_t components = components_find(count, start, targets, residual->group, members);
    uint32_t *numbers CLEANUP_FREE = mem_alloc((components + 1) * sizeof *numbers);
    memset(numbers, 0xff, components * sizeof *numbers);
    residual->node_count = 2;
    for (uint32_t n = 0; n < count; n++) {
        if (at_source[n] && at_sink[n])
            return false;
        uint32_t *number = &numbers[residual->group[n]];
        if (*number == UINT32_MAX)
            *number = at_source[n] ? 0 : at_sink[n] ? 1 : residual->node_count++;
        residual->group[n] = *number;
    }
    residual->sink = 1;
    return true;
}

static int by_ends(const void *a, const void *b) {
    const struct network_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void add_both(struct residual *residual, const struct network_edge *edge) {
    VEC_PUSH(&residual->edges, *edge);
    VEC_PUSH(&residual->edges, (struct network_edge){edge->to, edge->from, 0});
}

static void make_edges(const struct network *network, struct residual *residual) {
    struct network_edge *all CLEANUP_FREE = mem_alloc((network->edges.count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        uint32_t from = residual->group[edge->from], to = residual->group[edge->to];
        if (from != to && to != residual->source && from != residual->sink && edge->capacity)
            all[count++] = (struct network_edge){from, to, edge->capacity};
    }
    qsort(all, count, sizeof *all, by_ends);
    for (size_t i = 0; i < count;) {
        struct network_edge edge = all[i];
        for (i++; i < count && by_ends(&edge, &all[i]) == 0; i++)
            edge.capacity += edge.capacity >= NETWORK_INFINITE ? 0 : all[i].capacity;
        if (edge.capacity > NETWORK_INFINITE)
            edge.capacity = NETWORK_INFINITE;
        add_both(residual, &edge);
    }
}

static void list_edges(struct residual *residual) {
    uint32_t count = residual->node_count;
    residual->start = mem_zalloc(count + 2, sizeof *residual->start);
    residual->out = mem_alloc((residual->edges.count + 1) * sizeof *residual->out);
    residual->distance = mem_alloc((count + 1) * sizeof *residual->distance);
    residual->next = mem_alloc((count + 1) * sizeof *residual->next);
    residual->queue = mem_alloc((count + 1) * sizeof *residual->queue);
    for (size_t i = 0; i < residual->edges.count; i++)
        residual->start[residual->edges.data[i].from + 1]++;
    for (uint32_t n = 0; n < count; n++)
        residual->start[n + 1] += residual->start[n];
    memcpy(residual->next, residual->start, count * sizeof *residual->next);
    for (size_t i = 0; i < residual->edges.count; i++)
        residual->out[residual->next[residual->edges.data[i].from]++] = (uint32_t)i;
}

/* --- flow ------------------------------------------------------------------------------------- */

/* Distances to the sink along edges with room; UINT32_MAX where there is no way.  Goes on beyond
 * the source, whose distance is that of the ways that will be used. */
static bool find_distances(struct residual *residual) {
    memset(residual->distance, 0xff, residual->node_count * sizeof *residual->distance);
    uint32_t first = 0, last = 0;
    residual->distance[residual->sink] = 0;
    residual->queue[last++] = residual->sink;
    while (first < last) {
        uint32_t node = residual->queue[first++];
        for (uint32_t i = residual->start[node]; i < residual->start[node + 1]; i++) {
            uint32_t back = residual->out[i] ^ 1, from = residual->edges.data[back].from;
            if (residual->edges.data[back].capacity && residual->distance[from] == UINT32_MAX) {
                residual->distance[from] = residual->distance[node] + 1;
                residual->queue[last++] = from;
            }
        }
    }
    return residual->distance[residual->source] != UINT32_MAX;
}

/* The next edge of a node that leads one step nearer to the sink; UINT32_MAX if there is none. */
static uint32_t next_edge(struct residual *residual, uint32_t node) {
    for (; residual->next[node] < residual->start[node + 1]; residual->next[node]++) {
        uint32_t edge = residual->out[residual->next[node]];
        uint32_t to = residual->edges.data[edge].to;
        if (residual->edges.data[edge].capacity && residual->distance[to] != UINT32_MAX &&
            residual->distance[to] + 1 == residual->distance[node])
            return edge;
    }
    return UINT32_MAX;
}

/* Sends what a way has room for; returns how many of its edges are left in front of the first that
 * is full. */
static uint32_t send_along(struct residual *residual, const uint32_t *way, uint32_t length,
                           uint64_t *flow) {
    uint64_t room = UINT64_MAX;
    for (uint32_t i = 0; i < length; i++)
        if (residual->edges.data[way[i]].capacity < room)
            room = residual->edges.data[way[i]].capacity;
    uint32_t left = length;
    for (uint32_t i = length; i-- > 0;) {
        residual->edges.data[way[i]].capacity -= room;
        residual->edges.data[way[i] ^ 1].capacity += room;
        if (!residual->edges.data[way[i]].capacity)
            left = i;
    }
    *flow += room;
    return left;
}

/* Sends as much as goes along shortest ways. */
static void send_flow(struct residual *residual, uint64_t *flow) {
    memcpy(residual->next, residual->start, residual->node_count * sizeof *residual->next);
    uint32_t *way = residual->queue, length = 0, node = residual->source;
    for (;;) {
        if (node == residual->sink) {
            length = send_along(residual, way, length, flow);
            node = residual->edges.data[way[length]].from;
        }
        uint32_t edge = next_edge(residual, node);
        if (edge != UINT32_MAX) {
            way[length++] = edge;
            node = residual->edges.data[edge].to;
        } else if (node == residual->source) {
            return;
        } else {
            node = residual->edges.data[way[--length]].from;
            residual->next[node]++;
        }
    }
}

static uint64_t size_of_cut(const struct network *network, const bool *at_sink) {
    uint64_t size = 0;
    for (size_t i = 0; i < network->edges.count; i++) {
        const struct network_edge *edge = &network->edges.data[i];
        if (!at_sink[edge->from] && at_sink[edge->to])
            size += edge->capacity;
    }
    return size;
}

bool network_cut(const struct network *network, bool *ret_at_sink, uint64_t *ret_size,
                 struct network_figures *ret_figures) {
    struct residual residual __attribute__((cleanup(residual_deinit))) = {0};
    if (!make_groups(network, &residual))
        return false;
    make_edges(network, &residual);
    list_edges(&residual);
    uint64_t flow = 0;
    while (find_distances(&residual))
        send_flow(&residual, &flow);
    if (flow >= NETWORK_INFINITE)
        return false;
    for (uint32_t n = 0; n < network->node_count; n++)
        ret_at_sink[n] = residual.distance[residual.group[n]] != UINT32_MAX;
    BUG_IF(size_of_cut(network, ret_at_sink) != flow);
    *ret_size = flow;
    if (ret_figures)
        *ret_figures = (struct network_figures){residual.node_count, residual.edges.count / 2};
    return true;
}
