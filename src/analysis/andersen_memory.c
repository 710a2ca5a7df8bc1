/*
 * The cells of objects: what an access touches; andersen.h.
 *
 * Cells of one object that can overlap are linked when the second of them is made:
 *
 *   for a granule g and a stride P that contains it:   written(P) -> g -> read(P)
 *   for strides P and Q that meet:     written(P) -> read(Q), written(Q) -> read(P)
 *
 * No path leads from one granule to another, so strides do not mix what is told
 * apart by offset.
 */
#include "analysis/andersen_impl.h"

/* Do two cells have a granule in common?  Within bounds, by the bounds alone. */
static bool meet(const struct cell *a, const struct cell *b) {
    if (!a->modulus && !b->modulus)
        return a->granule == b->granule;
    uint64_t common = gcd(a->modulus, b->modulus);
    if (modulo(a->granule - b->granule, (int64_t)common))
        return false;
    int32_t last_a = a->modulus ? a->last : a->granule, last_b = b->modulus ? b->last : b->granule;
    bool open_a = a->modulus && last_a == NO_LAST, open_b = b->modulus && last_b == NO_LAST;
    return open_a || open_b || (a->granule <= last_b && b->granule <= last_a);
}

static bool is_same_cell(const struct cell *a, const struct cell *b) {
    return a->object == b->object && a->granule == b->granule && a->modulus == b->modulus &&
           a->last == b->last;
}

static uint32_t *cell_slot(struct andersen *solver, const struct cell *wanted) {
    struct number_map *map = &solver->cell_ids;
    uint32_t at =
        hash_of(wanted->object, (uint32_t)wanted->granule, wanted->modulus, (uint32_t)wanted->last);
    for (;; at++) {
        uint32_t *slot = &map->ids[at & (map->capacity - 1)];
        if (!*slot || is_same_cell(&solver->cells.data[*slot - 1], wanted))
            return slot;
    }
}

void andersen_collapse(struct andersen *solver, uint32_t object) {
    struct object *of = &solver->objects.data[object];
    if (of->flags & (OBJECT_ONE_CELL | OBJECT_ANYWHERE))
        return;
    of->flags |= OBJECT_ONE_CELL;
    solver->collapsed++;
    uint32_t into = NONE;
    for (uint32_t i = of->first_cell; i != NONE; i = solver->cells.data[i].next) {
        struct cell cell = solver->cells.data[i];
        if (into == NONE)
            into = cell.written;
        andersen_merge(solver, into, cell.written);
        andersen_merge(solver, into, cell.read);
    }
}

static uint32_t new_cell(struct andersen *solver, struct cell cell) {
    cell.next = solver->objects.data[cell.object].first_cell;
    cell.written = andersen_node(solver);
    cell.read = cell.modulus ? andersen_node(solver) : cell.written;
    if (cell.modulus && !(solver->objects.data[cell.object].flags & OBJECT_OPAQUE))
        andersen_copy(solver, cell.read, cell.written);
    for (uint32_t i = cell.next; i != NONE; i = solver->cells.data[i].next) {
        struct cell other = solver->cells.data[i];
        if (!meet(&cell, &other))
            continue;
        andersen_copy(solver, other.read, cell.written);
        andersen_copy(solver, cell.read, other.written);
    }
    uint32_t id = (uint32_t)solver->cells.count;
    VEC_PUSH(&solver->cells, cell);
    struct object *of = &solver->objects.data[cell.object];
    of->first_cell = id;
    of->cells++;
    of->strides += cell.modulus != 0;
    if (of->cells > MOST_CELLS || of->strides > MOST_STRIDES)
        andersen_collapse(solver, cell.object);
    return id;
}

static uint32_t find_cell(struct andersen *solver, struct cell wanted) {
    const struct object *of = &solver->objects.data[wanted.object];
    if (of->flags & OBJECT_ONE_CELL) {
        if (of->first_cell != NONE)
            return of->first_cell;
        wanted.granule = wanted.last = 0;
        wanted.modulus = 0;
    } else if (of->fold && !wanted.modulus) {
        wanted.granule = (int32_t)modulo(wanted.granule, of->fold / GRANULE);
    }
    struct number_map *map = &solver->cell_ids;
    if (map_is_full(map)) {
        map_clear_larger(map);
        for (uint32_t i = 0; i < solver->cells.count; i++)
            *cell_slot(solver, &solver->cells.data[i]) = i + 1;
    }
    uint32_t *slot = cell_slot(solver, &wanted);
    if (*slot)
        return *slot - 1;
    map->count++;
    *slot = (uint32_t)solver->cells.count + 1;
    return new_cell(solver, wanted);
}

/* Does an access touch the object at all? */
static bool is_inside(const struct object *object, int64_t base, uint32_t size) {
    return !object->size || (base + size > 0 && base < (int64_t)object->size);
}

