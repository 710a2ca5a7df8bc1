/*
 * Objects, the places in them that pointers can name, and their cells.
 *
 * A place is brought into a normal form when it is made (andersen_place), so
 * that each has one id.  Cells of one object that can overlap are linked when
 * the second of them is made:
 *
 *   for a granule g and a stride P that contains it:   written(P) -> g -> read(P)
 *   for strides P and Q that meet:     written(P) -> read(Q), written(Q) -> read(P)
 *
 * No path leads from one granule to another, so strides do not mix what is told
 * apart by offset.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/andersen_impl.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Rounded towards minus infinity. */
static int64_t divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t modulo(int64_t a, int64_t b) { return a - divide(a, b) * b; }

static uint32_t hash_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t h = (a * 0x9e3779b97f4a7c15ULL) ^ (b * 0xc2b2ae3d27d4eb4fULL);
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ULL ^ (c + ((uint64_t)d << 32)) * 0x165667b19e3779f9ULL;
    return (uint32_t)(h ^ h >> 32);
}

static bool map_is_full(const struct number_map *map) {
    return map->count * 4 >= map->capacity * 3;
}

static void map_clear_larger(struct number_map *map) {
    free(map->ids);
    map->capacity = map->capacity ? 2 * map->capacity : 1024;
    map->ids = mem_zalloc(map->capacity, sizeof *map->ids);
}

static bool is_same_location(struct memory_location a, struct memory_location b) {
    return a.object == b.object && a.base == b.base && a.stride == b.stride &&
           a.extent == b.extent && a.low == b.low && a.high == b.high;
}

static uint32_t *location_slot(struct andersen *solver, struct memory_location l) {
    struct number_map *map = &solver->location_ids;
    uint32_t at = hash_of(l.object, (uint32_t)l.base, l.stride, l.extent) +
                  hash_of((uint32_t)l.low, (uint32_t)l.high, 0, 0);
    for (;; at++) {
        uint32_t *slot = &map->ids[at & (map->capacity - 1)];
        if (!*slot || is_same_location(solver->locations.data[*slot - 1], l))
            return slot;
    }
}

static uint32_t find_location(struct andersen *solver, struct memory_location wanted) {
    struct number_map *map = &solver->location_ids;
    if (map_is_full(map)) {
        map_clear_larger(map);
        for (uint32_t i = 0; i < solver->locations.count; i++)
            *location_slot(solver, solver->locations.data[i]) = i + 1;
    }
    uint32_t *slot = location_slot(solver, wanted);
    if (*slot)
        return *slot - 1;
    VEC_PUSH(&solver->locations, wanted);
    map->count++;
    uint32_t id = *slot = (uint32_t)solver->locations.count;
    if (++solver->objects.data[wanted.object].locations > MOST_LOCATIONS)
        andersen_collapse(solver, wanted.object);
    return id - 1;
}

/* Elements of a folded array are all the first; a part of one that would reach
 * into the next is a part of all. */
static void fold(int64_t *base, uint64_t *stride, uint64_t *extent, uint32_t size) {
    *base = modulo(*base, size);
    uint64_t common = gcd(*stride, size);
    if (!*stride || common == size)
        *stride = *extent = 0;
    else if (!*extent || (uint64_t)*base + *extent > size) {
        *stride = common;
        *extent = 0;
    }
}

/* Where an array of an object begins and ends is not said if that is the object, or far away. */
static bool is_worth_saying(const struct object *of, const struct wide_place *place) {
    return place->low < place->high && place->low >= LOWEST_OFFSET &&
           place->high < HIGHEST_OFFSET &&
           !(place->low <= 0 && of->size && place->high >= (int64_t)of->size) &&
           (!of->fold || place->high - place->low <= of->fold);
}

