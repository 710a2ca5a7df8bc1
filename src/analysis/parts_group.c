/*
 * Cells become groups, and groups parts; parts.h.
 *
 * Cells that everything below a component of the call graph treats alike are one
 * group of it.  Found by signatures, as cells are: each region that is accessed and
 * each group of a callee has a random number.  Callers tell apart what their callees
 * do, so a callee's group is always some whole groups of the caller.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/parts_impl.h"

struct signed_cell {
    XXH128_hash_t signature;
    uint32_t cell;
};
typedef VEC(struct signed_cell) signed_cells;

static void sign(signed_cells *of, uint32_t cell, XXH128_hash_t number) {
    size_t low = 0, high = of->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->data[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < of->count && of->data[low].cell == cell) {
        of->data[low].signature.low64 += number.low64;
        of->data[low].signature.high64 += number.high64;
    }
}

enum { OF_REGION, OF_GROUP, OF_OWNER };

static XXH128_hash_t number_of(uint32_t kind, uint32_t a, uint32_t b) {
    uint32_t key[3] = {kind, a, b};
    return XXH3_128bits(key, sizeof key);
}

static void sign_region(struct parts *parts, signed_cells *cells, uint32_t region) {
    if (!cells->count)
        return;
    struct cell_list list = parts_narrow(parts, region);
    XXH128_hash_t number = number_of(OF_REGION, region, 0);
    for (uint32_t i = 0; i < list.count; i++)
        sign(cells, list.cells[i], number);
}

/* Each region that one of the functions accesses, or that what it passes is in, once. */
static void sign_regions(struct parts *parts, signed_cells *cells, const struct bitset *regions) {
    BITSET_EACH(region, regions)
    sign_region(parts, cells, region);
}

/* Groups of the components that are called, once each. */
static void sign_callees(struct parts *parts, signed_cells *cells, const struct bitset *called) {
    BITSET_EACH(component, called) {
        const struct component_parts *below = &parts->components[component];
        for (size_t i = 0; i < below->cells.count; i++)
            sign(cells, below->cells.data[i],
                 number_of(OF_GROUP, component, below->groups.data[i]));
    }
}

static int compare_signatures(const void *a, const void *b) {
    const struct signed_cell *x = a, *y = b;
    int order = XXH128_cmp(&x->signature, &y->signature);
    return order ? order : x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* Numbers groups by their smallest cell; `cells` and `groups` are filled, ascending. */
static uint32_t number_groups(signed_cells *of, number_vec *cells, number_vec *groups) {
    if (!of->count)
        return 0;
    for (size_t i = 0; i < of->count; i++)
        VEC_PUSH(cells, of->data[i].cell);
    qsort(of->data, of->count, sizeof *of->data, compare_signatures);
    uint32_t *smallest = mem_alloc(of->count * sizeof *smallest); /* by place in cells */
    for (size_t i = 0, first = 0; i < of->count; i++) {
        if (i && !XXH128_isEqual(of->data[i].signature, of->data[i - 1].signature))
            first = i;
        size_t low = 0, high = cells->count;
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (cells->data[middle] <= of->data[i].cell)
                low = middle;
            else
                high = middle;
        }
        smallest[low] = of->data[first].cell;
    }
    uint32_t count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        uint32_t group = count;
        if (smallest[i] == cells->data[i]) {
            count++;
        } else {
            size_t low = 0, high = i;
            while (high - low > 1) {
                size_t middle = low + (high - low) / 2;
                if (cells->data[middle] <= smallest[i])
                    low = middle;
                else
                    high = middle;
            }
            group = groups->data[low];
        }
        VEC_PUSH(groups, group);
    }
    free(smallest);
    return count;
}

