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

static bool is_any(const struct sdg *sdg, uint32_t cell) {
    (void)sdg, (void)cell;
    return true;
}

/* Is there a cell in the region in which the function may see what another thread has left? */
static bool may_see(const struct sdg *sdg, uint32_t region, function_id function) {
    struct bitset cells = cells_of(effects_cells(sdg->effects), region);
    BITSET_EACH(cell, &cells)
    if (is_shared(sdg, cell) && threads_may_see(sdg->threads, cell, function))
        return true;
    return false;
}

static void add_effects(struct sdg *sdg, struct hubs *hubs, node_id node, struct effect_list list) {
    for (uint32_t k = 0; k < list.count; k++) {
        bool writes = list.effects[k].writes;
        if (hubs->is_one == is_shared && !writes &&
            !may_see(sdg, list.effects[k].region, sdg->nodes.data[node].function))
            continue;
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

/* What a thread keeps by a key, the function that was given for the key gets when it ends. */
static void add_destructors(struct sdg *sdg) {
    struct hubs kept = {.is_one = is_any, .kind = EDGE_INTERFERENCE};
    uint32_t region = NO_ID, count;
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        if (!threads_is_keeping(sdg->program, sdg->pta, i))
            continue;
        add_effects(sdg, &kept, i, effects_of(sdg->effects, i));
        region = effects_of(sdg->effects, i).effects[0].region;
    }
    for (instruction_id i = 0; region != NO_ID && i < sdg->program->instructions.count; i++) {
        const function_id *callees = effects_callees(sdg->effects, i, &count);
        if (!count || !threads_is_key(sdg->program, sdg->pta, i))
            continue;
        for (uint32_t k = 0; k < count; k++)
            if (sdg->program->functions.data[callees[k]].arguments.count)
                sdg_add_edge(sdg, sdg_hub_of_region(sdg, &kept, region, false),
                             sdg->impl->functions[callees[k]].first_argument, EDGE_INTERFERENCE);
    }
    hubs_deinit(&kept);
}

/* Functions that signals may enter: those given to signal(), and what only the environment
 * calls. */
static void find_handlers(const struct sdg *sdg, struct bitset *handlers) {
    struct bitset others = {0};
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(sdg->effects, i, &count);
        bool is_handler = count && threads_is_handler(sdg->program, sdg->pta, i);
        for (uint32_t k = 0; k < count; k++)
            bitset_add(is_handler ? handlers : &others, callees[k]);
    }
    for (uint32_t t = 1; t < threads_count(sdg->threads); t++)
        if (!bitset_has(&others, threads_entry(sdg->threads, t)))
            bitset_add(handlers, threads_entry(sdg->threads, t));
    bitset_deinit(&others);
}

/* Whether a handler runs is decided by who sends the signal. */
static void add_signals(struct sdg *sdg) {
    struct bitset handlers = {0};
    find_handlers(sdg, &handlers);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (threads_is_sending(sdg->program, sdg->pta, i))
            BITSET_EACH(handler, &handlers)
    sdg_add_edge(sdg, i, sdg->entries[handler], EDGE_INTERFERENCE);
    bitset_deinit(&handlers);
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
    add_destructors(sdg);
    add_signals(sdg);
    hubs_deinit(&shared);
}
