/*
 * Summary edges: from an actual in to an actual out of a call, where what goes in
 * may decide what comes out (Horwitz, Reps and Binkley; with the order of work of Reps,
 * Horwitz, Sagiv and Rosay, FSE 1994).
 *
 * For each function, 64 formal outs at a time: a bit for each goes backwards from
 * it through the function's own nodes, over summary edges at calls, to the formal
 * ins.  Callees come first, so that one round is enough but in circles of calls, which
 * are gone round until no summary edge is new.
 *
 * Many formal outs depend on the same formal ins.  At a call they share a node:
 *
 *     actual ins --> shared --> actual outs          n + m edges, not n times m
 *
 * but at calls within a circle, where more may come.
 *
 * Cost: formal outs / 64 times the edges of their functions, and the result.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/sdg_impl.h"

/* A summary edge into a node, and the one that was added before it. */
struct link {
    node_id from;
    uint32_t before; /* in `links`, plus one */
};

typedef VEC(node_id) node_list;

struct summaries {
    struct sdg *sdg;
    struct sdg_edges in, out; /* without summary edges */
    /* By node; shared nodes are added as the work goes on. */
    uint64_t *bits; /* formal outs that it reaches */
    bool *is_waiting;
    uint32_t *last; /* its newest link, plus one */
    size_t old_count, capacity;
    node_list work, touched;
    VEC(struct link) links;
    node_id *shared; /* by rank of a call: its shared node, or NO_ID */

    struct bitset *known; /* by formal out, as a node: formal ins */
    bool *is_queued;      /* by function: a call in it has a new summary edge */
};

static void reach(struct summaries *of, node_id node, uint64_t bits) {
    if (!(bits & ~of->bits[node]))
        return;
    if (!of->bits[node])
        VEC_PUSH(&of->touched, node);
    of->bits[node] |= bits;
    if (!of->is_waiting[node]) {
        of->is_waiting[node] = true;
        VEC_PUSH(&of->work, node);
    }
}

static void go_backwards(struct summaries *of) {
    while (of->work.count) {
        node_id node = of->work.data[--of->work.count];
        uint64_t bits = of->bits[node];
        of->is_waiting[node] = false;
        for (uint64_t i = node < of->old_count ? of->in.start[node] : 0;
             node < of->old_count && i < of->in.start[node + 1]; i++)
            if (of->in.edges[i].kind == EDGE_DATA ||
                (of->in.edges[i].kind == EDGE_CONTROL && !of->sdg->impl->options->data_only))
                reach(of, of->in.edges[i].node, bits);
        for (uint32_t l = of->last[node]; l; l = of->links.data[l - 1].before)
            reach(of, of->links.data[l - 1].from, bits);
    }
}

/* The next edge of the kind from *at on, up to `end`; its other node, or NO_ID. */
static node_id next_of(const struct sdg_edges *lists, uint64_t *at, uint64_t end,
                       enum sdg_edge_kind kind) {
    while (*at < end && lists->edges[*at].kind != kind)
        ++*at;
    return *at < end ? lists->edges[*at].node : NO_ID;
}

static void add_link(struct summaries *of, node_id from, node_id to) {
    VEC_PUSH(&of->links, (struct link){from, of->last[to]});
    of->last[to] = (uint32_t)of->links.count;
}

/* At each call within the component, what is passed for the formal in decides what
 * comes back for the formal out.  Both lists are in the order in which calls were
 * visited. */
static void link_calls(struct summaries *of, uint32_t component, node_id in, node_id out) {
    const struct sdg_node *nodes = of->sdg->nodes.data;
    const uint32_t *rank = of->sdg->impl->call_ranks;
    uint64_t i = of->in.start[in], in_end = of->in.start[in + 1];
    uint64_t o = of->out.start[out], out_end = of->out.start[out + 1];
    for (;;) {
        node_id from = next_of(&of->in, &i, in_end, EDGE_PARAMETER_IN);
        node_id to = next_of(&of->out, &o, out_end, EDGE_PARAMETER_OUT);
        if (from == NO_ID || to == NO_ID)
            return;
        uint32_t from_rank = rank[nodes[from].of], to_rank = rank[nodes[to].of];
        if (from_rank < to_rank) {
            i++;
        } else if (from_rank > to_rank) {
            o++;
        } else {
            if (from != to && of->sdg->graph->component[nodes[to].function] == component) {
                add_link(of, from, to);
                of->is_queued[nodes[to].function] = true;
            }
            i++; /* one of each for a call */
            o++;
        }
    }
}

