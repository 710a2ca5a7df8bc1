/*
 * Regions of memory, as accesses name them, each once; cells.h.
 *
 * In a large program thousands of pointers point to nearly everything.  So a region is made of
 * shapes: what an access has in one object.  A shape follows from a piece of a set of targets
 * (pieces.h) and from the bytes of the access, and is remembered by those two, as a region
 * is by a whole set and the bytes.
 */
#include "analysis/cells.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/cells_impl.h"

struct cells *cells_new(const struct pta *pta) {
    struct cells *cells = mem_zalloc(1, sizeof *cells);
    cells->pta = pta;
    cells->program = pta_program(pta);
    cells->pieces = pieces_new(pta);
    cells->object_count = pta_object_count(pta);
    cells->objects = mem_zalloc(cells->object_count + STATE_COUNT, sizeof *cells->objects);
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
    pieces_free(cells->pieces);
    idmap_deinit(&cells->known);
    idmap_deinit(&cells->shape_of);
    spans_deinit(&cells->access_ids);
    spans_deinit(&cells->pattern_ids);
    spans_deinit(&cells->shapes);
    spans_deinit(&cells->regions);
    spans_deinit(&cells->sets);
    bitset_collect_deinit(&cells->collect);
    VEC_DEINIT(&cells->accesses);
    VEC_DEINIT(&cells->patterns);
    VEC_DEINIT(&cells->making);
    VEC_DEINIT(&cells->made);
    VEC_DEINIT(&cells->shape_patterns);
    VEC_DEINIT(&cells->region_shapes);
    VEC_DEINIT(&cells->words);
    VEC_DEINIT(&cells->pattern_sets);
    VEC_DEINIT(&cells->region_sets);
    VEC_DEINIT(&cells->region_of_set);
    VEC_DEINIT(&cells->scratch);
    free(cells);
}

static const void *key_of(uint32_t a, uint32_t b) {
    return (const void *)(uintptr_t)(((uint64_t)a << 32 | b) + 1);
}

/* --- patterns --------------------------------------------------------------------------------- */

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
    bool is_inner = target->end > low && target->stride >= (uint64_t)(target->end - low);
    if (size == SIZE_OF_TEXT && target->end > low) {
        struct pta_target at = {.object = target->object,
                                .offset = low,
                                .stride = is_inner ? target->stride : 0,
                                .extent = is_inner ? target->extent : 0,
                                .fold = target->fold};
        return make_pattern(&at, 0, (uint64_t)(target->end - low));
    }
    if (size == SIZE_OF_TEXT)
        size = 0;
    if (size && target->width && is_inner) /* no access crosses the end */
        size = (uint64_t)(target->end - low);
    else if (size && target->width)
        size += target->width - 1;
    /* From the first element to the last one. */
    uint64_t reach = target->extent ? (target->extent - 1) / target->stride * target->stride : 0;
    if (target->fold && (!target->stride || target->extent))
        return make_folded(target, low, size && target->stride ? size + reach : size);
    pattern.low = clamp(low);
    if (!size || size > END)
        pattern.low = target->stride && !target->extent ? LOWEST : pattern.low;
    else if (!target->stride)
        pattern.high = clamp(low + (int64_t)size);
    else if (target->stride <= size)
        pattern = target->extent ? (struct pattern){.object = target->object,
                                                    .low = clamp(low),
                                                    .high = clamp(low + (int64_t)(reach + size))}
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

static uint32_t take_pattern(struct cells *cells, struct pattern pattern) {
    VEC_PUSH(&cells->patterns, pattern);
    return spans_take(&cells->pattern_ids, cells->patterns.data, sizeof *cells->patterns.data,
                      cells->patterns.count - 1, &cells->patterns.count);
}

static bool is_all(const struct pattern *pattern) {
    return pattern->low == LOWEST && pattern->high == END && !pattern->stride;
}

/* --- shapes ----------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static struct pattern pattern_at(const struct cells *cells, uint32_t location,
                                 struct access access) {
    struct pta_target target = pta_location(cells->pta, location);
    return make_pattern(&target, access.offset, access.size);
}

/* Adds the patterns of an access behind a piece, each once.  Where one is all of the object the
 * others do not count: neither where they begin and end, nor their strides. */
static void list_patterns(struct cells *cells, uint32_t piece, struct access access) {
    size_t first = cells->shape_patterns.count;
    struct piece_list targets = pieces_targets(cells->pieces, piece);
    for (uint32_t i = 0; i < targets.count; i++) {
        struct pattern pattern = pattern_at(cells, targets.pieces[i], access);
        if (!is_all(&pattern))
            continue;
        VEC_PUSH(&cells->shape_patterns, take_pattern(cells, pattern));
        return;
    }
    for (uint32_t i = 0; i < targets.count; i++)
        VEC_PUSH(&cells->shape_patterns,
                 take_pattern(cells, pattern_at(cells, targets.pieces[i], access)));
    uint32_t *ids = cells->shape_patterns.data + first;
    size_t count = cells->shape_patterns.count - first, kept = 0;
    qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t i = 0; i < count; i++)
        if (!kept || ids[kept - 1] != ids[i])
            ids[kept++] = ids[i];
    cells->shape_patterns.count = first + kept;
}

