/*
 * Summary edges: from an actual in to an actual out of a call, where what goes in
 * may decide what comes out (Horwitz, Reps and Binkley; with the order of work of Reps,
 * Horwitz, Sagiv and Rosay, FSE 1994).
 *
 * Callees come first, so that one look at a function is enough (summary_reach.c) but in circles
 * of calls, which are gone round until nothing is new.  Their calls have no edges until then: what
 * is known of the callees is looked up.
 *
 * Many formal outs depend on the same formal ins.  At a call they share a node:
 *
 *     actual ins --> shared --> actual outs          n + m edges, not n times m
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/summary_impl.h"

static void add_link(struct summaries *of, node_id from, node_id to) {
    VEC_PUSH(&of->links, (struct link){from, of->last[to]});
    of->last[to] = (uint32_t)of->links.count;
}

static node_id new_shared(struct summaries *of, node_id actual) {
    struct sdg_node at = of->sdg->nodes.data[actual];
    node_id node = sdg_add_node(
        of->sdg, (struct sdg_node){
                     .kind = NODE_SHARED, .function = at.function, .of = at.of, .part = NO_ID});
    if (node >= of->capacity) {
        size_t old = of->capacity;
        of->capacity = 2 * old + 64;
        of->last = mem_realloc(of->last, of->capacity, sizeof *of->last);
        of->local = mem_realloc(of->local, of->capacity, sizeof *of->local);
        memset(of->last + old, 0, (of->capacity - old) * sizeof *of->last);
        memset(of->local + old, 0, (of->capacity - old) * sizeof *of->local);
    }
    return node;
}

/* At each call of a function, what goes in for a class of its formal outs leads to them. */
static void link_class(struct summaries *of, const struct function_summary *function,
                       uint32_t class) {
    const uint32_t *rank = of->sdg->impl->call_ranks;
    const uint64_t *set = function->sets + (size_t)class * function->words;
    VEC(uint32_t) ranks = {0};
    for (uint32_t k = 0; k < function->ins.count; k++) {
        if (!(set[k / 64] >> k % 64 & 1))
            continue;
        node_id in = function->ins.data[k];
        for (uint64_t i = of->in.start[in]; i < of->in.start[in + 1]; i++) {
            if (of->in.edges[i].kind != EDGE_PARAMETER_IN)
                continue;
            node_id from = of->in.edges[i].node;
            uint32_t at = rank[of->sdg->nodes.data[from].of];
            if (of->shared[at] == NO_ID) {
                of->shared[at] = new_shared(of, from);
                VEC_PUSH(&ranks, at);
            }
            add_link(of, from, of->shared[at]);
        }
    }
    for (size_t o = 0; ranks.count && o < function->outs.count; o++) {
        node_id out = function->outs.data[o];
        for (uint64_t i = of->out.start[out];
             function->class_of[o] == class && i < of->out.start[out + 1]; i++) {
            node_id to = of->out.edges[i].node;
            if (of->out.edges[i].kind != EDGE_PARAMETER_OUT)
                continue;
            node_id shared = of->shared[rank[of->sdg->nodes.data[to].of]];
            if (shared != NO_ID)
                add_link(of, shared, to);
        }
    }
    for (size_t i = 0; i < ranks.count; i++)
        of->shared[ranks.data[i]] = NO_ID;
    VEC_DEINIT(&ranks);
}

/* All formals of all functions. */
static void find_formals(struct summaries *of) {
    const struct sdg *sdg = of->sdg;
    for (node_id n = (node_id)sdg->program->instructions.count; n < of->old_count; n++) {
        struct function_summary *function = &of->functions[sdg->nodes.data[n].function];
        if (sdg->nodes.data[n].kind == NODE_FORMAL_IN) {
            *summary_place(of, n) = (uint32_t)function->ins.count;
            VEC_PUSH(&function->ins, n);
        } else if (sdg->nodes.data[n].kind == NODE_FORMAL_OUT) {
            *summary_place(of, n) = (uint32_t)function->outs.count;
            VEC_PUSH(&function->outs, n);
        }
    }
    for (function_id f = 0; f < sdg->program->functions.count; f++)
        of->functions[f].words = (uint32_t)((of->functions[f].ins.count + 63) / 64);
}

/* The site for a call of a function, whose own are at the end of the list. */
static uint64_t site_of(struct summaries *of, node_id actual, function_id callee) {
    uint32_t rank = of->sdg->impl->call_ranks[of->sdg->nodes.data[actual].of];
    uint32_t newest = of->first_site[rank];
    if (newest && of->sites.data[newest - 1].callee == callee)
        return newest - 1;
    VEC_PUSH(&of->sites, (struct call_site){callee, of->sdg->nodes.data[actual].function, rank,
                                            newest, of->passed.count});
    of->first_site[rank] = (uint32_t)of->sites.count;
    for (size_t i = 0; i < of->functions[callee].ins.count; i++)
        VEC_PUSH(&of->passed, NO_ID);
    return of->sites.count - 1;
}

