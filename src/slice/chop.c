/*
 * Chopping; chop.h.
 *
 * Hub edges and interference lead from any context to any other, so that a way with one has no
 * calls to match in the whole of it: as soon as both slices use one, the chop is what they have in
 * common, which may be too much.
 *
 * Callees are not looked into for each pair of a formal in and a formal out that a summary edge
 * stands for, of which there are very many, but for a formal in and all
 * formal outs that were asked for with it: ways from one to several are those to each of them.
 *
 * Cost: a few traversals of the graph, and of a callee about once for each of its formal ins.
 */
#include "slice/chop.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/spans.h"

#define BIT(kind) (1u << (kind))

enum {
    LEVEL = BIT(EDGE_DATA) | BIT(EDGE_CONTROL) | BIT(EDGE_SUMMARY),
    UP = LEVEL | BIT(EDGE_PARAMETER_OUT),                   /* forward, towards callers */
    DOWN = LEVEL | BIT(EDGE_PARAMETER_IN) | BIT(EDGE_CALL), /* forward, into callees */
};

typedef VEC(node_id) node_list;

/* A formal in, and the formal outs that ways from it are wanted to. */
struct inlet {
    node_id in;
    struct bitset outs;
    bool is_pending;
};

struct chop {
    const struct sdg *sdg;
    const struct chop_options *options;
    bool *found;
    bool *first, *second; /* scratch, by node */
    node_list first_list, second_list;
    VEC(struct inlet) inlets;
    uint32_t *inlet_of;    /* by node, plus one; 0: none */
    VEC(uint32_t) pending; /* inlets, from next_pending on */
    size_t next_pending;
    /* Summary edges that were looked behind: by edge, and those through a shared node as that, the
     * nodes before it and the nodes after it. */
    bool *is_known;
    node_list known_nodes;
    struct spans known;
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

static void want(struct chop *chop, node_id in, node_id out) {
    if (!chop->inlet_of[in]) {
        VEC_PUSH(&chop->inlets, (struct inlet){.in = in});
        chop->inlet_of[in] = (uint32_t)chop->inlets.count;
    }
    uint32_t number = chop->inlet_of[in] - 1;
    struct inlet *inlet = &chop->inlets.data[number];
    if (!bitset_add(&inlet->outs, out) || inlet->is_pending)
        return;
    inlet->is_pending = true;
    VEC_PUSH(&chop->pending, number);
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
            if (sdg->nodes.data[in].function == sdg->nodes.data[out].function)
                want(chop, in, out);
        }
}

/* The same for all ways through a shared node; those that come up again are many. */
static void look_through(struct chop *chop, const bool *table, node_id shared) {
    const struct sdg *sdg = chop->sdg;
    size_t first = chop->known_nodes.count, middle;
    VEC_PUSH(&chop->known_nodes, shared);
    for (uint64_t i = sdg->in.start[shared]; i < sdg->in.start[shared + 1]; i++)
        if (sdg->in.edges[i].kind == EDGE_SUMMARY && table[sdg->in.edges[i].node])
            VEC_PUSH(&chop->known_nodes, sdg->in.edges[i].node);
    VEC_PUSH(&chop->known_nodes, shared);
    middle = chop->known_nodes.count;
    for (uint64_t i = sdg->out.start[shared]; i < sdg->out.start[shared + 1]; i++)
        if (sdg->out.edges[i].kind == EDGE_SUMMARY && table[sdg->out.edges[i].node])
            VEC_PUSH(&chop->known_nodes, sdg->out.edges[i].node);
    size_t known = chop->known.all.count;
    size_t end = chop->known_nodes.count;
    if (spans_take(&chop->known, chop->known_nodes.data, sizeof *chop->known_nodes.data, first,
                   &chop->known_nodes.count) < known)
        return;
    for (size_t from = first + 1; from + 1 < middle; from++)
        for (size_t to = middle; to < end; to++)
            look_between(chop, chop->known_nodes.data[from], chop->known_nodes.data[to]);
}

/* What lies behind the summary edges between nodes of `table`; those through a shared
 * node are two each. */
static void look_behind(struct chop *chop, const bool *table, const node_list *list) {
    const struct sdg *sdg = chop->sdg;
    for (size_t i = 0; i < list->count; i++) {
        node_id from = list->data[i];
        if (sdg->nodes.data[from].kind == NODE_SHARED) {
            look_through(chop, table, from);
            continue;
        }
        for (uint64_t e = sdg->out.start[from]; e < sdg->out.start[from + 1]; e++) {
            node_id to = sdg->out.edges[e].node;
            if (sdg->out.edges[e].kind != EDGE_SUMMARY || chop->is_known[e] || !table[to] ||
                sdg->nodes.data[to].kind == NODE_SHARED)
                continue;
            chop->is_known[e] = true;
            look_between(chop, from, to);
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
    node_list outs = {0};
    while (chop->next_pending < chop->pending.count) {
        struct inlet *inlet = &chop->inlets.data[chop->pending.data[chop->next_pending++]];
        node_id in = inlet->in;
        inlet->is_pending = false;
        outs.count = 0;
        BITSET_EACH(out, &inlet->outs)
        VEC_PUSH(&outs, out);
        add_same_level(chop, &in, 1, outs.data, outs.count);
    }
    VEC_DEINIT(&outs);
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
        .inlet_of = mem_zalloc(nodes + 1, sizeof *chop.inlet_of),
        .is_known = mem_zalloc(sdg->out.start[nodes] + 1, sizeof *chop.is_known),
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
    free(chop.inlet_of);
    free(chop.is_known);
    for (size_t i = 0; i < chop.inlets.count; i++)
        bitset_deinit(&chop.inlets.data[i].outs);
    VEC_DEINIT(&chop.inlets);
    VEC_DEINIT(&chop.known_nodes);
    spans_deinit(&chop.known);
    VEC_DEINIT(&chop.first_list);
    VEC_DEINIT(&chop.second_list);
    VEC_DEINIT(&chop.pending);
    return chop.found;
}