/* All granules of an object. */
static uint32_t whole(struct andersen *solver, uint32_t object) {
    return find_cell(solver, (struct cell){.object = object, .modulus = 1, .last = NO_LAST});
}

/* The granules from `first` to `last`, one by one. */
static uint32_t touch_each(struct andersen *solver, uint32_t object, int64_t first, int64_t last,
                           uint32_t ret[MOST_TOUCHED]) {
    uint32_t count = 0;
    for (int64_t g = first; g <= last && count < MOST_TOUCHED; g++)
        ret[count++] = find_cell(solver, (struct cell){.object = object, .granule = (int32_t)g});
    return count;
}

uint32_t andersen_touched(struct andersen *solver, uint32_t location, int64_t offset, uint32_t size,
                          uint32_t ret[MOST_TOUCHED]) {
    location = andersen_moved(solver, location, &(struct andersen_shift){.offset = offset});
    struct memory_location at = solver->locations.data[location];
    size = size ? size : 1;
    if (at.width) /* no access crosses the end of an array */
        size = at.low < at.high ? (uint32_t)(at.high - at.base) : size + at.width - 1;
    if (at.base == OUTSIDE || (!at.stride && !solver->objects.data[at.object].fold &&
                               !is_inside(&solver->objects.data[at.object], at.base, size)))
        return 0;
    if (at.stride == ANYWHERE && !at.extent) {
        ret[0] = whole(solver, at.object);
        return 1;
    }
    /* The last byte of the last element that the access may begin at. */
    int64_t reach = at.extent ? (at.extent - 1) / at.stride * (int64_t)at.stride : 0;
    int64_t first = divide(at.base, GRANULE), last = divide(at.base + size - 1, GRANULE);
    int64_t end = divide(at.base + reach + size - 1, GRANULE);
    if (!at.stride || (at.extent && end - first < MOST_TOUCHED))
        return touch_each(solver, at.object, first, end, ret);
    if (at.extent && at.stride % GRANULE) {
        ret[0] = find_cell(solver, (struct cell){.object = at.object,
                                                 .granule = (int32_t)first,
                                                 .modulus = 1,
                                                 .last = (int32_t)end});
        return 1;
    }
    if (last - first >= MOST_TOUCHED) {
        ret[0] = whole(solver, at.object);
        return 1;
    }
    uint32_t modulus = at.stride / GRANULE, count = 0;
    for (int64_t g = first; g <= last && count < MOST_TOUCHED; g++)
        ret[count++] = find_cell(
            solver, (struct cell){.object = at.object,
                                  .granule = (int32_t)(at.extent ? g : modulo(g, modulus)),
                                  .modulus = modulus,
                                  .last = at.extent ? (int32_t)(g + reach / GRANULE) : NO_LAST});
    return count;
}

uint32_t andersen_object(struct andersen *solver, struct andersen_shape shape) {
    BUG_IF(shape.fold % GRANULE);
    VEC_PUSH(&solver->objects,
             (struct object){
                 .flags = shape.flags, .fold = shape.fold, .size = shape.size, .first_cell = NONE});
    return (uint32_t)solver->objects.count - 1;
}

uint32_t andersen_cell(struct andersen *solver, uint32_t object, int64_t offset) {
    const struct object *of = &solver->objects.data[object];
    if (of->flags & OBJECT_ANYWHERE)
        return andersen_read(solver, object);
    int64_t granule = divide(of->fold ? modulo(offset, of->fold) : offset, GRANULE);
    uint32_t cell = find_cell(solver, (struct cell){.object = object, .granule = (int32_t)granule});
    return solver->cells.data[cell].written;
}

uint32_t andersen_written(struct andersen *solver, uint32_t object) {
    uint32_t cell = whole(solver, object);
    return solver->cells.data[cell].written;
}

uint32_t andersen_read(struct andersen *solver, uint32_t object) {
    uint32_t cell = whole(solver, object);
    return solver->cells.data[cell].read;
}

bool andersen_next_set(const struct andersen *solver, uint32_t object, uint32_t *at,
                       uint32_t *ret_set) {
    /* Each cell has two: *at is twice its number, plus which, plus two; 1 is the end. */
    if (*at == 0)
        *at = solver->objects.data[object].first_cell == NONE
                  ? 1
                  : 2 * solver->objects.data[object].first_cell + 2;
    if (*at == 1)
        return false;
    const struct cell *cell = &solver->cells.data[(*at - 2) / 2];
    bool is_second = *at % 2;
    *ret_set = andersen_find(solver, is_second ? cell->read : cell->written);
    if (!is_second)
        ++*at;
    else
        *at = cell->next == NONE ? 1 : 2 * cell->next + 2;
    return true;
}
