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

/* Functions that code without a model may call whenever it runs do so because it was called, with
 * what it was given, and what they return it may return. */
static void add_entered_later(struct sdg *sdg) {
    node_id given = NO_ID, gotten = NO_ID;
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        if (!effects_may_enter(sdg->effects, i))
            continue;
        if (given == NO_ID) {
            given = sdg_new_hub(sdg, NO_ID);
            gotten = sdg_new_hub(sdg, NO_ID);
        }
        sdg_add_edge(sdg, i, given, EDGE_INTERFERENCE);
        sdg_add_edge(sdg, gotten, i, EDGE_INTERFERENCE);
    }
    for (uint32_t t = 1; given != NO_ID && t < threads_count(sdg->threads); t++) {
        function_id entry = threads_entry(sdg->threads, t);
        if (!effects_is_entered_later(sdg->effects, entry))
            continue;
        sdg_add_edge(sdg, given, sdg->entries[entry], EDGE_INTERFERENCE);
        sdg_add_edge(sdg, sdg->results[entry], gotten, EDGE_INTERFERENCE);
        for (uint32_t a = 0; a < sdg->program->functions.data[entry].arguments.count; a++)
            sdg_add_edge(sdg, given, sdg->impl->functions[entry].first_argument + a,
                         EDGE_INTERFERENCE);
    }
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
    add_entered_later(sdg);
    hubs_deinit(&shared);
}
