/*
 * Hubs: memory through which anything that writes it reaches anything that reads it;
 * sdg_impl.h.
 */
#include "analysis/sdg_impl.h"

static const void *key_of(uint32_t id) { return (const void *)(uintptr_t)(id + 1ULL); }

void hubs_deinit(struct hubs *hubs) {
    idmap_deinit(&hubs->cells);
    idmap_deinit(&hubs->regions[0]);
    idmap_deinit(&hubs->regions[1]);
}

node_id sdg_new_hub(struct sdg *sdg, uint32_t cell) {
    return sdg_add_node(
        sdg, (struct sdg_node){.kind = NODE_HUB, .function = NO_ID, .of = cell, .part = NO_ID});
}

node_id sdg_hub_of_cell(struct sdg *sdg, struct hubs *hubs, uint32_t cell) {
    uint32_t key = hubs->by_object ? cells_object(effects_cells(sdg->effects), cell) : cell;
    node_id node = idmap_find(&hubs->cells, key_of(key));
    if (node == IDMAP_NONE) {
        node = sdg_new_hub(sdg, cell);
        idmap_set(&hubs->cells, key_of(key), node);
    }
    return node;
}

node_id sdg_hub_of_region(struct sdg *sdg, struct hubs *hubs, uint32_t region, bool writes) {
    node_id node = idmap_find(&hubs->regions[writes], key_of(region));
    if (node != IDMAP_NONE)
        return node == NO_ID - 1 ? NO_ID : node;
    struct bitset cells = cells_of(effects_cells(sdg->effects), region);
    node_id last = NO_ID;
    BITSET_EACH(cell, &cells) {
        if (!hubs->is_one(sdg, cell))
            continue;
        if (node == IDMAP_NONE)
            node = sdg_new_hub(sdg, cell);
        node_id hub = sdg_hub_of_cell(sdg, hubs, cell);
        if (hub == last)
            continue;
        last = hub;
        sdg_add_edge(sdg, writes ? node : hub, writes ? hub : node, hubs->kind);
    }
    /* That there is none is remembered, too. */
    idmap_set(&hubs->regions[writes], key_of(region), node == IDMAP_NONE ? NO_ID - 1 : node);
    return node == IDMAP_NONE ? NO_ID : node;
}
