/*
 * Regions of memory, as accesses name them, each once; cells.h.
 *
 * What a set of pointers and an offset were made into is remembered, since very many
 * values point to the same.
 */
#include "analysis/cells.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/cells_impl.h"

struct cells *cells_new(const struct pta *pta) {
    struct cells *cells = mem_zalloc(1, sizeof *cells);
    cells->pta = pta;
    cells->program = pta_program(pta);
    cells->object_count = pta_object_count(pta);
    cells->objects = mem_zalloc(cells->object_count + STATE_COUNT, sizeof *cells->objects);
    cells->slot_mask = (1 << 12) - 1;
    cells->slots = mem_alloc((cells->slot_mask + 1) * sizeof *cells->slots);
    memset(cells->slots, 0xff, (cells->slot_mask + 1) * sizeof *cells->slots);
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
    free(cells->slots);
    free(cells->cell_of_atom);
    free(cells->place);
    free(cells->place_count);
    free(cells->owner);
    free(cells->memory);
    bitset_collect_deinit(&cells->collect);
    VEC_DEINIT(&cells->patterns);
    VEC_DEINIT(&cells->regions);
    VEC_DEINIT(&cells->lists);
    VEC_DEINIT(&cells->scratch);
    free(cells);
}

/* Regions, each once. */

static bool same_region(const struct cells *cells, const struct region *a, const struct region *b) {
    return a->hash == b->hash && a->count == b->count &&
           memcmp(cells->patterns.data + a->first, cells->patterns.data + b->first,
                  a->count * sizeof *cells->patterns.data) == 0;
}

static void grow_slots(struct cells *cells) {
    cells->slot_mask = cells->slot_mask * 2 + 1;
    cells->slots = mem_realloc(cells->slots, cells->slot_mask + 1, sizeof *cells->slots);
    memset(cells->slots, 0xff, (cells->slot_mask + 1) * sizeof *cells->slots);
    for (uint32_t i = 0; i < cells->regions.count; i++) {
        uint32_t at = (uint32_t)cells->regions.data[i].hash & cells->slot_mask;
        while (cells->slots[at] != NO_ID)
            at = (at + 1) & cells->slot_mask;
        cells->slots[at] = i;
    }
}

/* Patterns from `first` on become a region, or are given up for one that is the same. */
static uint32_t intern(struct cells *cells, size_t first) {
    struct region region = {
        .first = (uint32_t)first,
        .count = (uint32_t)(cells->patterns.count - first),
    };
    if (!region.count)
        return NO_ID;
    region.hash =
        XXH3_64bits(cells->patterns.data + first, region.count * sizeof *cells->patterns.data);
    uint32_t at = (uint32_t)region.hash & cells->slot_mask;
    for (; cells->slots[at] != NO_ID; at = (at + 1) & cells->slot_mask)
        if (same_region(cells, &cells->regions.data[cells->slots[at]], &region)) {
            cells->patterns.count = first;
            return cells->slots[at];
        }
    uint32_t id = (uint32_t)cells->regions.count;
    cells->slots[at] = id;
    VEC_PUSH(&cells->regions, region);
    if (2 * cells->regions.count > cells->slot_mask)
        grow_slots(cells);
    if (cells->is_cut)
        cells_list(cells, id);
    return id;
}

static bool is_constant(const struct cells *cells, uint32_t object) {
    struct pta_object of = pta_object(cells->pta, object);
    return of.kind == PTA_FUNCTION ||
           (of.memory != NO_ID && cells->program->memory.data[of.memory].flags & MEMORY_CONSTANT);
}

static int32_t clamp(int64_t offset) {
    return (int32_t)(offset < LOWEST ? LOWEST : offset > END ? END : offset);
}

static struct pattern make_pattern(const struct pta_target *target, int64_t offset, uint64_t size) {
    struct pattern pattern = {.object = target->object, .low = LOWEST, .high = END};
    if (target->offset == OUTSIDE || (target->stride == ANYWHERE && !target->extent))
        return pattern;
    int64_t low = target->offset + offset;
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
    size_t first = cells->patterns.count;
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(cells->pta, address, &cursor, &target);)
        if (!is_constant(cells, target.object))
            VEC_PUSH(&cells->patterns, make_pattern(&target, offset, size));
    return intern(cells, first);
}

static uint32_t make_whole(struct cells *cells, value_id address) {
    size_t first = cells->patterns.count;
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(cells->pta, address, &cursor, &target);)
        if (!is_constant(cells, target.object) &&
            (cells->patterns.count == first ||
             cells->patterns.data[cells->patterns.count - 1].object != target.object))
            VEC_PUSH(&cells->patterns,
                     (struct pattern){.object = target.object, .low = LOWEST, .high = END});
    return intern(cells, first);
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
    size_t first = cells->patterns.count;
    for (uint32_t i = 0; i < cells->object_count; i++) {
        struct pta_object object = pta_object(cells->pta, i);
        if (!is_constant(cells, i) && (object.flags & flags || object.kind == PTA_ENVIRONMENT))
            VEC_PUSH(&cells->patterns, (struct pattern){.object = i, .low = LOWEST, .high = END});
    }
    return intern(cells, first);
}

uint32_t cells_region_objects(struct cells *cells, const struct bitset *objects) {
    size_t first = cells->patterns.count;
    BITSET_EACH(object, objects)
    if (!is_constant(cells, object))
        VEC_PUSH(&cells->patterns, (struct pattern){.object = object, .low = LOWEST, .high = END});
    return intern(cells, first);
}

uint32_t cells_region_object(struct cells *cells, uint32_t object) {
    size_t first = cells->patterns.count;
    VEC_PUSH(&cells->patterns, (struct pattern){.object = object, .low = LOWEST, .high = END});
    return intern(cells, first);
}

uint32_t cells_region_state(struct cells *cells, enum cell_state state) {
    return cells_region_object(cells, cells->object_count + state);
}
