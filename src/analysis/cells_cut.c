/*
 * Cells of memory by signatures: each distinct region has a random number, and a byte's
 * signature is the sum of those of the regions that it is in.  Bytes with one
 * signature are one cell.  The numbers are 128 bits, made from the region's own, so
 * the result is the same each time, and that two signatures agree by chance will not
 * happen.
 *
 * Bytes are handled as atoms, the intervals between all places where some region
 * begins or ends.  A region signs its shapes, and a shape hands on what it was signed with to its
 * atoms: shapes are few, regions times shapes are many.
 *
 * From then on shapes and regions are sets of cells, and those that have the same cells are one.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/cells_impl.h"

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
    int64_t end = pattern->limit;
    if (end > FIRST_FOLDED && fold) { /* steps come back to where they began */
        int64_t steps = fold / greatest_divisor(pattern->stride, fold);
        int64_t last = FIRST_FOLDED + steps * pattern->stride;
        end = last < end ? last : end;
    } else if (end > FIRST_FOLDED) { /* asked for after the cut: all of it */
        int64_t last = pattern->limit + (int64_t)size;
        end = FIRST_FOLDED;
        add_interval(cells, 0, pattern->low > FIRST_FOLDED ? pattern->low : FIRST_FOLDED,
                     (int32_t)(last < END ? last : END));
    }
    for (int64_t low = (int64_t)pattern->low + pattern->stride; low < end && low + size < END;
         low += pattern->stride)
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
        object->first = cells->atom_count;
        if (!object->cuts.count)
            continue;
        qsort(object->cuts.data, object->cuts.count, sizeof *object->cuts.data, compare_offsets);
        size_t kept = 0;
        for (size_t k = 0; k < object->cuts.count; k++)
            if (!kept || object->cuts.data[kept - 1] != object->cuts.data[k])
                object->cuts.data[kept++] = object->cuts.data[k];
        object->cuts.count = kept;
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

