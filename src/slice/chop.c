/*
 * Chopping; chop.h.
 *
 * Hub edges and interference lead from any context to any other, so that a way with one has no
 * calls to match in the whole of it: as soon as both slices use one, the chop is what they have in
 * common, which may be too much.
 *
 * Cost: a few traversals of the graph, and of callees once for each pair of a formal
 * in and a formal out that a summary edge stands for.
 */
#include "slice/chop.h"

#include <stdlib.h>
#include <string.h>

#define BIT(kind) (1u << (kind))

enum {
    LEVEL = BIT(EDGE_DATA) | BIT(EDGE_CONTROL) | BIT(EDGE_SUMMARY),
    UP = LEVEL | BIT(EDGE_PARAMETER_OUT),                   /* forward, towards callers */
    DOWN = LEVEL | BIT(EDGE_PARAMETER_IN) | BIT(EDGE_CALL), /* forward, into callees */
};

typedef VEC(node_id) node_list;

struct chop {
    const struct sdg *sdg;
    const struct chop_options *options;
    bool *found;
    bool *first, *second; /* scratch, by node */
    node_list first_list, second_list;
    /* Pairs of a formal in and a formal out that were looked into, as a hash. */
    uint64_t *pairs;
    size_t pair_mask, pair_count;
    VEC(uint64_t) pending;
};

static uint32_t allowed(const struct chop *chop, uint32_t kinds) {
    return chop->options->data_only ? kinds & ~(BIT(EDGE_CONTROL) | BIT(EDGE_CALL)) : kinds;
}

/* All that can be reached over edges of these kinds, and only where `within` is set if
 * that is not NULL; in a table and as a list. */
static void reach(struct chop *chop, const node_id *from, size_t count, bool forward,
                  uint32_t kinds, const bool *within, bool *table, node_list *list) {
    const struct sdg_edges *edges = forward ? &chop->sdg->out : &chop->sdg->in;
    kinds = allowed(chop, kinds);
    list->count = 0;
    for (size_t i = 0; i < count; i++)
        if (!table[from[i]] && (!within || within[from[i]])) {
            table[from[i]] = true;
            VEC_PUSH(list, from[i]);
        }
    for (size_t next = 0; next < list->count; next++) {
        node_id node = list->data[next];
        for (uint64_t i = edges->start[node]; i < edges->start[node + 1]; i++) {
            node_id to = edges->edges[i].node;
            if (!(kinds & BIT(edges->edges[i].kind)) || table[to] || (within && !within[to]))
                continue;
            table[to] = true;
            VEC_PUSH(list, to);
        }
    }
}

static void clear(bool *table, node_list *list) {
    for (size_t i = 0; i < list->count; i++)
        table[list->data[i]] = false;
    list->count = 0;
}

static bool add_pair(struct chop *chop, node_id in, node_id out) {
    uint64_t key = ((uint64_t)in << 32 | out) + 1;
    if (2 * chop->pair_count >= chop->pair_mask) {
        uint64_t *old = chop->pairs;
        size_t size = chop->pair_mask ? chop->pair_mask + 1 : 0;
        chop->pair_mask = size ? 2 * size - 1 : 63;
        chop->pairs = mem_zalloc(chop->pair_mask + 1, sizeof *chop->pairs);
        chop->pair_count = 0;
        for (size_t i = 0; i < size; i++)
            if (old[i])
                add_pair(chop, (node_id)((old[i] - 1) >> 32), (node_id)(old[i] - 1));
        free(old);
    }
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & chop->pair_mask;
    while (chop->pairs[at] && chop->pairs[at] != key)
        at = (at + 1) & chop->pair_mask;
    if (chop->pairs[at])
        return false;
    chop->pairs[at] = key;
    chop->pair_count++;
    return true;
}

/* What lies behind the way from an actual in to an actual out. */
static void look_between(struct chop *chop, node_id from, node_id to) {
    const struct sdg *sdg = chop->sdg;
    for (uint64_t a = sdg->out.start[from]; a < sdg->out.start[from + 1]; a++)
        for (uint64_t b = sdg->in.start[to]; b < sdg->in.start[to + 1]; b++) {
            if (sdg->out.edges[a].kind != EDGE_PARAMETER_IN ||
                sdg->in.edges[b].kind != EDGE_PARAMETER_OUT)
                continue;
            node_id in = sdg->out.edges[a].node, out = sdg->in.edges[b].node;
            if (sdg->nodes.data[in].function == sdg->nodes.data[out].function &&
                add_pair(chop, in, out))
                VEC_PUSH(&chop->pending, (uint64_t)in << 32 | out);
        }
}

/* What lies behind the summary edges between nodes of `table`; those through a shared
 * node are two each. */
static void look_behind(struct chop *chop, const bool *table, const node_list *list) {
    const struct sdg *sdg = chop->sdg;
    for (size_t i = 0; i < list->count; i++) {
        node_id from = list->data[i];
        if (sdg->nodes.data[from].kind == NODE_SHARED)
            continue;
        for (uint64_t e = sdg->out.start[from]; e < sdg->out.start[from + 1]; e++) {
            node_id to = sdg->out.edges[e].node;
            if (sdg->out.edges[e].kind != EDGE_SUMMARY || !table[to])
                continue;
            if (sdg->nodes.data[to].kind != NODE_SHARED) {
                look_between(chop, from, to);
                continue;
            }
            for (uint64_t k = sdg->out.start[to]; k < sdg->out.start[to + 1]; k++)
                if (sdg->out.edges[k].kind == EDGE_SUMMARY && table[sdg->out.edges[k].node])
                    look_between(chop, from, sdg->out.edges[k].node);
        }
    }
}