uint32_t andersen_place(struct andersen *solver, struct wide_place wide) {
    const struct object *of = &solver->objects.data[wide.object];
    int64_t base = wide.base;
    uint64_t stride = wide.stride, extent = wide.extent;
    struct memory_location place = {.object = wide.object};
    if (of->flags & OBJECT_ONE_CELL)
        return find_location(solver, place);
    bool is_array = is_worth_saying(of, &wide);
    if (of->fold) {
        wide.low -= base;
        wide.high -= base;
        fold(&base, &stride, &extent, of->fold);
        wide.low += base;
        wide.high += base;
    }
    if (stride && extent && extent <= stride && !is_array)
        stride = extent = 0;
    if (of->size && !stride && (base < -SLACK || base > (int64_t)of->size + SLACK)) {
        place.base = OUTSIDE;
        return find_location(solver, place);
    }
    bool is_far = base < LOWEST_OFFSET || base >= HIGHEST_OFFSET || extent >= HIGHEST_OFFSET;
    if (is_far && !stride)
        stride = GRANULE;
    if (is_far)
        extent = 0;
    if (of->flags & OBJECT_ANYWHERE || stride >= HIGHEST_OFFSET ||
        (stride && !extent && (stride <= GRANULE || stride % GRANULE))) {
        place.stride = ANYWHERE;
        return find_location(solver, place);
    }
    place.base = (int32_t)(stride && !extent ? modulo(base, (int64_t)stride) : base);
    place.stride = (uint32_t)stride;
    place.extent = (uint32_t)extent;
    if (is_array && (!stride || extent)) {
        place.low = (int32_t)wide.low;
        place.high = (int32_t)wide.high;
    }
    return find_location(solver, place);
}

/* A place, and where it is in the array that a shift has led into. */
static struct wide_place enter(const struct object *of, const struct memory_location *from,
                               const struct andersen_shift *by) {
    struct wide_place place = {.object = from->object,
                               .base = from->base,
                               .stride = from->stride,
                               .extent = from->extent,
                               .low = from->low,
                               .high = from->high};
    /* Which of many arrays it is would have to be said by a stride, too. */
    if (!by->array_size || from->stride)
        return place;
    place.low = from->base + by->array_at;
    place.high = place.low + (int64_t)by->array_size;
    if (by->is_last_array)
        place.high = of->size && !of->fold ? (int64_t)of->size : place.low;
    return place;
}

static uint64_t magnitude(int64_t number) {
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Somewhere in its array, by steps of `stride` bytes. */
static void spread(struct wide_place *place, uint64_t stride) {
    place->base = place->low + modulo(place->base - place->low, (int64_t)stride);
    place->stride = stride;
    place->extent = (uint64_t)(place->high - place->base);
}

uint32_t andersen_moved(struct andersen *solver, uint32_t location,
                        const struct andersen_shift *by) {
    struct memory_location from = solver->locations.data[location];
    if ((!by->offset && !by->stride && !by->array_size) || (from.base == OUTSIDE && !by->stride))
        return location;
    if (from.base == OUTSIDE)
        return andersen_place(solver,
                              (struct wide_place){.object = from.object, .stride = ANYWHERE});
    struct wide_place place = enter(&solver->objects.data[from.object], &from, by);
    bool is_open = (from.stride && !from.extent) || (by->stride && !by->extent);
    int64_t size = place.high - place.low;
    place.base += by->offset;
    place.stride = gcd(from.stride, by->stride);
    place.extent = is_open ? 0 : from.extent + by->extent;
    bool is_in = size > 0 && place.base >= place.low && place.base <= place.high;
    /* By a constant programs leave arrays, to get at the struct; and by what computes as it likes.
     * What may be anywhere in an array may be just behind it. */
    bool is_out = from.stride ? magnitude(by->offset) > (uint64_t)size : !is_in;
    if (size > 0 && is_out && place.extent)
        place.extent++;
    if (size <= 0 || by->leaves || (is_out && !by->is_step))
        place.low = place.high = 0;
    else if (place.stride || !is_in)
        spread(&place, place.stride ? place.stride : magnitude(by->offset));
    return andersen_place(solver, place);
}

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

bool andersen_overlap(const struct andersen *solver, uint32_t a, uint32_t b, uint64_t size) {
    struct memory_location x = solver->locations.data[a], y = solver->locations.data[b];
    if (x.object != y.object)
        return false;
    if (solver->objects.data[x.object].flags & OBJECT_ONE_CELL)
        return true;
    if (x.base == OUTSIDE || y.base == OUTSIDE)
        return false;
    int64_t apart = (int64_t)x.base - y.base, reach = (int64_t)(size ? size : 1);
    bool open = (x.stride && !x.extent) || (y.stride && !y.extent);
    if (!open && (apart >= reach + (int64_t)y.extent || -apart >= reach + (int64_t)x.extent))
        return false;
    int64_t stride = (int64_t)gcd(gcd(x.stride, y.stride), solver->objects.data[x.object].fold);
    if (!stride)
        return true;
    apart = modulo(apart, stride);
    return apart < reach || stride - apart < reach;
}
