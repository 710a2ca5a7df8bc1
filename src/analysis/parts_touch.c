/*
 * What each function touches, with all that it calls: bytes behind its parameters, and
 * cells; parts.h.
 *
 * Callees first, so that what they touch behind their parameters can be translated to
 * what their callers pass: a parameter of the caller's own, or some memory.  In a
 * circle of calls until nothing is new; a parameter that is moved in each round ends
 * as "all of it".
 *
 * Cost: what is touched, times the calls through which it is.
 */
#include <string.h>

#include "analysis/parts_impl.h"

enum { MOST_RANGES = 24 }; /* of one parameter, before it becomes all of it */

static bool add_range(byte_ranges *ranges, struct byte_range bytes) {
    for (size_t i = 0; i < ranges->count; i++)
        if (parts_is_all(ranges->data[i]) ||
            (ranges->data[i].low == bytes.low && ranges->data[i].high == bytes.high))
            return false;
    if (bytes.low < ROOT_LOW || bytes.high > ROOT_HIGH || ranges->count == MOST_RANGES)
        bytes = (struct byte_range){PART_LOW, PART_HIGH};
    if (parts_is_all(bytes))
        ranges->count = 0;
    VEC_PUSH(ranges, bytes);
    return true;
}

struct byte_range parts_range_of_effect(const struct memory_effect *effect) {
    if (effect->root.is_moved || !effect->size)
        return (struct byte_range){PART_LOW, PART_HIGH};
    return (struct byte_range){effect->root.offset,
                               effect->root.offset + effect->root.extent + (int32_t)effect->size};
}

static bool touch_region(struct parts *parts, function_id function, uint32_t region) {
    if (region == NO_ID || !bitset_add(&parts->functions[function].regions, region))
        return false;
    struct bitset all = cells_of(parts->cells, region), news = {0};
    bool is_new = bitset_union_news(&parts->functions[function].own, &all, &news);
    BITSET_EACH(cell, &news)
    parts->toucher[cell] = parts->toucher[cell] == NO_ID - 1 ? function : NO_ID;
    bitset_deinit(&news);
    return is_new;
}

static void touch_behind(struct parts *parts, function_id function,
                         const struct memory_effect *effect) {
    struct function_parts *of = &parts->functions[function];
    struct bitset all = cells_of(parts->cells, effect->region);
    bitset_union(&of->behind[effect->root.argument], &all);
    add_range(&of->ranges[effect->root.argument], parts_range_of_effect(effect));
}

/* A struct that is copied to or from what a parameter points to: what is told apart on
 * one side is on the other. */
static void cut_copy(struct parts *parts, function_id function, instruction_id id) {
    const struct instruction *copy = &parts->program->instructions.data[id];
    if ((copy->intrinsic != INTRINSIC_MEMCPY && copy->intrinsic != INTRINSIC_MEMMOVE) ||
        !copy->access_size || copy->access_size > ROOT_HIGH)
        return;
    struct root to = effects_root(parts->effects, copy->written_at);
    struct root from = effects_root(parts->effects, copy->read_at);
    struct root root = to.argument != NO_ID ? to : from;
    value_id other = to.argument != NO_ID ? copy->read_at : copy->written_at;
    if ((to.argument == NO_ID) == (from.argument == NO_ID) || root.is_moved || root.extent)
        return;
    struct bitset all =
        cells_of(parts->cells, cells_region(parts->cells, other, 0, copy->access_size));
    BITSET_EACH(cell, &all) {
        int32_t low, high;
        if (cells_distance(parts->cells, cell, other, &low, &high) && low >= 0 &&
            high <= (int32_t)copy->access_size)
            add_range(&parts->functions[function].ranges[root.argument],
                      (struct byte_range){root.offset + low, root.offset + high});
    }
}

static void touch_by_itself(struct parts *parts, function_id function) {
    struct range instructions = parts->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        struct effect_list list = effects_of(parts->effects, instructions.first + i);
        for (uint32_t k = 0; k < list.count; k++)
            if (list.effects[k].root.argument != NO_ID)
                touch_behind(parts, function, &list.effects[k]);
            else
                touch_region(parts, function, list.effects[k].region);
        cut_copy(parts, function, instructions.first + i);
    }
}

/* Of all that lies behind it, what the function does not come to in any call is not touched in
 * this one: the rest of a struct, where the parameter is an array in it. */
uint32_t parts_region(const struct parts *parts, function_id function, uint32_t argument,
                      value_id value, struct byte_range bytes) {
    if (!parts_is_all(bytes))
        return cells_region(parts->cells, value, bytes.low, (uint64_t)(bytes.high - bytes.low));
    return cells_region_within(parts->cells, cells_region_whole(parts->cells, value),
                               &parts->functions[function].behind[argument]);
}

struct translated parts_translate(const struct parts *parts, instruction_id call,
                                  function_id callee, uint32_t argument, struct byte_range bytes) {
    const struct instruction *at = &parts->program->instructions.data[call];
    struct translated none = {.argument = NO_ID, .region = NO_ID, .value = NO_ID};
    if (!effects_is_direct(parts->effects, call)) {
        /* Called back: its parameters are not what is passed here. */
        value_id value = parts->program->functions.data[callee].arguments.first + argument;
        none.region = parts_region(parts, callee, argument, value, bytes);
        return none;
    }
    if (argument >= at->operands.count)
        return none;
    value_id value = parts->program->operands.data[at->operands.first + argument];
    struct root root = effects_root(parts->effects, value);
    if (root.argument == NO_ID) {
        none.value = value;
        none.bytes = bytes;
        none.region = parts_region(parts, callee, argument, value, bytes);
        return none;
    }
    if (root.is_moved || parts_is_all(bytes))
        bytes = (struct byte_range){PART_LOW, PART_HIGH};
    else
        bytes =
            (struct byte_range){bytes.low + root.offset, bytes.high + root.offset + root.extent};
    if (bytes.low < ROOT_LOW || bytes.high > ROOT_HIGH)
        bytes = (struct byte_range){PART_LOW, PART_HIGH};
    return (struct translated){.argument = root.argument,
                               .bytes = bytes,
                               .is_spread = root.extent || parts_is_all(bytes),
                               .region = NO_ID};
}