static int compare_intervals(const void *a, const void *b) {
    const struct interval *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Makes intervals that touch one, and brings them in order. */
static void join_intervals(interval_vec *all) {
    bool is_sorted = true;
    for (size_t i = 1; i < all->count && is_sorted; i++)
        is_sorted = all->data[i - 1].low <= all->data[i].low;
    if (!is_sorted)
        qsort(all->data, all->count, sizeof *all->data, compare_intervals);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (kept && all->data[kept - 1].high >= all->data[i].low) {
            if (all->data[kept - 1].high < all->data[i].high)
                all->data[kept - 1].high = all->data[i].high;
        } else {
            all->data[kept++] = all->data[i];
        }
    all->count = kept;
}

/* From atoms to cells. */

struct signature {
    uint64_t low, high;
};

static void add_signature(struct signature *to, struct signature more) {
    to->low += more.low;
    to->high += more.high;
}

/* Adds a signature to the atoms of a shape: to the first of neighbours, and takes it back behind
 * the last. */
static void sign_shape(struct cells *cells, uint32_t shape, struct signature signature,
                       struct signature *atoms) {
    const struct signature minus = {-signature.low, -signature.high};
    struct span of = cells->shapes.all.data[shape];
    const uint32_t *patterns = cells->shape_patterns.data + of.first;
    const struct object_atoms *object = &cells->objects[cells->patterns.data[patterns[0]].object];
    interval_vec all = {0};
    for (uint32_t i = 0; i < of.count; i++) {
        expand(cells, &cells->patterns.data[patterns[i]]);
        for (size_t k = 0; k < cells->scratch.count; k++)
            VEC_PUSH(&all, cells->scratch.data[k]);
    }
    join_intervals(&all);
    for (size_t i = 0; i < all.count; i++) {
        add_signature(&atoms[object->first + atom_at(object, all.data[i].low)], signature);
        add_signature(&atoms[object->first + atom_at(object, all.data[i].high)], minus);
    }
    VEC_DEINIT(&all);
}

/* By atom; the caller frees. */
static struct signature *sign(struct cells *cells) {
    struct signature *shapes = mem_zalloc(cells->shapes.all.count + 1, sizeof *shapes);
    struct signature *atoms = mem_zalloc(cells->atom_count + 1, sizeof *atoms);
    for (uint32_t r = 0; r < cells->regions.all.count; r++) {
        XXH128_hash_t number = XXH3_128bits(&r, sizeof r);
        struct span of = cells->regions.all.data[r];
        for (uint32_t i = 0; i < of.count; i++)
            add_signature(&shapes[cells->region_shapes.data[of.first + i]],
                          (struct signature){number.low64, number.high64});
    }
    for (uint32_t s = 0; s < cells->shapes.all.count; s++)
        sign_shape(cells, s, shapes[s], atoms);
    for (uint32_t i = 1; i < cells->atom_count; i++)
        add_signature(&atoms[i], atoms[i - 1]);
    free(shapes);
    return atoms;
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

/* Sets of cells, each once. */

uint32_t cells_take_set(struct cells *cells) {
    size_t first = cells->words.count;
    struct bitset set = bitset_collect_take(&cells->collect);
    for (uint32_t i = 0; i < set.count; i++)
        VEC_PUSH(&cells->words, set.words[i]);
    bitset_deinit(&set);
    return spans_take(&cells->sets, cells->words.data, sizeof *cells->words.data, first,
                      &cells->words.count);
}

void cells_collect_set(struct cells *cells, uint32_t set) {
    struct span of = cells->sets.all.data[set];
    bitset_collect_words(&cells->collect, cells->words.data + of.first, of.count);
}

static void collect_interval(struct cells *cells, const struct object_atoms *object,
                             struct interval interval) {
    for (uint32_t n = atom_at(object, interval.low);
         n + 1 < object->cuts.count && object->cuts.data[n] < interval.high; n++)
        if (object->cuts.data[n + 1] > interval.low)
            bitset_collect_add(&cells->collect, cells->cell_of_atom[object->first + n]);
}

uint32_t cells_pattern_set(struct cells *cells, uint32_t id) {
    while (cells->pattern_sets.count <= id)
        VEC_PUSH(&cells->pattern_sets, NO_ID);
    if (cells->pattern_sets.data[id] != NO_ID)
        return cells->pattern_sets.data[id];
    const struct pattern *pattern = &cells->patterns.data[id];
    const struct object_atoms *object = &cells->objects[pattern->object];
    if (object->cuts.count >= 2) {
        expand(cells, pattern);
        for (size_t k = 0; k < cells->scratch.count; k++)
            collect_interval(cells, object, cells->scratch.data[k]);
    }
    return cells->pattern_sets.data[id] = cells_take_set(cells);
}

uint32_t cells_region_of_set(struct cells *cells, uint32_t set) {
    while (cells->region_of_set.count <= set)
        VEC_PUSH(&cells->region_of_set, NO_ID);
    uint32_t *region = &cells->region_of_set.data[set];
    if (*region == NO_ID) {
        *region = (uint32_t)cells->region_sets.count;
        VEC_PUSH(&cells->region_sets, set);
    }
    return *region;
}

uint32_t cells_region_within(struct cells *cells, uint32_t region, const struct bitset *set) {
    if (region == NO_ID)
        return NO_ID;
    struct bitset all = cells_of(cells, region);
    if (bitset_includes(set, &all))
        return region;
    bool any = false;
    BITSET_EACH(cell, &all)
    if (bitset_has(set, cell)) {
        bitset_collect_add(&cells->collect, cell);
        any = true;
    }
    return any ? cells_region_of_set(cells, cells_take_set(cells)) : NO_ID;
}

/* Of shapes and regions that are lists, the sets. */
static void list_sets(struct cells *cells) {
    uint32_t *sets CLEANUP_FREE = mem_alloc((cells->shapes.all.count + 1) * sizeof *sets);
    for (uint32_t s = 0; s < cells->shapes.all.count; s++) {
        struct span of = cells->shapes.all.data[s];
        const uint32_t *patterns = cells->shape_patterns.data + of.first;
        sets[s] = cells_pattern_set(cells, patterns[0]);
        for (uint32_t i = 1; i < of.count; i++)
            cells_pattern_set(cells, patterns[i]);
        for (uint32_t i = 0; i < of.count && of.count > 1; i++)
            cells_collect_set(cells, cells_pattern_set(cells, patterns[i]));
        if (of.count > 1)
            sets[s] = cells_take_set(cells);
    }
    for (size_t i = 0; i < cells->made.count; i++)
        cells->made.data[i] = sets[cells->made.data[i]];
    for (uint32_t r = 0; r < cells->regions.all.count; r++) {
        struct span of = cells->regions.all.data[r];
        for (uint32_t i = 0; i < of.count; i++)
            cells_collect_set(cells, sets[cells->region_shapes.data[of.first + i]]);
        uint32_t set = cells_take_set(cells);
        cells_region_of_set(cells, set);
        /* Two that are different to accesses may be the same in cells: both stay. */
        if (cells->region_sets.count == r)
            VEC_PUSH(&cells->region_sets, set);
    }
}

void cells_cut(struct cells *cells) {
    find_folds(cells);
    find_cuts(cells);
    struct signature *signatures = sign(cells);
    number_cells(cells, signatures);
    free(signatures);
    find_places(cells);
    cells->is_cut = true;
    list_sets(cells);
    VEC_DEINIT(&cells->shape_patterns);
    VEC_DEINIT(&cells->region_shapes);
    spans_deinit(&cells->shapes);
    spans_deinit(&cells->regions);
}