/* The patterns at the end of shape_patterns, from `first` on, as a shape. */
static uint32_t end_shape(struct cells *cells, size_t first) {
    if (!cells->is_cut)
        return spans_take(&cells->shapes, cells->shape_patterns.data,
                          sizeof *cells->shape_patterns.data, first, &cells->shape_patterns.count);
    size_t count = cells->shape_patterns.count - first;
    const uint32_t *ids = cells->shape_patterns.data + first;
    cells->shape_patterns.count = first;
    if (count == 1)
        return cells_pattern_set(cells, ids[0]);
    for (size_t i = 0; i < count; i++)
        cells_pattern_set(cells, ids[i]);
    for (size_t i = 0; i < count; i++)
        cells_collect_set(cells, cells_pattern_set(cells, ids[i]));
    return cells_take_set(cells);
}

enum {
    WHOLE = INT32_MIN, /* as an offset: all of the object */
    OF_OBJECT = 0,     /* as an access: the same, by its number */
};

static void add_object(struct cells *cells, uint32_t object) {
    const void *key = key_of(object, OF_OBJECT);
    uint32_t at = idmap_find(&cells->shape_of, key);
    if (at == IDMAP_NONE) {
        size_t first = cells->shape_patterns.count;
        VEC_PUSH(
            &cells->shape_patterns,
            take_pattern(cells, (struct pattern){.object = object, .low = LOWEST, .high = END}));
        at = (uint32_t)cells->made.count;
        VEC_PUSH(&cells->made, end_shape(cells, first));
        idmap_set(&cells->shape_of, key, at);
    }
    VEC_PUSH(&cells->making, cells->made.data[at]);
}

static void add_piece(struct cells *cells, uint32_t piece, uint32_t access) {
    const void *key = key_of(piece, access + 1);
    uint32_t at = idmap_find(&cells->shape_of, key);
    if (at == IDMAP_NONE) {
        size_t first = cells->shape_patterns.count;
        list_patterns(cells, piece, cells->accesses.data[access]);
        at = (uint32_t)cells->made.count;
        VEC_PUSH(&cells->made, end_shape(cells, first));
        idmap_set(&cells->shape_of, key, at);
    }
    VEC_PUSH(&cells->making, cells->made.data[at]);
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Of the shapes in cells->making, ascending by object. */
static uint32_t end_region(struct cells *cells) {
    size_t first = cells->region_shapes.count, count = cells->making.count;
    cells->making.count = 0;
    if (!count)
        return NO_ID;
    if (cells->is_cut && count == 1)
        return cells_region_of_set(cells, cells->making.data[0]);
    for (size_t i = 0; i < count; i++)
        if (cells->is_cut)
            cells_collect_set(cells, cells->making.data[i]);
        else
            VEC_PUSH(&cells->region_shapes, cells->making.data[i]);
    if (cells->is_cut)
        return cells_region_of_set(cells, cells_take_set(cells));
    return spans_take(&cells->regions, cells->region_shapes.data, sizeof *cells->region_shapes.data,
                      first, &cells->region_shapes.count);
}

static bool is_constant(const struct cells *cells, uint32_t object) {
    struct pta_object of = pta_object(cells->pta, object);
    return of.kind == PTA_FUNCTION ||
           (of.memory != NO_ID && cells->program->memory.data[of.memory].flags & MEMORY_CONSTANT);
}

static uint32_t find_region(struct cells *cells, value_id address, struct access access) {
    VEC_PUSH(&cells->accesses, access);
    uint32_t kind =
        spans_take(&cells->access_ids, cells->accesses.data, sizeof *cells->accesses.data,
                   cells->accesses.count - 1, &cells->accesses.count);
    uint32_t list = pieces_of(cells->pieces, pta_targets(cells->pta, address));
    const void *key = key_of(list, kind);
    uint32_t region = idmap_find(&cells->known, key);
    if (region != IDMAP_NONE)
        return region == NO_ID - 1 ? NO_ID : region;
    struct piece_list all = pieces_in(cells->pieces, list);
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t object = pieces_object(cells->pieces, all.pieces[i]);
        if (is_constant(cells, object))
            continue;
        if (access.offset == WHOLE)
            add_object(cells, object);
        else
            add_piece(cells, all.pieces[i], kind);
    }
    region = end_region(cells);
    /* That there is none is remembered, too. */
    idmap_set(&cells->known, key, region == NO_ID ? NO_ID - 1 : region);
    return region;
}

uint32_t cells_region(struct cells *cells, value_id address, int64_t offset, uint64_t size) {
    return find_region(cells, address, (struct access){offset, size});
}

uint32_t cells_region_whole(struct cells *cells, value_id address) {
    return find_region(cells, address, (struct access){WHOLE, 0});
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
