/*
 * Dominators, post-dominators and control dependence of a flow graph; flow.h.
 *
 * Dominators by Cooper, Harvey and Kennedy's iteration over a reverse postorder.
 * Post-dominators are those of the reversed graph.  Where a part of it cannot reach
 * the exit, a loop without an end, one of its nodes gets an edge to the exit, so
 * that every node has a post-dominator.  Control dependence from both, as Ferrante,
 * Ottenstein and Warren define it (TOPLAS 1987): n depends on a if a has a successor
 * that n post-dominates, and n does not post-dominate a.
 *
 * Cost: nearly linear; control dependence is as large as its result.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/flow_impl.h"

struct walk {
    const struct flow_lists *forward, *backward;
    uint32_t nodes, root;
    uint32_t *order, order_count; /* reverse postorder */
    uint32_t *number;             /* by node: place in the order, NO_ID if not reached */
};

/* Adds what `from` reaches to a postorder that grows from the end of walk->order down. */
static void visit(struct walk *walk, uint32_t from, uint32_t *free_place, uint32_t *stack,
                  uint32_t *next) {
    uint32_t depth = 0;
    stack[depth++] = from;
    walk->number[from] = 0;
    next[from] = walk->forward->start[from];
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (next[node] == walk->forward->start[node + 1]) {
            walk->order[--*free_place] = node;
            depth--;
            continue;
        }
        uint32_t to = walk->forward->to[next[node]++];
        if (walk->number[to] == NO_ID) {
            walk->number[to] = 0;
            next[to] = walk->forward->start[to];
            stack[depth++] = to;
        }
    }
}

static void walk_init(struct walk *walk) {
    uint32_t free_place = walk->nodes;
    uint32_t *stack = mem_alloc((walk->nodes + 1) * sizeof *stack);
    uint32_t *next = mem_alloc((walk->nodes + 1) * sizeof *next);
    walk->order = mem_alloc((walk->nodes + 1) * sizeof *walk->order);
    walk->number = mem_alloc((walk->nodes + 1) * sizeof *walk->number);
    memset(walk->number, 0xff, (walk->nodes + 1) * sizeof *walk->number);
    visit(walk, walk->root, &free_place, stack, next);
    walk->order_count = walk->nodes - free_place;
    memmove(walk->order, walk->order + free_place, walk->order_count * sizeof *walk->order);
    for (uint32_t i = 0; i < walk->order_count; i++)
        walk->number[walk->order[i]] = i;
    free(stack);
    free(next);
}

static void walk_deinit(struct walk *walk) {
    free(walk->order);
    free(walk->number);
}

static uint32_t meet(const struct walk *walk, const uint32_t *dominator, uint32_t a, uint32_t b) {
    while (a != b) {
        while (walk->number[a] > walk->number[b])
            a = dominator[a];
        while (walk->number[b] > walk->number[a])
            b = dominator[b];
    }
    return a;
}

static uint32_t *find_dominators(const struct walk *walk) {
    uint32_t *dominator = mem_alloc((walk->nodes + 1) * sizeof *dominator);
    memset(dominator, 0xff, (walk->nodes + 1) * sizeof *dominator);
    dominator[walk->root] = walk->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < walk->order_count; i++) {
            uint32_t node = walk->order[i], found = NO_ID;
            for (uint32_t p = walk->backward->start[node]; p < walk->backward->start[node + 1];
                 p++) {
                uint32_t from = walk->backward->to[p];
                if (dominator[from] != NO_ID)
                    found = found == NO_ID ? from : meet(walk, dominator, found, from);
            }
            changed |= dominator[node] != found;
            dominator[node] = found;
        }
    }
    dominator[walk->root] = NO_ID;
    return dominator;
}

/* Does a way lead back to the node from one that comes later? */
static bool is_head(const struct flow *flow, const uint32_t *number, uint32_t node) {
    for (uint32_t i = flow->predecessors.start[node]; i < flow->predecessors.start[node + 1]; i++)
        if (number[flow->predecessors.to[i]] != NO_ID &&
            number[flow->predecessors.to[i]] >= number[node])
            return true;
    return false;
}

