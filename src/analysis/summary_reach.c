/*
 * One function: which formal ins does each formal out depend on?
 *
 * The way back from the formal outs is a graph of its own.  At a call within a circle of
 * functions, each class of the callee's formal outs has a node:
 *
 *     actual outs --> call and class --> actual ins
 *
 * What a node can reach is a set of bits, of which there are many at a time; in the order of
 * components each edge is looked at once for all of them.
 *
 * Cost: edges times formal ins / 512.
 */
#include <string.h>
#include <xxhash.h>

#include "analysis/components.h"
#include "analysis/summary_impl.h"

enum { batch_words = 8 };

struct batch {
    uint64_t words[batch_words];
};

/* A node of the graph, or a class at a call. */
struct local_node {
    uint32_t site; /* NO_ID: a node of the graph */
    uint32_t of;   /* node or class */
};

struct lists {
    VEC(uint32_t) start, targets;
};

struct way_back {
    struct summaries *of;
    VEC(struct local_node) nodes;
    struct lists edges;
    uint32_t *first_class; /* by site: in `classes`, plus one; 0: not met */
    VEC(uint32_t) classes; /* their numbers, plus one; 0: not met */

    uint32_t component_count;
    uint32_t *component;  /* by node */
    struct lists between; /* components, each edge once */
};

static uint32_t local_of(struct way_back *way, node_id node) {
    if (!way->of->local[node]) {
        VEC_PUSH(&way->nodes, (struct local_node){NO_ID, node});
        way->of->local[node] = (uint32_t)way->nodes.count;
    }
    return way->of->local[node] - 1;
}

static uint32_t local_of_class(struct way_back *way, uint32_t site, uint32_t class) {
    if (!way->first_class[site]) {
        way->first_class[site] = (uint32_t)way->classes.count + 1;
        uint32_t count = way->of->functions[way->of->sites.data[site].callee].class_count;
        for (uint32_t i = 0; i < count; i++)
            VEC_PUSH(&way->classes, 0);
    }
    uint32_t *number = &way->classes.data[way->first_class[site] - 1 + class];
    if (!*number) {
        VEC_PUSH(&way->nodes, (struct local_node){site, class});
        *number = (uint32_t)way->nodes.count;
    }
    return *number - 1;
}

/* From what a call brings back on, into what it was given for it. */
static void leave_call(struct way_back *way, node_id actual_out, node_id formal_out) {
    struct summaries *of = way->of;
    const struct sdg_node *nodes = of->sdg->nodes.data;
    const struct function_summary *callee = &of->functions[nodes[formal_out].function];
    if (!callee->class_count)
        return;
    uint32_t site = of->first_site[of->sdg->impl->call_ranks[nodes[actual_out].of]];
    while (site && of->sites.data[site - 1].callee != nodes[formal_out].function)
        site = of->sites.data[site - 1].next;
    if (site) {
        uint32_t class = callee->class_of[*summary_place(of, formal_out)];
        VEC_PUSH(&way->edges.targets, local_of_class(way, site - 1, class));
    }
}

static void add_edges_of_node(struct way_back *way, node_id node) {
    struct summaries *of = way->of;
    for (uint64_t i = node < of->old_count ? of->in.start[node] : 0;
         node < of->old_count && i < of->in.start[node + 1]; i++) {
        struct sdg_edge edge = of->in.edges[i];
        if (edge.kind == EDGE_DATA ||
            (edge.kind == EDGE_CONTROL && !of->sdg->impl->options->data_only))
            VEC_PUSH(&way->edges.targets, local_of(way, edge.node));
        else if (edge.kind == EDGE_PARAMETER_OUT)
            leave_call(way, node, edge.node);
    }
    for (uint32_t l = of->last[node]; l; l = of->links.data[l - 1].before)
        VEC_PUSH(&way->edges.targets, local_of(way, of->links.data[l - 1].from));
}

