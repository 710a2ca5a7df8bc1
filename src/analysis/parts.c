/*
 * Parts of memory, by function; parts.h.
 */
#include "analysis/parts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/parts_impl.h"

struct parts *parts_build(struct effects *effects, const struct callgraph *graph,
                          uint64_t most_actuals) {
    struct parts *parts = mem_zalloc(1, sizeof *parts);
    parts->program = pta_program(effects_pta(effects));
    parts->effects = effects;
    parts->cells = effects_cells(effects);
    parts->graph = graph;
    size_t functions = parts->program->functions.count;
    uint32_t cells = cells_count(parts->cells);
    parts->functions = mem_zalloc(functions + 1, sizeof *parts->functions);
    parts->components = mem_zalloc(graph->count + 1, sizeof *parts->components);
    parts->is_hub = mem_zalloc(cells + 1, sizeof *parts->is_hub);
    parts->toucher = mem_alloc((cells + 1) * sizeof *parts->toucher);
    for (uint32_t i = 0; i < cells; i++)
        parts->toucher[i] = NO_ID - 1; /* nobody yet */
    for (function_id f = 0; f < functions; f++) {
        struct function_parts *of = &parts->functions[f];
        uint32_t arguments = parts->program->functions.data[f].arguments.count;
        of->ranges = mem_zalloc(arguments + 1, sizeof *of->ranges);
        of->behind = mem_zalloc(arguments + 1, sizeof *of->behind);
    }
    parts_find_touched(parts);
    parts_choose_hubs(parts, most_actuals);
    parts_make_groups(parts);
    uint32_t most = 0;
    for (function_id f = 0; f < functions; f++)
        most = parts->functions[f].count > most ? parts->functions[f].count : most;
    parts->seen = mem_zalloc(most + 1, sizeof *parts->seen);
    return parts;
}

void parts_free(struct parts *parts) {
    if (!parts)
        return;
    for (function_id f = 0; f < parts->program->functions.count; f++) {
        struct function_parts *of = &parts->functions[f];
        for (uint32_t a = 0; a < parts->program->functions.data[f].arguments.count; a++) {
            VEC_DEINIT(&of->ranges[a]);
            bitset_deinit(&of->behind[a]);
        }
        for (uint32_t p = 0; of->aliases && p < of->count; p++)
            VEC_DEINIT(&of->aliases[p]);
        free(of->ranges);
        free(of->behind);
        free(of->aliases);
        bitset_deinit(&of->own);
        bitset_deinit(&of->regions);
        VEC_DEINIT(&of->private_cells);
        VEC_DEINIT(&of->private_groups);
    }
    for (uint32_t c = 0; c < parts->graph->count; c++) {
        bitset_deinit(&parts->components[c].touched);
        VEC_DEINIT(&parts->components[c].cells);
        VEC_DEINIT(&parts->components[c].groups);
        VEC_DEINIT(&parts->components[c].first_cell);
    }
    free(parts->functions);
    free(parts->components);
    free(parts->is_hub);
    free(parts->toucher);
    free(parts->seen);
    VEC_DEINIT(&parts->all);
    VEC_DEINIT(&parts->cell_pool);
    VEC_DEINIT(&parts->narrow_pool);
    idmap_deinit(&parts->narrow);
    free(parts);
}

struct part_list parts_of(const struct parts *parts, function_id function) {
    const struct function_parts *of = &parts->functions[function];
    return (struct part_list){of->count ? parts->all.data + of->first : NULL, of->count};
}

const uint32_t *parts_cells(const struct parts *parts) { return parts->cell_pool.data; }

bool parts_is_hub(const struct parts *parts, uint32_t cell) { return parts->is_hub[cell]; }

uint32_t parts_hub_count(const struct parts *parts) { return parts->hub_count; }

