/*
 * Memory in the flow graph: regions (analysis/cells.h), and the cells in them.
 *
 * In a large program thousands of pointers point to nearly everything, and an edge from each of
 * their regions to each cell is hundreds of millions.  But those regions are alike: cells come in
 * words of 32 and chunks of 1024, and a word or a chunk with the same cells is there once:
 *
 *     cells -> words -> chunks -> region          and the other way round for what is written
 *
 * All of these edges are ties, so this is the same graph.
 *
 * Cost: a region costs its words, and edges for what no region had before.
 */
#include <stdlib.h>
#include <string.h>

#include "cut/graph_impl.h"

enum { WORD_CELLS = 32, CHUNK_WORDS = 32 };

void build_memory_init(struct build *build) {
    uint32_t cells = cells_count(build->cells);
    for (int foreign = 0; foreign < 2; foreign++)
        build->mask[foreign] = mem_zalloc(cells / WORD_CELLS + 1, sizeof *build->mask[foreign]);
    build->described = mem_zalloc(cells / WORD_CELLS + 1, sizeof *build->described);
    build->seen_by = mem_alloc((build->program->functions.count + 1) * sizeof *build->seen_by);
    memset(build->seen_by, 0xff, (build->program->functions.count + 1) * sizeof *build->seen_by);
    for (uint32_t cell = 0; cell < cells; cell++) {
        uint32_t object = cells_object(build->cells, cell);
        if (object < pta_object_count(build->pta) &&
            pta_object(build->pta, object).kind == PTA_DESCRIBED)
            build->described[cell / WORD_CELLS] |= 1U << cell % WORD_CELLS;
    }
    for (uint32_t cell = 0; cell < cells; cell++)
        if (!build->is_ignored[cell])
            build->mask[build->is_foreign[cell]][cell / WORD_CELLS] |= 1U << cell % WORD_CELLS;
}

void build_memory_deinit(struct build *build) {
    VEC_DEINIT(&build->regions);
    spans_deinit(&build->spans);
    VEC_DEINIT(&build->words);
    VEC_DEINIT(&build->masked);
    VEC_DEINIT(&build->parts);
    free(build->mask[0]);
    free(build->mask[1]);
    free(build->described);
    free(build->seen_by);
}

static void tie_part(struct build *build, graph_node whole, graph_node part, bool writes) {
    build_tie(build, writes ? whole : part, writes ? part : whole, TIE_FLOW);
}

/* The node of the words at the end of `words`, from `first` on. */
static graph_node part_node(struct build *build, size_t first, bool writes) {
    size_t count = build->words.count - first;
    struct bitset_word word = build->words.data[first];
    if (count == 1 && (word.bits & (word.bits - 1)) == 0) {
        uint32_t cell = word.key * WORD_CELLS + (uint32_t)__builtin_ctz(word.bits);
        build->words.count = first;
        build->is_used[cell] = true;
        return build->graph->first_cell + cell;
    }
    uint32_t id = spans_take(&build->spans, build->words.data, sizeof *build->words.data, first,
                             &build->words.count);
    if (id == build->parts.count)
        VEC_PUSH(&build->parts, (struct region_nodes){0});
    struct region_nodes *known = &build->parts.data[id];
    graph_node node = writes ? known->writes : known->reads;
    if (node != GRAPH_SOURCE)
        return node;
    node = build_node(build);
    *(writes ? &known->writes : &known->reads) = node;
    first = build->spans.all.data[id].first;
    for (size_t i = 0; i < (count == 1 ? WORD_CELLS : count); i++) {
        struct bitset_word part = build->words.data[count == 1 ? first : first + i];
        part.bits &= count == 1 ? 1U << i : UINT32_MAX;
        if (!part.bits)
            continue;
        size_t end = build->words.count;
        VEC_PUSH(&build->words, part);
        tie_part(build, node, part_node(build, end, writes), writes);
    }
    return node;
}