/* Calls within the component. */
static void find_sites(struct summaries *of, const function_id *members, uint32_t count) {
    const struct sdg *sdg = of->sdg;
    uint32_t component = sdg->graph->component[members[0]];
    for (uint32_t m = 0; m < count; m++) {
        struct function_summary *callee = &of->functions[members[m]];
        callee->first_site = (uint32_t)of->sites.count;
        for (uint32_t k = 0; k < callee->ins.count; k++) {
            node_id in = callee->ins.data[k];
            for (uint64_t i = of->in.start[in]; i < of->in.start[in + 1]; i++) {
                node_id from = of->in.edges[i].node;
                if (of->in.edges[i].kind != EDGE_PARAMETER_IN ||
                    sdg->graph->component[sdg->nodes.data[from].function] != component)
                    continue;
                uint64_t site = site_of(of, from, members[m]);
                of->passed.data[of->sites.data[site].first + k] = from;
            }
        }
        callee->site_count = (uint32_t)of->sites.count - callee->first_site;
    }
}

static void forget_sites(struct summaries *of) {
    for (size_t i = 0; i < of->sites.count; i++)
        of->first_site[of->sites.data[i].rank] = 0;
    of->sites.count = of->passed.count = 0;
}

/* Round and round in the order of the component, callees first as far as there is one: what is new
 * is handed on to many callers before any of them is looked at again. */
static void go_round(struct summaries *of, const function_id *members, uint32_t count) {
    for (uint32_t m = 0; m < count; m++)
        of->is_queued[members[m]] = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t m = 0; m < count; m++) {
            if (!of->is_queued[members[m]])
                continue;
            of->is_queued[members[m]] = false;
            is_new = true;
            if (!summary_reach(of, members[m]))
                continue;
            const struct function_summary *function = &of->functions[members[m]];
            for (uint32_t s = 0; s < function->site_count; s++)
                of->is_queued[of->sites.data[function->first_site + s].caller] = true;
        }
    }
}

static void summarise_component(struct summaries *of, uint32_t component) {
    const struct callgraph *graph = of->sdg->graph;
    const function_id *members = graph->members + graph->start[component];
    uint32_t count = graph->start[component + 1] - graph->start[component];
    find_sites(of, members, count);
    go_round(of, members, count);
    forget_sites(of);
    for (uint32_t m = 0; m < count; m++) {
        struct function_summary *function = &of->functions[members[m]];
        for (uint32_t c = 0; c < function->class_count; c++)
            link_class(of, function, c);
        free(function->sets);
        free(function->class_of);
        function->sets = NULL;
        function->class_of = NULL;
    }
}

void sdg_add_summaries(struct sdg *sdg) {
    size_t nodes = sdg->nodes.count, functions = sdg->program->functions.count;
    size_t calls = sdg->impl->call_count + 1;
    struct summaries of = {
        .sdg = sdg,
        .in = sdg_make_lists(sdg, false),
        .out = sdg_make_lists(sdg, true),
        .old_count = nodes,
        .functions = mem_zalloc(functions + 1, sizeof *of.functions),
        .place = mem_zalloc(nodes - sdg->program->instructions.count + 1, sizeof *of.place),
        .last = mem_zalloc(nodes + 1, sizeof *of.last),
        .local = mem_zalloc(nodes + 1, sizeof *of.local),
        .capacity = nodes + 1,
        .shared = mem_alloc(calls * sizeof *of.shared),
        .first_site = mem_zalloc(calls, sizeof *of.first_site),
        .is_queued = mem_zalloc(functions + 1, sizeof *of.is_queued),
    };
    memset(of.shared, 0xff, calls * sizeof *of.shared);
    find_formals(&of);
    for (uint32_t c = 0; c < sdg->graph->count; c++)
        summarise_component(&of, c);
    for (node_id n = 0; n < sdg->nodes.count; n++)
        for (uint32_t l = of.last[n]; l; l = of.links.data[l - 1].before)
            sdg_add_edge(sdg, of.links.data[l - 1].from, n, EDGE_SUMMARY);
    for (size_t f = 0; f < functions; f++) {
        VEC_DEINIT(&of.functions[f].ins);
        VEC_DEINIT(&of.functions[f].outs);
    }
    free(of.in.start);
    free(of.in.edges);
    free(of.out.start);
    free(of.out.edges);
    free(of.functions);
    free(of.place);
    free(of.last);
    free(of.local);
    free(of.shared);
    free(of.first_site);
    free(of.is_queued);
    VEC_DEINIT(&of.links);
    VEC_DEINIT(&of.sites);
    VEC_DEINIT(&of.passed);
}