/* Puts the cells of each group behind each other into the pool; `first` gets where. */
static void list_groups(struct parts *parts, const number_vec *cells, const number_vec *groups,
                        uint32_t count, number_vec *first) {
    for (uint32_t g = 0; g <= count; g++)
        VEC_PUSH(first, 0);
    for (size_t i = 0; i < cells->count; i++)
        first->data[groups->data[i] + 1]++;
    uint32_t base = (uint32_t)parts->cell_pool.count;
    first->data[0] = base;
    for (uint32_t g = 0; g < count; g++)
        first->data[g + 1] += first->data[g];
    uint32_t *next = mem_alloc((count + 1) * sizeof *next);
    memcpy(next, first->data, (count + 1) * sizeof *next);
    for (size_t i = 0; i < cells->count; i++)
        VEC_PUSH(&parts->cell_pool, 0);
    for (size_t i = 0; i < cells->count; i++)
        parts->cell_pool.data[next[groups->data[i]]++] = cells->data[i];
    free(next);
}

static void group_component(struct parts *parts, uint32_t component) {
    const struct callgraph *graph = parts->graph;
    struct component_parts *of = &parts->components[component];
    /* What callers see, and what lies in a frame here and is handed down. */
    struct bitset all = {0}, regions = {0}, called = parts_called(parts, component);
    bitset_union(&all, &of->touched);
    for (uint32_t m = graph->start[component]; m < graph->start[component + 1]; m++) {
        bitset_union(&all, &parts->functions[graph->members[m]].own);
        bitset_union(&regions, &parts->functions[graph->members[m]].regions);
    }
    BITSET_EACH(callee, &called)
    bitset_union(&all, &parts->components[callee].touched);
    signed_cells shared = {0};
    BITSET_EACH(cell, &all)
    if (!parts->is_hub[cell] && !parts_is_private(parts, cell)) {
        function_id owner = cells_owner(parts->cells, cell);
        bool is_own = owner != NO_ID && graph->component[owner] == component;
        VEC_PUSH(&shared,
                 (struct signed_cell){number_of(OF_OWNER, is_own ? owner : NO_ID, 0), cell});
    }
    sign_regions(parts, &shared, &regions);
    sign_callees(parts, &shared, &called);
    bitset_deinit(&all);
    bitset_deinit(&regions);
    bitset_deinit(&called);
    uint32_t count = number_groups(&shared, &of->cells, &of->groups);
    list_groups(parts, &of->cells, &of->groups, count, &of->first_cell);
    VEC_DEINIT(&shared);
}

static void group_private(struct parts *parts, function_id function, number_vec *first) {
    struct function_parts *of = &parts->functions[function];
    signed_cells own = {0};
    BITSET_EACH(cell, &of->own)
    if (!parts->is_hub[cell] && parts_is_private(parts, cell))
        VEC_PUSH(&own, (struct signed_cell){{0, 0}, cell});
    sign_regions(parts, &own, &of->regions);
    of->own_count = number_groups(&own, &of->private_cells, &of->private_groups);
    list_groups(parts, &of->private_cells, &of->private_groups, of->own_count, first);
    VEC_DEINIT(&own);
}