static void add_edges_of_class(struct way_back *way, const struct call_site *site, uint32_t class) {
    const struct function_summary *callee = &way->of->functions[site->callee];
    const uint64_t *set = callee->sets + (size_t)class * callee->words;
    for (uint32_t w = 0; w < callee->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            node_id passed =
                way->of->passed.data[site->first + w * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (passed != NO_ID)
                VEC_PUSH(&way->edges.targets, local_of(way, passed));
        }
}

static void find_edges(struct way_back *way) {
    for (size_t n = 0; n < way->nodes.count; n++) {
        struct local_node node = way->nodes.data[n];
        VEC_PUSH(&way->edges.start, (uint32_t)way->edges.targets.count);
        if (node.site == NO_ID)
            add_edges_of_node(way, node.of);
        else
            add_edges_of_class(way, &way->of->sites.data[node.site], node.of);
    }
    VEC_PUSH(&way->edges.start, (uint32_t)way->edges.targets.count);
}

static void find_components(struct way_back *way) {
    way->component = mem_alloc((way->nodes.count + 1) * sizeof *way->component);
    uint32_t *members = mem_alloc((way->nodes.count + 1) * sizeof *members);
    way->component_count = components_find((uint32_t)way->nodes.count, way->edges.start.data,
                                           way->edges.targets.data, way->component, members);
    uint32_t *seen = mem_zalloc(way->component_count + 1, sizeof *seen); /* from which, plus one */
    for (uint32_t c = 0, k = 0; c < way->component_count; c++) {
        VEC_PUSH(&way->between.start, (uint32_t)way->between.targets.count);
        seen[c] = c + 1;
        for (; k < way->nodes.count && way->component[members[k]] == c; k++)
            for (uint32_t e = way->edges.start.data[members[k]];
                 e < way->edges.start.data[members[k] + 1]; e++) {
                uint32_t to = way->component[way->edges.targets.data[e]];
                if (seen[to] == c + 1)
                    continue;
                seen[to] = c + 1;
                VEC_PUSH(&way->between.targets, to);
            }
    }
    VEC_PUSH(&way->between.start, (uint32_t)way->between.targets.count);
    free(seen);
    free(members);
}

/* Fills in `sets`, by formal out. */
static void collect(struct way_back *way, const struct function_summary *function, uint64_t *sets) {
    struct summaries *of = way->of;
    struct batch *reached = mem_alloc((way->component_count + 1) * sizeof *reached);
    for (uint32_t first = 0; first < function->words; first += batch_words) {
        uint32_t count =
            function->words - first < batch_words ? function->words - first : batch_words;
        memset(reached, 0, way->component_count * sizeof *reached);
        for (uint32_t w = 0; w < count * 64; w++) {
            uint32_t in = first * 64 + w;
            if (in < function->ins.count && of->local[function->ins.data[in]])
                reached[way->component[of->local[function->ins.data[in]] - 1]].words[w / 64] |=
                    1ULL << w % 64;
        }
        for (uint32_t c = 0; c < way->component_count; c++)
            for (uint32_t e = way->between.start.data[c]; e < way->between.start.data[c + 1]; e++)
                for (uint32_t w = 0; w < batch_words; w++)
                    reached[c].words[w] |= reached[way->between.targets.data[e]].words[w];
        for (size_t o = 0; o < function->outs.count; o++)
            memcpy(sets + o * function->words + first,
                   reached[way->component[of->local[function->outs.data[o]] - 1]].words,
                   count * sizeof *sets);
    }
    free(reached);
}

struct hashed_out {
    uint64_t hash;
    uint32_t out;
};

static int compare_outs(const void *a, const void *b) {
    const struct hashed_out *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->out < y->out ? -1 : x->out > y->out;
}

/* Classes of the sets; in the order of hashes. */
static void classify(struct function_summary *function, const uint64_t *sets) {
    size_t size = function->words * sizeof *sets, count = function->outs.count;
    struct hashed_out *hashed = mem_alloc((count + 1) * sizeof *hashed);
    for (uint32_t o = 0; o < count; o++)
        hashed[o] = (struct hashed_out){XXH3_64bits(sets + (size_t)o * function->words, size), o};
    qsort(hashed, count, sizeof *hashed, compare_outs);
    function->class_count = 0;
    function->class_of = mem_realloc(function->class_of, count + 1, sizeof *function->class_of);
    for (size_t k = 0; k < count; k++) {
        const uint64_t *set = sets + (size_t)hashed[k].out * function->words;
        bool is_same = k && hashed[k].hash == hashed[k - 1].hash &&
                       memcmp(set, sets + (size_t)hashed[k - 1].out * function->words, size) == 0;
        function->class_count += !is_same;
        function->class_of[hashed[k].out] = function->class_count - 1;
    }
    function->sets = mem_realloc(function->sets, function->class_count + 1, size + 1);
    for (uint32_t o = 0; o < count; o++)
        memcpy(function->sets + (size_t)function->class_of[o] * function->words,
               sets + (size_t)o * function->words, size);
    free(hashed);
}

bool summary_reach(struct summaries *of, function_id id) {
    struct function_summary *function = &of->functions[id];
    if (!function->outs.count)
        return false;
    struct way_back way = {.of = of,
                           .first_class = mem_zalloc(of->sites.count + 1, sizeof *way.first_class)};
    for (size_t o = 0; o < function->outs.count; o++)
        local_of(&way, function->outs.data[o]);
    find_edges(&way);
    find_components(&way);
    uint64_t *sets = mem_zalloc(function->outs.count * function->words + 1, sizeof *sets);
    collect(&way, function, sets);
    uint64_t size = 0;
    for (size_t i = 0; i < function->outs.count * function->words; i++)
        size += (uint64_t)__builtin_popcountll(sets[i]);
    bool is_more = size > function->size || !function->class_count;
    function->size = size;
    if (is_more)
        classify(function, sets);
    free(sets);
    for (size_t n = 0; n < way.nodes.count; n++)
        if (way.nodes.data[n].site == NO_ID)
            of->local[way.nodes.data[n].of] = 0;
    VEC_DEINIT(&way.nodes);
    VEC_DEINIT(&way.edges.start);
    VEC_DEINIT(&way.edges.targets);
    free(way.first_class);
    VEC_DEINIT(&way.classes);
    free(way.component);
    VEC_DEINIT(&way.between.start);
    VEC_DEINIT(&way.between.targets);
    return is_more;
}