/* Ways within one function, and what it calls, from one node to another. */
static void add_same_level(struct chop *chop, const node_id *from, size_t from_count,
                           const node_id *to, size_t to_count) {
    reach(chop, from, from_count, true, LEVEL, NULL, chop->first, &chop->first_list);
    reach(chop, to, to_count, false, LEVEL, chop->first, chop->second, &chop->second_list);
    for (size_t i = 0; i < chop->second_list.count; i++)
        chop->found[chop->second_list.data[i]] = true;
    if (!chop->options->truncated)
        look_behind(chop, chop->second, &chop->second_list);
    clear(chop->first, &chop->first_list);
    clear(chop->second, &chop->second_list);
}

static void look_into_calls(struct chop *chop) {
    while (chop->pending.count) {
        uint64_t pair = chop->pending.data[--chop->pending.count];
        node_id in = (node_id)(pair >> 32), out = (node_id)pair;
        add_same_level(chop, &in, 1, &out, 1);
    }
}

static struct slice *slice_of(const struct chop *chop, const node_id *from, size_t count,
                              bool forward) {
    struct slice *slice = slice_new(chop->sdg);
    for (size_t i = 0; i < count; i++)
        slice_add(slice, from[i]);
    slice_run(slice, &(struct slice_options){.forward = forward,
                                             .data_only = chop->options->data_only,
                                             .no_context = chop->options->no_context,
                                             .no_threads = chop->options->no_threads,
                                             .order = chop->options->order,
                                             .by_definition = chop->options->by_definition});
    return slice;
}

/* What both slices have; true if they go over a hub edge together. */
static bool add_common(struct chop *chop, const node_id *sources, size_t source_count,
                       const node_id *targets, size_t target_count) {
    const struct sdg *sdg = chop->sdg;
    struct slice *forward = slice_of(chop, sources, source_count, true);
    struct slice *backward = slice_of(chop, targets, target_count, false);
    bool has_hub = chop->options->no_context;
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        if (!slice_has(forward, n) || !slice_has(backward, n))
            continue;
        chop->found[n] = true;
        for (uint64_t i = sdg->out.start[n]; i < sdg->out.start[n + 1]; i++)
            has_hub |=
                (sdg->out.edges[i].kind == EDGE_HUB ||
                 (sdg->out.edges[i].kind == EDGE_INTERFERENCE && !chop->options->no_threads)) &&
                slice_has(forward, sdg->out.edges[i].node) &&
                slice_has(backward, sdg->out.edges[i].node);
    }
    slice_free(forward);
    slice_free(backward);
    return has_hub;
}

/* Up from the sources, down to the targets. */
static void add_up_and_down(struct chop *chop, const node_id *sources, size_t source_count,
                            const node_id *targets, size_t target_count) {
    size_t nodes = chop->sdg->nodes.count;
    bool *up = mem_zalloc(nodes + 1, sizeof *up), *down = mem_zalloc(nodes + 1, sizeof *down);
    bool *on_way = mem_zalloc(nodes + 1, sizeof *on_way);
    node_list ups = {0}, downs = {0}, meets = {0}, ways = {0};
    reach(chop, sources, source_count, true, UP, NULL, up, &ups);
    reach(chop, targets, target_count, false, DOWN, NULL, down, &downs);
    for (size_t i = 0; i < ups.count; i++)
        if (down[ups.data[i]])
            VEC_PUSH(&meets, ups.data[i]);
    reach(chop, meets.data, meets.count, false, UP, up, on_way, &ways);
    for (size_t i = 0; i < ways.count; i++)
        chop->found[ways.data[i]] = true;
    if (!chop->options->truncated)
        look_behind(chop, on_way, &ways);
    clear(on_way, &ways);
    reach(chop, meets.data, meets.count, true, DOWN, down, on_way, &ways);
    for (size_t i = 0; i < ways.count; i++)
        chop->found[ways.data[i]] = true;
    if (!chop->options->truncated)
        look_behind(chop, on_way, &ways);
    VEC_DEINIT(&ups);
    VEC_DEINIT(&downs);
    VEC_DEINIT(&meets);
    VEC_DEINIT(&ways);
    free(up);
    free(down);
    free(on_way);
}

bool *chop_make(const struct sdg *sdg, const node_id *sources, size_t source_count,
                const node_id *targets, size_t target_count, const struct chop_options *options) {
    size_t nodes = sdg->nodes.count;
    struct chop chop = {
        .sdg = sdg,
        .options = options,
        .found = mem_zalloc(nodes + 1, sizeof *chop.found),
        .first = mem_zalloc(nodes + 1, sizeof *chop.first),
        .second = mem_zalloc(nodes + 1, sizeof *chop.second),
    };
    if (options->same_level) {
        add_same_level(&chop, sources, source_count, targets, target_count);
        look_into_calls(&chop);
    } else if (!add_common(&chop, sources, source_count, targets, target_count)) {
        memset(chop.found, 0, nodes * sizeof *chop.found);
        add_up_and_down(&chop, sources, source_count, targets, target_count);
        look_into_calls(&chop);
    }
    free(chop.first);
    free(chop.second);
    free(chop.pairs);
    VEC_DEINIT(&chop.first_list);
    VEC_DEINIT(&chop.second_list);
    VEC_DEINIT(&chop.pending);
    return chop.found;
}
