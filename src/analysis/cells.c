/*
 * Regions of memory, as accesses name them, each once; cells.h.
 *
 * In a large program thousands of pointers point to nearly everything.  What a region has in one
 * object, its shape there, is the same in most of them, so a region is a list of shapes.
 *
 * What a set of pointers and an offset were made into is remembered, since very many
 * values point to the same.
 */
#include "analysis/cells.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/cells_impl.h"

struct cells *cells_new(const struct pta *pta) {
    struct cells *cells = mem_zalloc(1, sizeof *cells);
    cells->pta = pta;
    cells->program = pta_program(pta);
    cells->object_count = pta_object_count(pta);
    cells->objects = mem_zalloc(cells->object_count + STATE_COUNT, sizeof *cells->objects);
    cells->memory_mask = (1 << 12) - 1;
    cells->memory = mem_zalloc(cells->memory_mask + 1, sizeof *cells->memory);
    cells->collect.is_empty = true;
    return cells;
}

void cells_free(struct cells *cells) {
    if (!cells)
        return;
    for (uint32_t i = 0; i < cells->object_count + STATE_COUNT; i++)
        VEC_DEINIT(&cells->objects[i].cuts);
    free(cells->objects);
    free(cells->cell_of_atom);
    free(cells->place);
    free(cells->place_count);
    free(cells->owner);
    free(cells->memory);
    bitset_collect_deinit(&cells->collect);
    VEC_DEINIT(&cells->patterns);
    spans_deinit(&cells->shapes);
    VEC_DEINIT(&cells->region_shapes);
    VEC_DEINIT(&cells->regions);
    spans_deinit(&cells->region_keys);
    VEC_DEINIT(&cells->keys);
    VEC_DEINIT(&cells->making);
    VEC_DEINIT(&cells->shape_cells);
    VEC_DEINIT(&cells->region_cells);
    VEC_DEINIT(&cells->words);
    VEC_DEINIT(&cells->scratch);
    free(cells);
}

/* --- a region as it is made, in cells->making ----------------------------------------------- */

static void add_object(struct cells *cells, uint32_t object) {
    VEC_PUSH(&cells->making, (struct pattern){.object = object, .low = LOWEST, .high = END});
}

static int compare_patterns(const void *a, const void *b) {
    const struct pattern *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return memcmp(x, y, sizeof *x);
}

/* A region has one shape in an object at most. */
static void add_shapes(struct cells *cells) {
    qsort(cells->making.data, cells->making.count, sizeof *cells->making.data, compare_patterns);
    for (size_t i = 0; i < cells->making.count;) {
        size_t first = cells->patterns.count;
        uint32_t object = cells->making.data[i].object;
        for (; i < cells->making.count && cells->making.data[i].object == object; i++)
            VEC_PUSH(&cells->patterns, cells->making.data[i]);
        uint32_t shape = spans_take(&cells->shapes, cells->patterns.data,
                                    sizeof *cells->patterns.data, first, &cells->patterns.count);
        VEC_PUSH(&cells->region_shapes, shape);
    }
}

/* Regions are told apart by hashes of 128 bits: very many come up again, and again. */
static uint32_t end_region(struct cells *cells) {
    if (!cells->making.count)
        return NO_ID;
    size_t key = cells->keys.count;
    VEC_PUSH(&cells->keys,
             XXH3_128bits(cells->making.data, cells->making.count * sizeof *cells->making.data));
    uint32_t region = spans_take(&cells->region_keys, cells->keys.data, sizeof *cells->keys.data,
                                 key, &cells->keys.count);
    if (region == cells->regions.count) {
        uint32_t first = (uint32_t)cells->region_shapes.count;
        add_shapes(cells);
        VEC_PUSH(&cells->regions,
                 (struct region){first, (uint32_t)cells->region_shapes.count - first});
        if (cells->is_cut)
            cells_list(cells);
    }
    cells->making.count = 0;
    return region;
}

static bool is_constant(const struct cells *cells, uint32_t object) {
    struct pta_object of = pta_object(cells->pta, object);
    return of.kind == PTA_FUNCTION ||
           (of.memory != NO_ID && cells->program->memory.data[of.memory].flags & MEMORY_CONSTANT);
}

static int32_t clamp(int64_t offset) {
    return (int32_t)(offset < LOWEST ? LOWEST : offset > END ? END : offset);
}

/* So many bytes, the same in each element of an array. */
static struct pattern make_folded(const struct pta_target *target, int64_t low, uint64_t size) {
    int64_t fold = target->fold;
    int64_t first = low - (low - LOWEST) / fold * fold;
    if (!size || size >= (uint64_t)fold)
        return (struct pattern){.object = target->object, .low = LOWEST, .high = END};
    return (struct pattern){
        .object = target->object,
        .low = clamp(first),
        .high = clamp(first + (int64_t)size),
        .stride = (int32_t)(fold < END ? fold : END),
        .limit = END,
    };
}