static int compare_bounds(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

/* Bytes behind parameters, cut where any range begins or ends. */
static void add_roots(struct parts *parts, function_id function) {
    struct function_parts *of = &parts->functions[function];
    struct range arguments = parts->program->functions.data[function].arguments;
    for (uint32_t a = 0; a < arguments.count; a++) {
        const byte_ranges *ranges = &of->ranges[a];
        int32_t *bounds = mem_alloc((2 * ranges->count + 1) * sizeof *bounds);
        for (size_t i = 0; i < ranges->count; i++) {
            bounds[2 * i] = ranges->data[i].low;
            bounds[2 * i + 1] = ranges->data[i].high;
        }
        qsort(bounds, 2 * ranges->count, sizeof *bounds, compare_bounds);
        for (size_t b = 0; b + 1 < 2 * ranges->count; b++) {
            bool is_covered = false;
            for (size_t i = 0; i < ranges->count; i++)
                is_covered |=
                    ranges->data[i].low <= bounds[b] && ranges->data[i].high >= bounds[b + 1];
            if (bounds[b] < bounds[b + 1] && is_covered)
                VEC_PUSH(&parts->all, (struct part){.argument = a,
                                                    .low = bounds[b],
                                                    .high = bounds[b + 1],
                                                    .is_formal = true});
        }
        free(bounds);
    }
    of->root_count = (uint32_t)parts->all.count - of->first;
}

static void add_group(struct parts *parts, uint32_t first, uint32_t end, bool is_formal) {
    VEC_PUSH(&parts->all, (struct part){.argument = NO_ID,
                                        .first_cell = first,
                                        .cell_count = end - first,
                                        .is_formal = is_formal});
}

static void add_parts(struct parts *parts, function_id function) {
    struct function_parts *of = &parts->functions[function];
    uint32_t component = parts->graph->component[function];
    const struct component_parts *shared = &parts->components[component];
    number_vec first = {0};
    group_private(parts, function, &first);
    of->first = (uint32_t)parts->all.count;
    add_roots(parts, function);
    for (uint32_t g = 0; g < of->own_count; g++)
        add_group(parts, first.data[g], first.data[g + 1], false);
    VEC_DEINIT(&first);
    for (size_t g = 0; g + 1 < shared->first_cell.count; g++) {
        function_id owner =
            cells_owner(parts->cells, parts->cell_pool.data[shared->first_cell.data[g]]);
        bool is_own = owner == function && !parts->graph->is_recursive[component];
        add_group(parts, shared->first_cell.data[g], shared->first_cell.data[g + 1], !is_own);
    }
    of->count = (uint32_t)parts->all.count - of->first;
}

static bool regions_meet(const struct parts *parts, uint32_t a, uint32_t b) {
    struct bitset x = cells_of(parts->cells, a), y = cells_of(parts->cells, b);
    return bitset_intersects(&x, &y);
}

static void link(struct function_parts *of, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < of->aliases[a].count; i++)
        if (of->aliases[a].data[i] == b)
            return;
    VEC_PUSH(&of->aliases[a], b);
    VEC_PUSH(&of->aliases[b], a);
}

/* In every call of the function, are the two parameters' parts known to be apart?  Of
 * calls that pass parameters on, what they are in all calls is asked. */
static bool are_apart(const struct parts *parts, function_id function, const struct part *a,
                      const struct part *b) {
    uint32_t count;
    const instruction_id *calls = pta_callers(effects_pta(parts->effects), function, &count);
    if (pta_is_called_back(effects_pta(parts->effects), function))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct translated x = parts_translate(parts, calls[i], function, a->argument,
                                              (struct byte_range){a->low, a->high});
        struct translated y = parts_translate(parts, calls[i], function, b->argument,
                                              (struct byte_range){b->low, b->high});
        if (x.argument != NO_ID || y.argument != NO_ID)
            return false;
        if (regions_meet(parts, x.region, y.region))
            return false;
    }
    return true;
}

static void find_aliases(struct parts *parts, function_id function) {
    struct function_parts *of = &parts->functions[function];
    struct range arguments = parts->program->functions.data[function].arguments;
    of->aliases = mem_zalloc(of->count + 1, sizeof *of->aliases);
    for (uint32_t p = 0; p < of->root_count; p++) {
        const struct part *part = &parts->all.data[of->first + p];
        struct byte_range bytes = {part->low, part->high};
        uint32_t region =
            parts_region(parts, function, part->argument, arguments.first + part->argument, bytes);
        struct cell_list narrow = parts_narrow(parts, region);
        for (uint32_t i = 0; i < narrow.count; i++) {
            uint32_t group = parts_find(parts, function, narrow.cells[i]);
            if (group != NO_ID)
                link(of, p, group);
        }
        for (uint32_t q = 0; q < p; q++) {
            const struct part *other = &parts->all.data[of->first + q];
            if (other->argument == part->argument)
                continue;
            uint32_t others =
                parts_region(parts, function, other->argument, arguments.first + other->argument,
                             (struct byte_range){other->low, other->high});
            if (regions_meet(parts, region, others) && !are_apart(parts, function, part, other))
                link(of, p, q);
        }
    }
}

void parts_make_groups(struct parts *parts) {
    for (uint32_t c = 0; c < parts->graph->count; c++)
        group_component(parts, c);
    for (uint32_t m = 0; m < parts->graph->start[parts->graph->count]; m++)
        add_parts(parts, parts->graph->members[m]);
    for (uint32_t m = 0; m < parts->graph->start[parts->graph->count]; m++)
        find_aliases(parts, parts->graph->members[m]);
}
