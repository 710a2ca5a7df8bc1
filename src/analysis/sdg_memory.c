/*
 * Which definition of a part of memory reaches a place; sdg_impl.h.
 *
 * A table by (block, part) holds the last definition in a block.  A block that has
 * none asks its predecessors: the only one directly, several through a merge node.
 * A block some of whose predecessors are still to come, the head of a loop, gets
 * merges whose edges are added when it is sealed.
 *
 * Cost: what is asked for; never blocks times parts.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sdg_impl.h"

struct entry {
    uint64_t key; /* block and part, plus one; 0 is free */
    node_id node;
};

struct pending {
    uint32_t block, part;
    node_id merge;
};

struct definitions {
    struct sdg *sdg;
    const struct flow *flow;
    const node_id *initial; /* by part: at the entry */
    struct entry *table;
    size_t mask, used;
    bool *is_sealed, *is_reached;
    VEC(struct pending) pending;
};

struct definitions *definitions_new(struct sdg *sdg, const struct flow *flow,
                                    const node_id *initial) {
    struct definitions *of = mem_zalloc(1, sizeof *of);
    of->sdg = sdg;
    of->flow = flow;
    of->initial = initial;
    of->mask = 63;
    of->table = mem_zalloc(of->mask + 1, sizeof *of->table);
    of->is_sealed = mem_zalloc(flow->count + 1, sizeof *of->is_sealed);
    of->is_reached = mem_zalloc(flow->count + 1, sizeof *of->is_reached);
    for (uint32_t i = 0; i < flow->order_count; i++)
        of->is_reached[flow->order[i]] = true;
    return of;
}

void definitions_free(struct definitions *of) {
    free(of->table);
    free(of->is_sealed);
    free(of->is_reached);
    VEC_DEINIT(&of->pending);
    free(of);
}

static uint64_t key_of(uint32_t block, uint32_t part) { return ((uint64_t)block << 32 | part) + 1; }

static struct entry *find(const struct definitions *of, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & of->mask;
    while (of->table[at].key && of->table[at].key != key)
        at = (at + 1) & of->mask;
    return &of->table[at];
}

void definitions_write(struct definitions *of, uint32_t block, uint32_t part, node_id node) {
    struct entry *entry = find(of, key_of(block, part));
    if (!entry->key) {
        entry->key = key_of(block, part);
        of->used++;
    }
    entry->node = node;
    if (2 * of->used <= of->mask)
        return;
    struct entry *old = of->table;
    size_t count = of->mask + 1;
    of->mask = 2 * count - 1;
    of->table = mem_zalloc(of->mask + 1, sizeof *of->table);
    for (size_t i = 0; i < count; i++)
        if (old[i].key)
            *find(of, old[i].key) = old[i];
    free(old);
}

static node_id new_merge(struct definitions *of, uint32_t block, uint32_t part) {
    return sdg_add_node(of->sdg, (struct sdg_node){.kind = NODE_MERGE,
                                                   .function = of->flow->function,
                                                   .of = of->flow->instructions[block].first,
                                                   .part = part});
}

static void fill(struct definitions *of, struct pending pending) {
    const struct flow_lists *from = &of->flow->predecessors;
    for (uint32_t i = from->start[pending.block]; i < from->start[pending.block + 1]; i++) {
        if (!of->is_reached[from->to[i]])
            continue;
        node_id node = definitions_read(of, from->to[i], pending.part);
        if (node != NO_ID && node != pending.merge)
            sdg_add_edge(of->sdg, node, pending.merge, EDGE_DATA);
    }
    if (pending.block == 0 && of->initial[pending.part] != NO_ID)
        sdg_add_edge(of->sdg, of->initial[pending.part], pending.merge, EDGE_DATA);
}

static uint32_t only_predecessor(const struct definitions *of, uint32_t block, uint32_t *count) {
    const struct flow_lists *from = &of->flow->predecessors;
    uint32_t found = NO_ID;
    *count = 0;
    for (uint32_t i = from->start[block]; i < from->start[block + 1]; i++)
        if (of->is_reached[from->to[i]]) {
            found = from->to[i];
            ++*count;
        }
    return found;
}

bool definitions_only_way(const struct definitions *of, uint32_t block, uint32_t *ret_from) {
    uint32_t count;
    *ret_from = only_predecessor(of, block, &count);
    return of->is_sealed[block] && count == 1 && block != 0;
}

/* A chain of blocks with one predecessor each is gone up without recursion. */
node_id definitions_read(struct definitions *of, uint32_t block, uint32_t part) {
    uint32_t at = block;
    node_id node = NO_ID;
    for (;;) {
        struct entry *entry = find(of, key_of(at, part));
        if (entry->key) {
            node = entry->node;
            break;
        }
        uint32_t count, from = only_predecessor(of, at, &count);
        if (of->is_sealed[at] && count == 1 && at != 0) {
            at = from;
            continue;
        }
        if (of->is_sealed[at] && count == 0) {
            node = of->initial[part];
            break;
        }
        struct pending pending = {at, part, new_merge(of, at, part)};
        definitions_write(of, at, part, pending.merge);
        if (of->is_sealed[at])
            fill(of, pending);
        else
            VEC_PUSH(&of->pending, pending);
        node = pending.merge;
        break;
    }
    if (at != block)
        definitions_write(of, block, part, node);
    return node;
}

void definitions_seal(struct definitions *of, uint32_t block) {
    of->is_sealed[block] = true;
    /* Filling may add more, of other blocks. */
    for (size_t i = 0; i < of->pending.count; i++)
        if (of->pending.data[i].block == block) {
            struct pending pending = of->pending.data[i];
            of->pending.data[i].block = NO_ID;
            fill(of, pending);
        }
    size_t kept = 0;
    for (size_t i = 0; i < of->pending.count; i++)
        if (of->pending.data[i].block != NO_ID)
            of->pending.data[kept++] = of->pending.data[i];
    of->pending.count = kept;
}
