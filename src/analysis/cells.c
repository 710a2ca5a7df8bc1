/*
 * Cells of memory by signatures: each distinct region has a random number, and a byte's
 * signature is the sum of those of the regions that it is in.  Bytes with one
 * signature are one cell.  The numbers are 128 bits, made from the region's own, so
 * the result is the same each time, and that two signatures agree by chance will not
 * happen.
 *
 * Bytes are handled as atoms, the intervals between all places where some region
 * begins or ends.
 */
#include "analysis/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    FIRST_FOLDED = 1024, /* bytes of an object with strided accesses that are not folded */
    LOWEST = -FIRST_FOLDED,
    END = 1 << 24, /* behind all bytes */
};

/* [low, high), and the same every `stride` bytes up to `limit` if that is not 0. */
struct pattern {
    uint32_t object;
    int32_t low, high;
    int32_t stride, limit;
};

struct interval {
    int32_t low, high;
};

struct region {
    uint32_t first, count;           /* in `patterns` */
    uint32_t first_cell, cell_count; /* in `lists`, once cut */
    uint64_t hash;
};

struct object_atoms {
    VEC(int32_t) cuts; /* where atoms begin; the last is the end */
    uint32_t first;    /* atom */
    int32_t fold;      /* bytes from FIRST_FOLDED on are taken modulo this; 0: they are not */
};

typedef VEC(struct interval) interval_vec;

/* A region that was asked for before. */
struct remembered {
    uint64_t targets; /* pta_targets(), plus one; 0: free */
    int64_t offset;
    uint64_t size;
    uint32_t region;
};

struct cells {
    const struct program *program;
    const struct pta *pta;
    uint32_t object_count; /* of pta; states follow */
    VEC(struct pattern) patterns;
    VEC(struct region) regions;
    uint32_t *slots, slot_mask; /* hash of regions */
    struct object_atoms *objects;
    uint32_t atom_count, cell_count;
    uint32_t *cell_of_atom;
    struct pattern *place; /* by cell: one place of it */
    uint32_t *place_count; /* by cell: atoms */
    function_id *owner;
    VEC(uint32_t) lists;
    interval_vec scratch;
    struct remembered *memory;
    size_t memory_mask, memory_used;
    struct bitset_collect collect;
    bool is_cut;
};

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

static void list_cells(struct cells *cells, uint32_t region);

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
        list_cells(cells, id);
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

/* From patterns to atoms. */

