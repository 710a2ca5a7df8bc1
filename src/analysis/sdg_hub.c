/*
 * Hubs: memory through which anything that writes it reaches anything that reads it;
 * sdg_impl.h.
 */
#include "analysis/sdg_impl.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_CELLS = 32 };

static const void *key_of(uint32_t id) { return (const void *)(uintptr_t)(id + 1ULL); }

/* What is a hub is asked once for each cell. */
static void find_hubs(const struct sdg *sdg, struct hubs *hubs) {
    uint32_t count = cells_count(effects_cells(sdg->effects));
    uint32_t nodes = hubs->by_object ? pta_object_count(sdg->pta) + STATE_COUNT : count;
    hubs->mask = mem_zalloc(count / WORD_CELLS + 1, sizeof *hubs->mask);
    for (uint32_t cell = 0; cell < count; cell++)
        if (hubs->is_one(sdg, cell))
            hubs->mask[cell / WORD_CELLS] |= 1U << cell % WORD_CELLS;
    hubs->nodes = mem_alloc((nodes + 1) * sizeof *hubs->nodes);
    memset(hubs->nodes, 0xff, (nodes + 1) * sizeof *hubs->nodes);
}

void hubs_deinit(struct hubs *hubs) {
    free(hubs->mask);
    free(hubs->nodes);
    idmap_deinit(&hubs->regions[0]);
    idmap_deinit(&hubs->regions[1]);
}

node_id sdg_new_hub(struct sdg *sdg, uint32_t cell) {
    return sdg_add_node(
        sdg, (struct sdg_node){.kind = NODE_HUB, .function = NO_ID, .of = cell, .part = NO_ID});
}

node_id sdg_hub_of_cell(struct sdg *sdg, struct hubs *hubs, uint32_t cell) {
    if (!hubs->mask)
        find_hubs(sdg, hubs);
    uint32_t key = hubs->by_object ? cells_object(effects_cells(sdg->effects), cell) : cell;
    if (hubs->nodes[key] == NO_ID)
        hubs->nodes[key] = sdg_new_hub(sdg, cell);
    return hubs->nodes[key];
}

node_id sdg_hub_of_region(struct sdg *sdg, struct hubs *hubs, uint32_t region, bool writes) {
    node_id node = idmap_find(&hubs->regions[writes], key_of(region));
    if (node != IDMAP_NONE)
        return node == NO_ID - 1 ? NO_ID : node;
    if (!hubs->mask)
        find_hubs(sdg, hubs);
    struct bitset cells = cells_of(effects_cells(sdg->effects), region);
    node_id last = NO_ID;
    for (uint32_t i = 0; i < cells.count; i++) {
        uint32_t bits = cells.words[i].bits & hubs->mask[cells.words[i].key];
        for (; bits; bits &= bits - 1) {
            uint32_t cell = cells.words[i].key * WORD_CELLS + (uint32_t)__builtin_ctz(bits);
            if (node == IDMAP_NONE)
                node = sdg_new_hub(sdg, cell);
            node_id hub = sdg_hub_of_cell(sdg, hubs, cell);
            if (hub == last)
                continue;
            last = hub;
            sdg_add_edge(sdg, writes ? node : hub, writes ? hub : node, hubs->kind);
        }
    }
    /* That there is none is remembered, too. */
    idmap_set(&hubs->regions[writes], key_of(region), node == IDMAP_NONE ? NO_ID - 1 : node);
    return node == IDMAP_NONE ? NO_ID : node;
}
