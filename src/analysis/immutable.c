/*
 * Which parameters are immutable?  See immutable.h.
 *
 * The objects that each component of the call graph writes, callees first; a parameter is immutable
 * if none of them is among those that it leads to.  A write whose places are not those of one
 * pointer, such as that of a function that nobody knows, is a write to anything.
 *
 * Cost: one union of sets for each call, and for each parameter the objects that it leads to.
 */
#include "analysis/immutable.h"

#include <stdlib.h>

#include "base/bitset.h"

struct written {
    struct bitset objects; /* of the points-to analysis */
    bool is_anything;
};

struct immutable {
    const struct program *program;
    const struct effects *effects;
    const struct callgraph *graph;
    struct written *written; /* by component */
    /* Of the search for what a parameter leads to. */
    uint32_t *met; /* by object: the search that met it last */
    uint32_t search;
    struct bitset sets;
    VEC(uint32_t) open; /* objects whose memory was not looked at */
};

/* Memory of the program's, that parameters can lead to: not the state of the environment. */
static bool is_memory(const struct effects *effects, uint32_t region) {
    const struct pta *pta = effects_pta(effects);
    struct bitset cells = cells_of(effects_cells(effects), region);
    BITSET_EACH(cell, &cells) {
        uint32_t object = cells_object(effects_cells(effects), cell);
        if (object >= pta_object_count(pta))
            continue;
        uint8_t kind = pta_object(pta, object).kind;
        if (kind == PTA_MEMORY || kind == PTA_HEAP || kind == PTA_ARGUMENTS)
            return true;
    }
    return false;
}

static void add_effect(const struct effects *effects, const struct memory_effect *effect,
                       struct written *written) {
    struct pta_cursor cursor = {0};
    struct pta_target target;
    if (effect->address == NO_ID)
        written->is_anything |= is_memory(effects, effect->region);
    else
        while (pta_points_to(effects_pta(effects), effect->address, &cursor, &target))
            bitset_add(&written->objects, target.object);
}

static void add_function(struct immutable *immutable, function_id function, uint32_t component) {
    struct written *written = &immutable->written[component];
    struct range instructions = immutable->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count && !written->is_anything; i++) {
        instruction_id id = instructions.first + i;
        struct effect_list list = effects_of(immutable->effects, id);
        for (uint32_t k = 0; k < list.count; k++)
            if (list.effects[k].writes)
                add_effect(immutable->effects, &list.effects[k], written);
        uint32_t count = 0;
        const function_id *callees = effects_callees(immutable->effects, id, &count);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t below = immutable->graph->component[callees[k]];
            if (below == NO_ID || below == component)
                continue;
            bitset_union(&written->objects, &immutable->written[below].objects);
            written->is_anything |= immutable->written[below].is_anything;
        }
    }
}

struct immutable *immutable_build(const struct effects *effects, const struct callgraph *graph) {
    struct immutable *immutable = mem_zalloc(1, sizeof *immutable);
    *immutable = (struct immutable){
        .program = pta_program(effects_pta(effects)),
        .effects = effects,
        .graph = graph,
        .written = mem_zalloc(graph->count + 1, sizeof *immutable->written),
        .met = mem_zalloc(pta_object_count(effects_pta(effects)) + 1, sizeof *immutable->met),
    };
    for (uint32_t c = 0; c < graph->count; c++)
        for (uint32_t i = graph->start[c]; i < graph->start[c + 1]; i++)
            add_function(immutable, graph->members[i], c);
    return immutable;
}

void immutable_free(struct immutable *immutable) {
    if (!immutable)
        return;
    for (uint32_t c = 0; c < immutable->graph->count; c++)
        bitset_deinit(&immutable->written[c].objects);
    bitset_deinit(&immutable->sets);
    VEC_DEINIT(&immutable->open);
    free(immutable->met);
    free(immutable->written);
    free(immutable);
}

/* The objects of a set that were not met for this parameter; false if one of them is written. */
static bool meet(struct immutable *immutable, uint32_t targets, const struct bitset *written) {
    struct pta_cursor cursor = {0};
    struct pta_target target;
    if (!bitset_add(&immutable->sets, targets))
        return true;
    while (pta_in_targets(effects_pta(immutable->effects), targets, &cursor, &target)) {
        if (immutable->met[target.object] == immutable->search)
            continue;
        if (bitset_has(written, target.object))
            return false;
        immutable->met[target.object] = immutable->search;
        VEC_PUSH(&immutable->open, target.object);
    }
    return true;
}

/* All that the set leads to, and memory of that: most memory of a program has the same few sets. */
static bool leads_to(struct immutable *immutable, uint32_t targets, const struct bitset *written) {
    immutable->search++;
    immutable->open.count = 0;
    bitset_deinit(&immutable->sets);
    immutable->sets = (struct bitset){0};
    bool is_good = meet(immutable, targets, written);
    while (is_good && immutable->open.count) {
        uint32_t object = immutable->open.data[--immutable->open.count], at = 0, held;
        while (is_good && pta_next_contents(effects_pta(immutable->effects), object, &at, &held))
            is_good = meet(immutable, held, written);
    }
    return !is_good;
}

bool immutable_is(struct immutable *immutable, function_id function, uint32_t argument) {
    const struct pta *pta = effects_pta(immutable->effects);
    uint32_t component = immutable->graph->component[function];
    if (component == NO_ID || immutable->written[component].is_anything)
        return false;
    value_id value = immutable->program->functions.data[function].arguments.first + argument;
    struct pta_cursor cursor = {0};
    struct pta_target target;
    return pta_points_to(pta, value, &cursor, &target) &&
           !leads_to(immutable, pta_targets(pta, value), &immutable->written[component].objects);
}
