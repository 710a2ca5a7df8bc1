/*
 * Interference dependence (Krinke, definition 4): what one thread writes, another may
 * read; sdg.h.
 *
 *     store  --interference-->  shared cell  --interference-->  load
 *
 * and what a thread returns goes to those that wait for it.  The order of statements
 * is not looked at here: a way over two such edges may go back in time.
 *
 * Memory that is a hub anyhow (parts.h) is left to that.
 */
#include "analysis/sdg_impl.h"

static bool is_shared(const struct sdg *sdg, uint32_t cell) {
    return threads_share(sdg->threads, cell) && !parts_is_hub(sdg->parts, cell);
}

static void add_effects(struct sdg *sdg, struct hubs *hubs, node_id node, struct effect_list list) {
    for (uint32_t k = 0; k < list.count; k++) {
        bool writes = list.effects[k].writes;
        node_id hub = sdg_hub_of_region(sdg, hubs, list.effects[k].region, writes);
        if (hub != NO_ID)
            sdg_add_edge(sdg, writes ? node : hub, writes ? hub : node, EDGE_INTERFERENCE);
    }
}

static void add_results(struct sdg *sdg, instruction_id join) {
    for (uint32_t t = 1; t < threads_count(sdg->threads); t++)
        sdg_add_edge(sdg, sdg->results[threads_entry(sdg->threads, t)], join, EDGE_INTERFERENCE);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (sdg->program->instructions.data[i].flags & INSTRUCTION_CALL &&
            threads_is_exit(sdg->program, sdg->pta, i))
            sdg_add_edge(sdg, i, join, EDGE_INTERFERENCE);
}

void sdg_add_interference(struct sdg *sdg) {
    if (threads_count(sdg->threads) == 1)
        return;
    struct hubs shared = {
        .is_one = is_shared,
        .kind = EDGE_INTERFERENCE,
        .by_object = cells_count(effects_cells(sdg->effects)) > SDG_MOST_HUBS,
    };
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        add_effects(sdg, &shared, i, effects_of(sdg->effects, i));
        if (sdg->program->instructions.data[i].flags & INSTRUCTION_CALL &&
            threads_is_join(sdg->program, sdg->pta, i))
            add_results(sdg, i);
    }
    const struct sdg_options *options = sdg->impl->options;
    for (uint32_t p = 0; p < options->probe_count; p++) {
        memory_id memory = sdg->program->variables.data[options->probes[p].variable].memory;
        if (sdg->probes[p] == NO_ID || memory == NO_ID ||
            pta_object_of_memory(sdg->pta, memory) == NO_ID)
            continue;
        struct memory_effect effect = {
            .region = cells_region_object(effects_cells(sdg->effects),
                                          pta_object_of_memory(sdg->pta, memory))};
        add_effects(sdg, &shared, sdg->probes[p], (struct effect_list){&effect, 1});
    }
    hubs_deinit(&shared);
}