static node_id new_shared(struct summaries *of, node_id actual) {
    struct sdg_node at = of->sdg->nodes.data[actual];
    node_id node = sdg_add_node(
        of->sdg, (struct sdg_node){
                     .kind = NODE_SHARED, .function = at.function, .of = at.of, .part = NO_ID});
    if (node >= of->capacity) {
        size_t old = of->capacity;
        of->capacity = 2 * old + 64;
        of->bits = mem_realloc(of->bits, of->capacity, sizeof *of->bits);
        of->is_waiting = mem_realloc(of->is_waiting, of->capacity, sizeof *of->is_waiting);
        of->last = mem_realloc(of->last, of->capacity, sizeof *of->last);
        memset(of->bits + old, 0, (of->capacity - old) * sizeof *of->bits);
        memset(of->is_waiting + old, 0, (of->capacity - old) * sizeof *of->is_waiting);
        memset(of->last + old, 0, (of->capacity - old) * sizeof *of->last);
    }
    return node;
}

static bool is_outside(const struct summaries *of, uint32_t component, node_id actual) {
    return of->sdg->graph->component[of->sdg->nodes.data[actual].function] != component;
}

/* Calls from outside of the component, for formal outs that depend on the same. */
static void link_alike(struct summaries *of, uint32_t component, const node_id *outs,
                       size_t count) {
    const struct bitset *ins = &of->known[outs[0] - of->sdg->program->instructions.count];
    const uint32_t *rank = of->sdg->impl->call_ranks;
    VEC(uint32_t) ranks = {0};
    BITSET_EACH(in, ins) {
        for (uint64_t i = of->in.start[in]; i < of->in.start[in + 1]; i++) {
            node_id from = of->in.edges[i].node;
            if (of->in.edges[i].kind != EDGE_PARAMETER_IN || !is_outside(of, component, from))
                continue;
            uint32_t at = rank[of->sdg->nodes.data[from].of];
            if (of->shared[at] == NO_ID) {
                of->shared[at] = new_shared(of, from);
                VEC_PUSH(&ranks, at);
            }
            add_link(of, from, of->shared[at]);
        }
    }
    for (size_t k = 0; k < count; k++)
        for (uint64_t i = of->out.start[outs[k]]; i < of->out.start[outs[k] + 1]; i++) {
            node_id to = of->out.edges[i].node;
            if (of->out.edges[i].kind != EDGE_PARAMETER_OUT || !is_outside(of, component, to))
                continue;
            node_id shared = of->shared[rank[of->sdg->nodes.data[to].of]];
            if (shared != NO_ID)
                add_link(of, shared, to);
        }
    for (size_t i = 0; i < ranks.count; i++)
        of->shared[ranks.data[i]] = NO_ID;
    VEC_DEINIT(&ranks);
}

struct hashed_out {
    uint64_t hash;
    node_id out;
};

static int compare_outs(const void *a, const void *b) {
    const struct hashed_out *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->out < y->out ? -1 : x->out > y->out;
}

static void find_outs(const struct summaries *of, function_id function, node_list *ret) {
    const struct sdg *sdg = of->sdg;
    uint32_t parts = parts_of(sdg->parts, function).count;
    VEC_PUSH(ret, sdg->results[function]);
    if (sdg->impl->ends[function] != NO_ID)
        VEC_PUSH(ret, sdg->impl->ends[function]);
    for (uint32_t p = 0; p < parts; p++)
        if (sdg->impl->functions[function].formal_out[p] != NO_ID)
            VEC_PUSH(ret, sdg->impl->functions[function].formal_out[p]);
}