static bool touch_by_call(struct parts *parts, function_id caller, instruction_id call,
                          function_id callee) {
    bool is_new = false;
    uint32_t arguments = parts->program->functions.data[callee].arguments.count;
    for (uint32_t a = 0; a < arguments; a++) {
        byte_ranges *ranges = &parts->functions[callee].ranges[a];
        for (size_t i = 0; i < ranges->count; i++) {
            struct translated to = parts_translate(parts, call, callee, a, ranges->data[i]);
            if (to.argument == NO_ID) {
                is_new |= touch_region(parts, caller, to.region);
                continue;
            }
            is_new |= add_range(&parts->functions[caller].ranges[to.argument], to.bytes);
            is_new |= bitset_union(&parts->functions[caller].behind[to.argument],
                                   &parts->functions[callee].behind[a]);
        }
    }
    return is_new;
}

static bool touch_by_calls(struct parts *parts, function_id function) {
    struct range instructions = parts->program->functions.data[function].instructions;
    bool is_new = false;
    for (uint32_t i = 0; i < instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_shown(parts->effects, instructions.first + i, &count);
        for (uint32_t k = 0; k < count; k++)
            is_new |= touch_by_call(parts, function, instructions.first + i, callees[k]);
    }
    return is_new;
}

bool parts_is_private(const struct parts *parts, uint32_t cell) {
    function_id owner = cells_owner(parts->cells, cell);
    return owner != NO_ID && parts->toucher[cell] == owner;
}

struct bitset parts_called(const struct parts *parts, uint32_t component) {
    const struct callgraph *graph = parts->graph;
    struct bitset called = {0};
    for (uint32_t m = graph->start[component]; m < graph->start[component + 1]; m++) {
        struct range instructions = parts->program->functions.data[graph->members[m]].instructions;
        for (uint32_t i = 0; i < instructions.count; i++) {
            uint32_t count;
            const function_id *callees =
                effects_shown(parts->effects, instructions.first + i, &count);
            for (uint32_t k = 0; k < count; k++)
                if (graph->component[callees[k]] != component)
                    bitset_add(&called, graph->component[callees[k]]);
        }
    }
    return called;
}

/* All that the component's functions touch, and what they call, but for what only they
 * can see. */
static void gather(struct parts *parts, uint32_t component) {
    const struct callgraph *graph = parts->graph;
    struct bitset all = {0}, called = parts_called(parts, component);
    for (uint32_t m = graph->start[component]; m < graph->start[component + 1]; m++)
        bitset_union(&all, &parts->functions[graph->members[m]].own);
    BITSET_EACH(callee, &called)
    bitset_union(&all, &parts->components[callee].touched);
    bitset_deinit(&called);
    struct bitset *touched = &parts->components[component].touched;
    BITSET_EACH(cell, &all) {
        function_id owner = cells_owner(parts->cells, cell);
        bool is_here = owner != NO_ID && graph->component[owner] == component;
        if (!is_here || (graph->is_recursive[component] && !parts_is_private(parts, cell)))
            bitset_add(touched, cell);
    }
    bitset_deinit(&all);
}

void parts_find_touched(struct parts *parts) {
    const struct callgraph *graph = parts->graph;
    for (function_id f = 0; f < parts->program->functions.count; f++)
        if (graph->component[f] != NO_ID)
            touch_by_itself(parts, f);
    for (uint32_t c = 0; c < graph->count; c++) {
        bool is_new = true;
        while (is_new) {
            is_new = false;
            for (uint32_t m = graph->start[c]; m < graph->start[c + 1]; m++)
                is_new |= touch_by_calls(parts, graph->members[m]);
            is_new &= graph->is_recursive[c];
        }
        gather(parts, c);
    }
}

/* How many calls hand a cell through; the dearest become hubs until the rest fits. */
void parts_choose_hubs(struct parts *parts, uint64_t most_actuals) {
    uint32_t cells = cells_count(parts->cells);
    uint32_t *calls = mem_zalloc(parts->graph->count + 1, sizeof *calls);
    uint32_t *cost = mem_zalloc(cells + 1, sizeof *cost);
    for (instruction_id i = 0; i < parts->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_shown(parts->effects, i, &count);
        for (uint32_t k = 0; k < count; k++)
            calls[parts->graph->component[callees[k]]]++;
    }
    uint64_t total = 0;
    uint32_t highest = 0;
    for (uint32_t c = 0; c < parts->graph->count; c++)
        BITSET_EACH(cell, &parts->components[c].touched) {
            cost[cell] += calls[c];
            total += calls[c];
            highest = cost[cell] > highest ? cost[cell] : highest;
        }
    while (total > most_actuals && highest) {
        uint32_t limit = highest - highest / 4;
        limit = limit < highest ? limit : highest - 1;
        for (uint32_t cell = 0; cell < cells; cell++)
            if (cost[cell] > limit && !parts->is_hub[cell]) {
                parts->is_hub[cell] = true;
                parts->hub_count++;
                total -= cost[cell];
            }
        highest = limit;
    }
    free(calls);
    free(cost);
}