static int32_t greatest_divisor(int32_t a, int32_t b) {
    while (b) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Adds [low, high) to scratch, folded. */
static void add_interval(struct cells *cells, int32_t fold, int32_t low, int32_t high) {
    int32_t unfolded = fold && high > FIRST_FOLDED ? FIRST_FOLDED : high;
    if (low < unfolded)
        VEC_PUSH(&cells->scratch, (struct interval){low, unfolded});
    if (!fold || high <= FIRST_FOLDED)
        return;
    low = low < FIRST_FOLDED ? FIRST_FOLDED : low;
    if (high - low >= fold) {
        VEC_PUSH(&cells->scratch, (struct interval){FIRST_FOLDED, FIRST_FOLDED + fold});
        return;
    }
    int32_t from = FIRST_FOLDED + low % fold, to = from + (high - low);
    if (to <= FIRST_FOLDED + fold) {
        VEC_PUSH(&cells->scratch, (struct interval){from, to});
        return;
    }
    VEC_PUSH(&cells->scratch, (struct interval){from, FIRST_FOLDED + fold});
    VEC_PUSH(&cells->scratch, (struct interval){FIRST_FOLDED, to - fold});
}

/* The intervals of a pattern, in cells->scratch. */
static void expand(struct cells *cells, const struct pattern *pattern) {
    int32_t fold = cells->objects[pattern->object].fold;
    cells->scratch.count = 0;
    add_interval(cells, fold, pattern->low, pattern->high);
    if (!pattern->stride)
        return;
    int32_t size = pattern->high - pattern->low;
    /* Folded, steps come back to where they began after `fold` bytes at most. */
    int64_t end = pattern->limit < FIRST_FOLDED ? pattern->limit
                                                : FIRST_FOLDED + (int64_t)fold * pattern->stride;
    for (int64_t low = (int64_t)pattern->low + pattern->stride;
         low < pattern->limit && low < end && low + size < END; low += pattern->stride)
        add_interval(cells, fold, (int32_t)low, (int32_t)low + size);
}

static void find_folds(struct cells *cells) {
    for (size_t i = 0; i < cells->patterns.count; i++) {
        const struct pattern *pattern = &cells->patterns.data[i];
        int32_t *fold = &cells->objects[pattern->object].fold;
        if (pattern->stride)
            *fold = greatest_divisor(pattern->stride, *fold);
    }
    for (uint32_t i = 0; i < cells->object_count; i++)
        if (cells->objects[i].fold > FIRST_FOLDED)
            cells->objects[i].fold = 1;
}

static int compare_offsets(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static void find_cuts(struct cells *cells) {
    for (size_t i = 0; i < cells->patterns.count; i++) {
        expand(cells, &cells->patterns.data[i]);
        struct object_atoms *object = &cells->objects[cells->patterns.data[i].object];
        for (size_t k = 0; k < cells->scratch.count; k++) {
            VEC_PUSH(&object->cuts, cells->scratch.data[k].low);
            VEC_PUSH(&object->cuts, cells->scratch.data[k].high);
        }
    }
    for (uint32_t i = 0; i < cells->object_count + STATE_COUNT; i++) {
        struct object_atoms *object = &cells->objects[i];
        if (!object->cuts.count)
            continue;
        qsort(object->cuts.data, object->cuts.count, sizeof *object->cuts.data, compare_offsets);
        size_t kept = 0;
        for (size_t k = 0; k < object->cuts.count; k++)
            if (!kept || object->cuts.data[kept - 1] != object->cuts.data[k])
                object->cuts.data[kept++] = object->cuts.data[k];
        object->cuts.count = kept;
        object->first = cells->atom_count;
        cells->atom_count += (uint32_t)kept - 1;
    }
}

/* Index of the atom that holds an offset, or of the next one. */
static uint32_t atom_at(const struct object_atoms *object, int32_t offset) {
    size_t low = 0, high = object->cuts.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (object->cuts.data[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (uint32_t)low - 1 : 0;
}

typedef void (*atom_user)(struct cells *cells, uint32_t atom, void *context);

static void each_atom_of_pattern(struct cells *cells, const struct pattern *pattern, atom_user use,
                                 void *context) {
    const struct object_atoms *object = &cells->objects[pattern->object];
    if (object->cuts.count < 2)
        return;
    expand(cells, pattern);
    for (size_t k = 0; k < cells->scratch.count; k++)
        for (uint32_t n = atom_at(object, cells->scratch.data[k].low);
             n + 1 < object->cuts.count && object->cuts.data[n] < cells->scratch.data[k].high; n++)
            if (object->cuts.data[n + 1] > cells->scratch.data[k].low)
                use(cells, object->first + n, context);
}

static void each_atom(struct cells *cells, uint32_t region, atom_user use, void *context) {
    struct region of = cells->regions.data[region];
    for (uint32_t i = 0; i < of.count; i++)
        each_atom_of_pattern(cells, &cells->patterns.data[of.first + i], use, context);
}

/* From atoms to cells. */

struct signature {
    uint64_t low, high;
    uint32_t last; /* region that was added last, plus one: an atom may come up twice in it */
};

struct signing {
    struct signature *signatures;
    uint64_t low, high;
    uint32_t region;
};

static void sign(struct cells *cells, uint32_t atom, void *context) {
    (void)cells;
    struct signing *signing = context;
    struct signature *signature = &signing->signatures[atom];
    if (signature->last == signing->region + 1)
        return;
    signature->last = signing->region + 1;
    signature->low += signing->low;
    signature->high += signing->high;
}

static void number_cells(struct cells *cells, const struct signature *signatures) {
    uint32_t mask = 1;
    while (mask < 2 * cells->atom_count + 2)
        mask *= 2;
    uint32_t *slots = mem_alloc(mask * sizeof *slots), *atom_of_cell;
    memset(slots, 0xff, mask * sizeof *slots);
    mask--;
    atom_of_cell = mem_alloc((cells->atom_count + 1) * sizeof *atom_of_cell);
    cells->cell_of_atom = mem_alloc((cells->atom_count + 1) * sizeof *cells->cell_of_atom);
    for (uint32_t i = 0; i < cells->atom_count; i++) {
        uint32_t at = (uint32_t)signatures[i].low & mask;
        for (; slots[at] != NO_ID; at = (at + 1) & mask) {
            const struct signature *other = &signatures[atom_of_cell[slots[at]]];
            if (other->low == signatures[i].low && other->high == signatures[i].high)
                break;
        }
        if (slots[at] == NO_ID) {
            slots[at] = cells->cell_count;
            atom_of_cell[cells->cell_count++] = i;
        }
        cells->cell_of_atom[i] = slots[at];
    }
    free(slots);
    free(atom_of_cell);
}

static function_id frame_of(const struct cells *cells, uint32_t object) {
    if (object >= cells->object_count)
        return NO_ID;
    struct pta_object of = pta_object(cells->pta, object);
    if (of.kind != PTA_MEMORY)
        return NO_ID;
    const struct memory *memory = &cells->program->memory.data[of.memory];
    bool is_frame = memory->kind == MEMORY_SLOT || memory->kind == MEMORY_DYNAMIC ||
                    memory->kind == MEMORY_STACK;
    return is_frame ? memory->function : NO_ID;
}

static void find_places(struct cells *cells) {
    cells->place = mem_zalloc(cells->cell_count + 1, sizeof *cells->place);
    cells->place_count = mem_zalloc(cells->cell_count + 1, sizeof *cells->place_count);
    cells->owner = mem_alloc((cells->cell_count + 1) * sizeof *cells->owner);
    for (uint32_t i = 0; i < cells->object_count + STATE_COUNT; i++) {
        const struct object_atoms *object = &cells->objects[i];
        function_id frame = frame_of(cells, i);
        for (uint32_t n = 0; n + 1 < object->cuts.count; n++) {
            uint32_t cell = cells->cell_of_atom[object->first + n];
            if (!cells->place_count[cell]++) {
                cells->place[cell] = (struct pattern){
                    .object = i, .low = object->cuts.data[n], .high = object->cuts.data[n + 1]};
                cells->owner[cell] = frame;
            } else if (cells->owner[cell] != frame) {
                cells->owner[cell] = NO_ID;
            }
        }
    }
}

static void collect(struct cells *cells, uint32_t atom, void *context) {
    (void)context;
    bitset_collect_add(&cells->collect, cells->cell_of_atom[atom]);
}

static void list_cells(struct cells *cells, uint32_t region) {
    each_atom(cells, region, collect, NULL);
    struct bitset set = bitset_collect_take(&cells->collect);
    cells->regions.data[region].first_cell = (uint32_t)cells->lists.count;
    BITSET_EACH(cell, &set)
    VEC_PUSH(&cells->lists, cell);
    cells->regions.data[region].cell_count =
        (uint32_t)cells->lists.count - cells->regions.data[region].first_cell;
    bitset_deinit(&set);
}

void cells_cut(struct cells *cells) {
    find_folds(cells);
    find_cuts(cells);
    struct signing signing = {.signatures =
                                  mem_zalloc(cells->atom_count + 1, sizeof *signing.signatures)};
    for (uint32_t r = 0; r < cells->regions.count; r++) {
        XXH128_hash_t number = XXH3_128bits(&r, sizeof r);
        signing.low = number.low64;
        signing.high = number.high64;
        signing.region = r;
        each_atom(cells, r, sign, &signing);
    }
    number_cells(cells, signing.signatures);
    free(signing.signatures);
    find_places(cells);
    cells->is_cut = true;
    for (uint32_t r = 0; r < cells->regions.count; r++)
        list_cells(cells, r);
}

/* Questions. */

uint32_t cells_count(const struct cells *cells) { return cells->cell_count; }

struct cell_list cells_of(const struct cells *cells, uint32_t region) {
    if (region == NO_ID)
        return (struct cell_list){NULL, 0};
    const struct region *of = &cells->regions.data[region];
    return (struct cell_list){of->cell_count ? cells->lists.data + of->first_cell : NULL,
                              of->cell_count};
}

uint32_t cells_object(const struct cells *cells, uint32_t cell) {
    return cells->place[cell].object;
}

function_id cells_owner(const struct cells *cells, uint32_t cell) { return cells->owner[cell]; }

/* Is all of a cell in these bytes of the object? */
static bool is_within(const struct cells *cells, uint32_t cell, uint32_t object, int64_t low,
                      int64_t high) {
    const struct pattern *place = &cells->place[cell];
    return cells->place_count[cell] == 1 && place->object == object && place->low >= low &&
           place->high <= high;
}

bool cells_is_exact(struct cells *cells, value_id address, int64_t offset, uint64_t size,
                    function_id frame) {
    struct pta_cursor cursor = {0};
    struct pta_target target, other;
    if (!size || !pta_points_to(cells->pta, address, &cursor, &target) ||
        pta_points_to(cells->pta, address, &cursor, &other) || target.stride ||
        target.offset == OUTSIDE)
        return false;
    struct pta_object object = pta_object(cells->pta, target.object);
    if (object.kind != PTA_MEMORY || object.flags & PTA_SHARED)
        return false;
    const struct memory *memory = &cells->program->memory.data[object.memory];
    if (memory->kind != MEMORY_GLOBAL && memory->kind != MEMORY_THREAD_LOCAL &&
        (memory->kind != MEMORY_SLOT || memory->function != frame))
        return false;
    struct cell_list list = cells_of(cells, cells_region(cells, address, offset, size));
    int64_t low = target.offset + offset;
    for (uint32_t i = 0; i < list.count; i++)
        if (!is_within(cells, list.cells[i], target.object, low, low + (int64_t)size))
            return false;
    return true;
}

bool cells_distance(const struct cells *cells, uint32_t cell, value_id address, int32_t *ret_low,
                    int32_t *ret_high) {
    const struct pattern *place = &cells->place[cell];
    struct pta_cursor cursor = {0};
    struct pta_target target, other;
    if (cells->place_count[cell] != 1 || !pta_points_to(cells->pta, address, &cursor, &target) ||
        pta_points_to(cells->pta, address, &cursor, &other) || target.stride ||
        target.object != place->object || target.offset == OUTSIDE ||
        cells->objects[place->object].fold)
        return false;
    *ret_low = place->low - (int32_t)target.offset;
    *ret_high = place->high - (int32_t)target.offset;
    return true;
}

bool cells_is_variadic(const struct cells *cells, uint32_t cell, function_id function) {
    for (uint32_t o = 0; o < cells->object_count; o++) {
        struct pta_object of = pta_object(cells->pta, o);
        const struct object_atoms *object = &cells->objects[o];
        if (of.kind != PTA_VARIADIC || of.id != function)
            continue;
        for (uint32_t n = 0; n + 1 < object->cuts.count; n++)
            if (cells->cell_of_atom[object->first + n] == cell)
                return true;
    }
    return false;
}

bool cells_any_object(const struct cells *cells, uint32_t cell, const bool *marks) {
    if (cells->place_count[cell] == 1)
        return cells->place[cell].object < cells->object_count && marks[cells->place[cell].object];
    for (uint32_t o = 0; o < cells->object_count; o++) {
        const struct object_atoms *object = &cells->objects[o];
        for (uint32_t n = 0; marks[o] && n + 1 < object->cuts.count; n++)
            if (cells->cell_of_atom[object->first + n] == cell)
                return true;
    }
    return false;
}

bool cells_is_thread_local(const struct cells *cells, uint32_t cell) {
    uint32_t object = cells->place[cell].object;
    if (cells->place_count[cell] != 1 || object >= cells->object_count)
        return false;
    struct pta_object of = pta_object(cells->pta, object);
    if (of.kind != PTA_MEMORY)
        return false;
    const struct memory *memory = &cells->program->memory.data[of.memory];
    return memory->kind == MEMORY_THREAD_LOCAL || memory->flags & MEMORY_NATIVE_THREAD_LOCAL;
}

memory_id cells_global(const struct cells *cells, uint32_t cell) {
    uint32_t object = cells->place[cell].object;
    if (object >= cells->object_count)
        return NO_ID;
    struct pta_object of = pta_object(cells->pta, object);
    return of.kind == PTA_MEMORY && cells->program->memory.data[of.memory].kind == MEMORY_GLOBAL
               ? of.memory
               : NO_ID;
}

char *cells_text(const struct cells *cells, uint32_t cell) {
    static const char *const states[STATE_COUNT] = {"input", "output", "random numbers", "keys",
                                                    "environment"};
    const struct pattern *place = &cells->place[cell];
    char *name = place->object >= cells->object_count
                     ? mem_strdup(states[place->object - cells->object_count])
                     : pta_object_text(cells->pta, place->object);
    char offset[32] = "", more[32] = "";
    if (place->low > 0)
        snprintf(offset, sizeof offset, " +%d", place->low);
    if (cells->place_count[cell] > 1)
        snprintf(more, sizeof more, " and %u more", cells->place_count[cell] - 1);
    char *text = mem_printf("%s%s%s", name, offset, more);
    free(name);
    return text;
}