/* All that calls from outside of its component have to know of a function. */
static void link_outside(struct summaries *of, function_id function) {
    const struct sdg *sdg = of->sdg;
    node_list outs = {0};
    find_outs(of, function, &outs);
    struct hashed_out *hashed = mem_alloc(outs.count * sizeof *hashed);
    for (size_t i = 0; i < outs.count; i++) {
        const struct bitset *ins = &of->known[outs.data[i] - sdg->program->instructions.count];
        hashed[i] = (struct hashed_out){XXH3_64bits(ins->words, ins->count * sizeof *ins->words),
                                        outs.data[i]};
    }
    qsort(hashed, outs.count, sizeof *hashed, compare_outs);
    for (size_t i = 0; i < outs.count; i++)
        outs.data[i] = hashed[i].out;
    for (size_t i = 0, end; i < outs.count; i = end) {
        for (end = i + 1; end < outs.count && hashed[end].hash == hashed[i].hash; end++)
            ;
        link_alike(of, sdg->graph->component[function], outs.data + i, end - i);
    }
    free(hashed);
    VEC_DEINIT(&outs);
}

static void summarise(struct summaries *of, function_id function) {
    struct sdg *sdg = of->sdg;
    uint32_t component = sdg->graph->component[function];
    node_list outs = {0};
    find_outs(of, function, &outs);
    for (size_t first = 0; first < outs.count; first += 64) {
        size_t count = outs.count - first < 64 ? outs.count - first : 64;
        for (size_t k = 0; k < count; k++)
            reach(of, outs.data[first + k], 1ULL << k);
        go_backwards(of);
        for (size_t t = 0; t < of->touched.count; t++) {
            node_id node = of->touched.data[t];
            uint64_t bits = of->bits[node];
            of->bits[node] = 0;
            if (sdg->nodes.data[node].kind != NODE_FORMAL_IN)
                continue;
            for (; bits; bits &= bits - 1) {
                node_id out = outs.data[first + (size_t)__builtin_ctzll(bits)];
                if (bitset_add(&of->known[out - sdg->program->instructions.count], node))
                    link_calls(of, component, node, out);
            }
        }
        of->touched.count = 0;
    }
    VEC_DEINIT(&outs);
}

/* Round and round in the order of the component, callees first as far as there is one: what is new
 * is handed on to many callers before any of them is looked at again. */
static void summarise_component(struct summaries *of, uint32_t component) {
    const struct callgraph *graph = of->sdg->graph;
    uint32_t first = graph->start[component], end = graph->start[component + 1];
    for (uint32_t m = first; m < end; m++)
        of->is_queued[graph->members[m]] = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t m = first; m < end; m++) {
            if (!of->is_queued[graph->members[m]])
                continue;
            of->is_queued[graph->members[m]] = false;
            is_new = true;
            summarise(of, graph->members[m]);
        }
    }
    for (uint32_t m = first; m < end; m++)
        link_outside(of, graph->members[m]);
}

void sdg_add_summaries(struct sdg *sdg) {
    size_t nodes = sdg->nodes.count, functions = sdg->program->functions.count;
    size_t formals = nodes - sdg->program->instructions.count;
    struct summaries of = {
        .sdg = sdg,
        .in = sdg_make_lists(sdg, false),
        .out = sdg_make_lists(sdg, true),
        .old_count = nodes,
        .capacity = nodes + 1,
        .bits = mem_zalloc(nodes + 1, sizeof *of.bits),
        .is_waiting = mem_zalloc(nodes + 1, sizeof *of.is_waiting),
        .last = mem_zalloc(nodes + 1, sizeof *of.last),
        .shared = mem_alloc((sdg->impl->call_count + 1) * sizeof *of.shared),
        .known = mem_zalloc(formals + 1, sizeof *of.known),
        .is_queued = mem_zalloc(functions + 1, sizeof *of.is_queued),
    };
    memset(of.shared, 0xff, (sdg->impl->call_count + 1) * sizeof *of.shared);
    for (uint32_t c = 0; c < sdg->graph->count; c++)
        summarise_component(&of, c);
    for (node_id n = 0; n < sdg->nodes.count; n++)
        for (uint32_t l = of.last[n]; l; l = of.links.data[l - 1].before)
            sdg_add_edge(sdg, of.links.data[l - 1].from, n, EDGE_SUMMARY);
    for (size_t i = 0; i < formals; i++)
        bitset_deinit(&of.known[i]);
    free(of.in.start);
    free(of.in.edges);
    free(of.out.start);
    free(of.out.edges);
    free(of.bits);
    free(of.is_waiting);
    free(of.last);
    free(of.shared);
    free(of.known);
    free(of.is_queued);
    VEC_DEINIT(&of.work);
    VEC_DEINIT(&of.touched);
    VEC_DEINIT(&of.links);
}