static struct pattern make_pattern(const struct pta_target *target, int64_t offset, uint64_t size) {
    struct pattern pattern = {.object = target->object, .low = LOWEST, .high = END};
    if (target->offset == OUTSIDE || (target->stride == ANYWHERE && !target->extent))
        return pattern;
    int64_t low = target->offset + offset;
    if (target->fold && (!target->stride || target->extent))
        return make_folded(target, low, size && target->stride ? size + target->extent - 1 : size);
    pattern.low = clamp(low);
    if (!size || size > END)
        pattern.low = target->stride && !target->extent ? LOWEST : pattern.low;
    else if (!target->stride)
        pattern.high = clamp(low + (int64_t)size);
    else if (target->stride <= size)
        pattern =
            target->extent
                ? (struct pattern){.object = target->object,
                                   .low = clamp(low),
                                   .high = clamp(low + (int64_t)target->extent - 1 + (int64_t)size)}
                : (struct pattern){target->object, LOWEST, END, 0, 0};
    else {
        int64_t stride = (int64_t)target->stride;
        int64_t first = target->extent ? low : low - (low - LOWEST) / stride * stride;
        pattern = (struct pattern){
            .object = target->object,
            .low = clamp(first),
            .high = clamp(first + (int64_t)size),
            .stride = (int32_t)(stride < END ? stride : END),
            .limit = target->extent ? clamp(low + (int64_t)target->extent) : END,
        };
    }
    if (pattern.high <= pattern.low) /* all of it beyond what is told apart */
        pattern = (struct pattern){.object = target->object, .low = END - 1, .high = END};
    return pattern;
}

static struct remembered *find_remembered(struct remembered *table, size_t mask,
                                          const struct remembered *key) {
    uint64_t words[3] = {key->targets, (uint64_t)key->offset, key->size};
    size_t at = (size_t)XXH3_64bits(words, sizeof words) & mask;
    while (table[at].targets && (table[at].targets != key->targets ||
                                 table[at].offset != key->offset || table[at].size != key->size))
        at = (at + 1) & mask;
    return &table[at];
}

static void remember(struct cells *cells, const struct remembered *key) {
    if (2 * ++cells->memory_used > cells->memory_mask) {
        size_t mask = 2 * cells->memory_mask + 1;
        struct remembered *table = mem_zalloc(mask + 1, sizeof *table);
        for (size_t i = 0; i <= cells->memory_mask; i++)
            if (cells->memory[i].targets)
                *find_remembered(table, mask, &cells->memory[i]) = cells->memory[i];
        free(cells->memory);
        cells->memory = table;
        cells->memory_mask = mask;
    }
    *find_remembered(cells->memory, cells->memory_mask, key) = *key;
}

static uint32_t make_region(struct cells *cells, value_id address, int64_t offset, uint64_t size) {
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(cells->pta, address, &cursor, &target);)
        if (!is_constant(cells, target.object))
            VEC_PUSH(&cells->making, make_pattern(&target, offset, size));
    return end_region(cells);
}

static uint32_t make_whole(struct cells *cells, value_id address) {
    struct pta_cursor cursor = {0};
    uint32_t last = NO_ID;
    for (struct pta_target target; pta_points_to(cells->pta, address, &cursor, &target);) {
        if (target.object != last && !is_constant(cells, target.object))
            add_object(cells, target.object);
        last = target.object;
    }
    return end_region(cells);
}

enum { WHOLE = INT32_MIN }; /* as an offset */

static uint32_t find_region(struct cells *cells, value_id address, int64_t offset, uint64_t size) {
    struct remembered key = {pta_targets(cells->pta, address) + 1ULL, offset, size, NO_ID};
    struct remembered *found = find_remembered(cells->memory, cells->memory_mask, &key);
    if (found->targets)
        return found->region;
    key.region =
        offset == WHOLE ? make_whole(cells, address) : make_region(cells, address, offset, size);
    remember(cells, &key);
    return key.region;
}

uint32_t cells_region(struct cells *cells, value_id address, int64_t offset, uint64_t size) {
    return find_region(cells, address, offset, size);
}

uint32_t cells_region_whole(struct cells *cells, value_id address) {
    return find_region(cells, address, WHOLE, 0);
}

uint32_t cells_region_flagged(struct cells *cells, uint8_t flags) {
    for (uint32_t i = 0; i < cells->object_count; i++) {
        struct pta_object object = pta_object(cells->pta, i);
        if (!is_constant(cells, i) && (object.flags & flags || object.kind == PTA_ENVIRONMENT))
            add_object(cells, i);
    }
    return end_region(cells);
}

uint32_t cells_region_objects(struct cells *cells, const struct bitset *objects) {
    BITSET_EACH(object, objects)
    if (!is_constant(cells, object))
        add_object(cells, object);
    return end_region(cells);
}

uint32_t cells_region_object(struct cells *cells, uint32_t object) {
    add_object(cells, object);
    return end_region(cells);
}

uint32_t cells_region_state(struct cells *cells, enum cell_state state) {
    return cells_region_object(cells, cells->object_count + state);
}