/* The edges of the graph, and one to the exit from what cannot reach it: from the head of
 * its loop, so that what is in the loop still depends on the branches in it. */
static void ends_for_loops(const struct flow *flow, const uint32_t *number, flow_edges *edges) {
    uint32_t nodes = flow->count + 1;
    for (uint32_t n = 0; n < flow->count; n++)
        for (uint32_t i = flow->successors.start[n]; i < flow->successors.start[n + 1]; i++)
            VEC_PUSH(edges, (struct flow_edge){n, flow->successors.to[i]});
    bool *reaches = mem_zalloc(nodes, sizeof *reaches);
    VEC(uint32_t) work = {0};
    VEC_PUSH(&work, flow->count);
    reaches[flow->count] = true;
    for (uint32_t next;;) {
        while (work.count) {
            uint32_t node = work.data[--work.count];
            for (uint32_t i = flow->predecessors.start[node];
                 i < flow->predecessors.start[node + 1]; i++) {
                uint32_t from = flow->predecessors.to[i];
                if (!reaches[from]) {
                    reaches[from] = true;
                    VEC_PUSH(&work, from);
                }
            }
        }
        next = flow->order_count;
        while (next > 0 &&
               (reaches[flow->order[next - 1]] || !is_head(flow, number, flow->order[next - 1])))
            next--;
        if (!next)
            break;
        uint32_t node = flow->order[next - 1];
        VEC_PUSH(edges, (struct flow_edge){node, flow->count});
        reaches[node] = true;
        VEC_PUSH(&work, node);
    }
    VEC_DEINIT(&work);
    free(reaches);
}

static int compare_edges(const void *a, const void *b) {
    const struct flow_edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* `edges` from controlling node to controlled one. */
static void find_controls(struct flow *flow, const flow_edges *flows) {
    flow_edges found = {0};
    for (size_t e = 0; e < flows->count; e++) {
        uint32_t from = flows->data[e].from, stop = flow->post_dominator[from];
        for (uint32_t n = flows->data[e].to; n != stop && n != NO_ID && n != flow->count;
             n = flow->post_dominator[n])
            VEC_PUSH(&found, (struct flow_edge){from, n});
    }
    if (found.count)
        qsort(found.data, found.count, sizeof *found.data, compare_edges);
    size_t kept = 0;
    for (size_t i = 0; i < found.count; i++)
        if (!kept || compare_edges(&found.data[kept - 1], &found.data[i]) != 0)
            found.data[kept++] = found.data[i];
    flow->controls = flow_lists_make(found.data, kept, flow->count + 1, true);
    VEC_DEINIT(&found);
}

void flow_add_dominance(struct flow *flow) {
    uint32_t nodes = flow->count + 1;
    struct walk down = {
        .forward = &flow->successors, .backward = &flow->predecessors, .nodes = nodes, .root = 0};
    walk_init(&down);
    flow->dominator = find_dominators(&down);
    flow->order = mem_alloc((nodes + 1) * sizeof *flow->order);
    for (uint32_t i = 0; i < down.order_count; i++)
        if (down.order[i] != flow->count)
            flow->order[flow->order_count++] = down.order[i];

    flow_edges edges = {0};
    ends_for_loops(flow, down.number, &edges);
    struct flow_lists successors = flow_lists_make(edges.data, edges.count, nodes, false);
    struct flow_lists predecessors = flow_lists_make(edges.data, edges.count, nodes, true);
    struct walk up = {
        .forward = &predecessors, .backward = &successors, .nodes = nodes, .root = flow->count};
    walk_init(&up);
    flow->post_dominator = find_dominators(&up);
    /* Code that is never reached has no place in the reversed graph either. */
    size_t kept = 0;
    for (size_t i = 0; i < edges.count; i++)
        if (down.number[edges.data[i].from] != NO_ID)
            edges.data[kept++] = edges.data[i];
    edges.count = kept;
    find_controls(flow, &edges);
    walk_deinit(&down);
    walk_deinit(&up);
    flow_lists_deinit(&successors);
    flow_lists_deinit(&predecessors);
    VEC_DEINIT(&edges);
}