/* The cells of a region that matter: not errno, not the state of the environment, and what the
 * environment owns only if there is nothing else, since the address tells. */
static void list_words(struct build *build, uint32_t region) {
    struct bitset set = cells_of(build->cells, region);
    build->masked.count = 0;
    for (int foreign = 0; foreign < 2 && !build->masked.count; foreign++)
        for (uint32_t i = 0; i < set.count; i++) {
            struct bitset_word word = set.words[i];
            word.bits &= build->mask[foreign][word.key];
            if (word.bits)
                VEC_PUSH(&build->masked, word);
        }
}

static graph_node make_region(struct build *build, uint32_t region, bool writes) {
    list_words(build, region);
    graph_node node = NO_ID, part = NO_ID;
    for (size_t i = 0; i < build->masked.count;) {
        size_t first = build->words.count;
        uint32_t chunk = build->masked.data[i].key / CHUNK_WORDS;
        for (; i < build->masked.count && build->masked.data[i].key / CHUNK_WORDS == chunk; i++)
            VEC_PUSH(&build->words, build->masked.data[i]);
        bool is_first = part == NO_ID;
        graph_node last = part;
        part = part_node(build, first, writes);
        if (is_first)
            continue;
        if (node == NO_ID) {
            node = build_node(build);
            tie_part(build, node, last, writes);
        }
        tie_part(build, node, part, writes);
    }
    return node == NO_ID ? part : node;
}

static struct region_nodes *nodes_of(struct build *build, uint32_t region) {
    while (build->regions.count <= region)
        VEC_PUSH(&build->regions, (struct region_nodes){0});
    return &build->regions.data[region];
}

graph_node build_reads(struct build *build, uint32_t region) {
    if (region == NO_ID)
        return NO_ID;
    struct region_nodes *nodes = nodes_of(build, region);
    if (nodes->reads == GRAPH_SOURCE)
        nodes->reads = make_region(build, region, false);
    return nodes->reads;
}

graph_node build_writes(struct build *build, uint32_t region) {
    if (region == NO_ID)
        return NO_ID;
    struct region_nodes *nodes = nodes_of(build, region);
    if (nodes->writes == GRAPH_SOURCE)
        nodes->writes = make_region(build, region, true);
    return nodes->writes;
}

bool build_is_stack(struct build *build, uint32_t region, const bool *marks) {
    enum { NO = 1, YES };
    struct region_nodes *nodes = nodes_of(build, region);
    if (!nodes->stack) {
        struct bitset set = cells_of(build->cells, region);
        nodes->stack = NO;
        BITSET_EACH(cell, &set)
        if (marks[cell])
            nodes->stack = YES;
    }
    return nodes->stack == YES;
}

static bool is_all_fixed(const struct build *build, const struct bitset *set) {
    BITSET_EACH(cell, set)
    if (!build->is_fixed[cell])
        return false;
    return true;
}

bool build_is_fixed(struct build *build, uint32_t region) {
    enum { NO = 1, YES };
    struct region_nodes *nodes = nodes_of(build, region);
    if (!nodes->fixed) {
        struct bitset set = cells_of(build->cells, region);
        nodes->fixed = is_all_fixed(build, &set) ? YES : NO;
    }
    return nodes->fixed == YES;
}

bool build_is_mixed(struct build *build, uint32_t region) {
    enum { NO = 1, YES };
    struct region_nodes *nodes = nodes_of(build, region);
    if (!nodes->mixed) {
        struct bitset set = cells_of(build->cells, region);
        bool has[2] = {false, false};
        for (uint32_t i = 0; i < set.count; i++)
            for (int foreign = 0; foreign < 2; foreign++)
                has[foreign] |= (set.words[i].bits & build->mask[foreign][set.words[i].key]) != 0;
        nodes->mixed = has[0] && has[1] ? YES : NO;
    }
    return nodes->mixed == YES;
}