static size_t find_cell(const number_vec *cells, uint32_t cell) {
    size_t low = 0, high = cells->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cells->data[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cells->count && cells->data[low] == cell ? low : SIZE_MAX;
}

uint32_t parts_find(const struct parts *parts, function_id function, uint32_t cell) {
    const struct function_parts *of = &parts->functions[function];
    const struct component_parts *shared = &parts->components[parts->graph->component[function]];
    size_t at = find_cell(&of->private_cells, cell);
    if (at != SIZE_MAX)
        return of->root_count + of->private_groups.data[at];
    at = find_cell(&shared->cells, cell);
    return at == SIZE_MAX ? NO_ID : of->root_count + of->own_count + shared->groups.data[at];
}

struct cell_list parts_narrow(struct parts *parts, uint32_t region) {
    if (region == NO_ID)
        return (struct cell_list){NULL, 0};
    const void *key = (const void *)(uintptr_t)(region + 1ULL);
    uint32_t at = idmap_find(&parts->narrow, key);
    if (at == IDMAP_NONE) {
        struct bitset all = cells_of(parts->cells, region);
        at = (uint32_t)parts->narrow_pool.count;
        idmap_set(&parts->narrow, key, at);
        VEC_PUSH(&parts->narrow_pool, 0);
        BITSET_EACH(cell, &all)
        if (!parts->is_hub[cell])
            VEC_PUSH(&parts->narrow_pool, cell);
        parts->narrow_pool.data[at] = (uint32_t)parts->narrow_pool.count - at - 1;
    }
    return (struct cell_list){parts->narrow_pool.data + at + 1, parts->narrow_pool.data[at]};
}

/* Uses, each part once. */

static void add_use(const struct parts *parts, part_uses *uses, uint32_t part, bool is_exact) {
    if (parts->seen[part]) {
        uses->data[parts->seen[part] - 1].is_exact |= is_exact;
        return;
    }
    VEC_PUSH(uses, (struct part_use){part, is_exact});
    parts->seen[part] = (uint32_t)uses->count;
}

static void add_aliases(const struct parts *parts, function_id function, part_uses *uses) {
    const struct function_parts *of = &parts->functions[function];
    size_t count = uses->count;
    for (size_t i = 0; i < count; i++) {
        const number_vec *aliases = &of->aliases[uses->data[i].part];
        for (size_t k = 0; k < aliases->count; k++)
            add_use(parts, uses, aliases->data[k], false);
    }
    for (size_t i = 0; i < uses->count; i++)
        parts->seen[uses->data[i].part] = 0;
}

/* Other activations of a recursive function have the local, too. */
static bool is_many(const struct parts *parts, function_id function, uint32_t cell) {
    return cells_owner(parts->cells, cell) == function &&
           parts->graph->is_recursive[parts->graph->component[function]] &&
           !parts_is_private(parts, cell);
}

static void add_region(struct parts *parts, function_id function, uint32_t region, bool is_exact,
                       part_uses *uses) {
    struct cell_list list = parts_narrow(parts, region);
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t part = parts_find(parts, function, list.cells[i]);
        if (part != NO_ID)
            add_use(parts, uses, part, is_exact && !is_many(parts, function, list.cells[i]));
    }
}

static void add_bytes(const struct parts *parts, function_id function, uint32_t argument,
                      struct byte_range bytes, bool is_exact, part_uses *uses) {
    const struct function_parts *of = &parts->functions[function];
    for (uint32_t p = 0; p < of->root_count; p++) {
        const struct part *part = &parts->all.data[of->first + p];
        if (part->argument == argument && part->low < bytes.high && part->high > bytes.low)
            add_use(parts, uses, p, is_exact && part->low >= bytes.low && part->high <= bytes.high);
    }
}

void parts_of_effect(struct parts *parts, function_id function, const struct memory_effect *effect,
                     part_uses *uses) {
    uses->count = 0;
    if (effect->root.argument == NO_ID) {
        add_region(parts, function, effect->region, effect->is_exact, uses);
    } else {
        add_bytes(parts, function, effect->root.argument, parts_range_of_effect(effect),
                  effect->is_exact, uses);
    }
    add_aliases(parts, function, uses);
}

void parts_of_formal(struct parts *parts, instruction_id call, function_id callee, uint32_t formal,
                     part_uses *uses) {
    function_id caller = program_function_of(parts->program, call);
    const struct part *part = &parts->all.data[parts->functions[callee].first + formal];
    uses->count = 0;
    if (part->argument == NO_ID) {
        for (uint32_t i = 0; i < part->cell_count; i++) {
            uint32_t own = parts_find(parts, caller, parts->cell_pool.data[part->first_cell + i]);
            if (own != NO_ID)
                add_use(parts, uses, own, true);
        }
    } else {
        struct byte_range bytes = {part->low, part->high};
        struct translated to = parts_translate(parts, call, callee, part->argument, bytes);
        if (to.argument != NO_ID) {
            add_bytes(parts, caller, to.argument, to.bytes, !to.is_spread, uses);
        } else {
            bool is_exact = to.value != NO_ID && !parts_is_all(bytes) &&
                            cells_is_exact(parts->cells, to.value, bytes.low,
                                           (uint64_t)(bytes.high - bytes.low), caller);
            add_region(parts, caller, to.region, is_exact, uses);
        }
    }
    add_aliases(parts, caller, uses);
}
