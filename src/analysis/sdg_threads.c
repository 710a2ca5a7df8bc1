/*
 * Interference dependence (Krinke, definition 4): what one thread writes, another may
 * read; sdg.h.
 *
 *     store  --interference-->  shared cell  --interference-->  load
 *
 * and what a thread returns goes to those that wait for it.  The order of statements
 * is not looked at here: a way over two such edges may go back in time.
 *
 * A handler of signals in a program without threads of its own is less: what it interrupts stands
 * still.  So it begins with what was written anywhere, and what it leaves when it returns is read
 * anywhere; what it reads and writes in between is its own.
 *
 *     store  -->  shared cell  -->  formal in  ... the handler ...  formal out  -->  cell  --> load
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

/* Functions that signals may enter, and those that only the environment calls. */
static void find_handlers(const struct sdg *sdg, struct bitset *handlers) {
    struct bitset run = {0};
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(sdg->effects, i, &count);
        for (uint32_t k = 0; k < count; k++)
            bitset_add(&run, callees[k]);
    }
    for (uint32_t t = 1; t < threads_count(sdg->threads); t++) {
        function_id entry = threads_entry(sdg->threads, t);
        if (pta_is_handler(sdg->pta, entry) || !bitset_has(&run, entry))
            bitset_add(handlers, entry);
    }
    bitset_deinit(&run);
}

/* Whether a handler runs is decided by who installs it and who sends the signal. */
static void add_signals(struct sdg *sdg) {
    static const char *const installs[] = {"sigaction", "__sigaction", "sigvec", NULL};
    struct bitset handlers = {0};
    find_handlers(sdg, &handlers);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (threads_is_sending(sdg->program, sdg->pta, i) ||
            threads_calls(sdg->program, sdg->pta, i, installs))
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

/* Where a thread may be cancelled it ends because of who cancels, and who waits for it goes on. */
static void add_cancels(struct sdg *sdg) {
    node_id cancelled = NO_ID, over = NO_ID;
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        if (!(sdg->program->instructions.data[i].flags & INSTRUCTION_CALL) ||
            !threads_is_cancelled_at(sdg->threads, i))
            continue;
        if (cancelled == NO_ID) {
            cancelled = sdg_new_hub(sdg, NO_ID);
            over = sdg_new_hub(sdg, NO_ID);
        }
        sdg_add_edge(sdg, cancelled, i, EDGE_INTERFERENCE);
        sdg_add_edge(sdg, i, over, EDGE_INTERFERENCE);
    }
    for (instruction_id i = 0; cancelled != NO_ID && i < sdg->program->instructions.count; i++) {
        if (!(sdg->program->instructions.data[i].flags & INSTRUCTION_CALL))
            continue;
        if (threads_is_cancel(sdg->program, sdg->pta, i))
            sdg_add_edge(sdg, i, cancelled, EDGE_INTERFERENCE);
        if (threads_is_join(sdg->program, sdg->pta, i))
            sdg_add_edge(sdg, over, i, EDGE_INTERFERENCE);
    }
}

/* What stores and loads, and probes, share: cells that the stores go to, and those that the loads
 * come from; the same, or not. */
struct sharing {
    struct hubs *written, *read;
};

static void share(struct sdg *sdg, const struct sharing *by, node_id node,
                  struct effect_list list) {
    for (uint32_t k = 0; k < list.count; k++)
        add_effects(sdg, list.effects[k].writes ? by->written : by->read, node,
                    (struct effect_list){&list.effects[k], 1});
}

static void share_all(struct sdg *sdg, const struct sharing *by) {
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        share(sdg, by, i, effects_of(sdg->effects, i));
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
        share(sdg, by, sdg->probes[p], (struct effect_list){&effect, 1});
    }
}

/* A part of memory that an interrupt begins with, and leaves. */
static void interrupt_by_part(struct sdg *sdg, const struct sharing *by, function_id entry,
                              uint32_t part) {
    const struct function_nodes *nodes = &sdg->impl->functions[entry];
    const struct part *of = &parts_of(sdg->parts, entry).parts[part];
    bool is_last = threads_is_last(sdg->threads, entry);
    for (uint32_t i = 0; of->argument == NO_ID && i < of->cell_count; i++) {
        uint32_t cell = parts_cells(sdg->parts)[of->first_cell + i];
        if (!is_shared(sdg, cell))
            continue;
        sdg_add_edge(sdg, sdg_hub_of_cell(sdg, by->written, cell), nodes->formal_in[part],
                     EDGE_INTERFERENCE);
        if (nodes->formal_out[part] != NO_ID && !is_last)
            sdg_add_edge(sdg, nodes->formal_out[part], sdg_hub_of_cell(sdg, by->read, cell),
                         EDGE_INTERFERENCE);
    }
    if (of->argument == NO_ID)
        return;
    value_id argument = sdg->program->functions.data[entry].arguments.first + of->argument;
    uint32_t region = cells_region_whole(effects_cells(sdg->effects), argument);
    node_id begun = sdg_hub_of_region(sdg, by->written, region, false);
    node_id left = sdg_hub_of_region(sdg, by->read, region, true);
    if (begun != NO_ID)
        sdg_add_edge(sdg, begun, nodes->formal_in[part], EDGE_INTERFERENCE);
    if (left != NO_ID && nodes->formal_out[part] != NO_ID && !is_last)
        sdg_add_edge(sdg, nodes->formal_out[part], left, EDGE_INTERFERENCE);
}

static bool is_left(const struct sdg *sdg, uint32_t cell) {
    return is_shared(sdg, cell) && threads_is_left(sdg->threads, cell);
}

void sdg_add_interference(struct sdg *sdg) {
    if (threads_count(sdg->threads) == 1)
        return;
    bool by_object = cells_count(effects_cells(sdg->effects)) > SDG_MOST_HUBS;
    struct hubs shared = {.is_one = is_shared, .kind = EDGE_INTERFERENCE, .by_object = by_object};
    struct hubs left = {.is_one = is_left, .kind = EDGE_INTERFERENCE, .by_object = by_object};
    if (threads_are_interrupts(sdg->threads)) {
        struct sharing by = {.written = &shared, .read = &left};
        share_all(sdg, &by);
        for (uint32_t t = 1; t < threads_count(sdg->threads); t++) {
            function_id entry = threads_entry(sdg->threads, t);
            for (uint32_t p = 0; p < parts_of(sdg->parts, entry).count; p++)
                if (sdg->impl->functions[entry].formal_in[p] != NO_ID)
                    interrupt_by_part(sdg, &by, entry, p);
        }
    } else {
        share_all(sdg, &(struct sharing){.written = &shared, .read = &shared});
    }
    add_destructors(sdg);
    add_signals(sdg);
    add_cancels(sdg);
    add_entered_later(sdg);
    hubs_deinit(&shared);
    hubs_deinit(&left);
}
