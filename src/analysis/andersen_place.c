/*
 * The places in objects that pointers can name, and how shifts move them; andersen.h.
 *
 * A place is brought into a normal form when it is made (andersen_place), so that each has one id.
 *
 * In an array that is a field of a struct, C lets pointers go up to its end and no farther.  So an
 * index leads somewhere in it, which is what keeps the fields behind an array apart from what is
 * written to it through a pointer.  Two things leave it all the same: a constant, by which programs
 * get from a member to its struct, and arithmetic that is none of addresses.
 */
#include "analysis/andersen_impl.h"

static bool is_same_location(struct memory_location a, struct memory_location b) {
    return a.object == b.object && a.base == b.base && a.stride == b.stride &&
           a.extent == b.extent && a.low == b.low && a.high == b.high && a.width == b.width;
}

static uint32_t *location_slot(struct andersen *solver, struct memory_location l) {
    struct number_map *map = &solver->location_ids;
    uint32_t at = hash_of(l.object, (uint32_t)l.base, l.stride, l.extent) +
                  hash_of((uint32_t)l.low, (uint32_t)l.high, l.width, 0);
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

/* Is the array in each element of another? */
static bool is_inner(uint64_t stride, int64_t low, int64_t high) {
    return high > low && stride >= (uint64_t)(high - low);
}

/* The first of the elements that an object or a place has; nothing of the place changes. */
static void take_first(const struct object *of, struct wide_place *place) {
    int64_t base = place->base;
    if (of->fold)
        fold(&place->base, &place->stride, &place->extent, of->fold);
    if (place->stride && place->extent && place->extent <= place->stride &&
        place->low >= place->high)
        place->stride = place->extent = 0;
    if (place->stride && !place->extent)
        place->base = modulo(place->base, (int64_t)place->stride);
    place->low += place->base - base;
    place->high += place->base - base;
    if (place->width && !place->stride) {
        place->stride = 1;
        place->extent = place->width;
        place->width = 0;
    }
}

uint32_t andersen_place(struct andersen *solver, struct wide_place wide) {
    const struct object *of = &solver->objects.data[wide.object];
    struct memory_location place = {.object = wide.object};
    if (of->flags & OBJECT_ONE_CELL)
        return find_location(solver, place);
    if (!is_worth_saying(of, &wide))
        wide.low = wide.high = 0;
    take_first(of, &wide);
    if (of->size && !wide.stride && (wide.base < -SLACK || wide.base > (int64_t)of->size + SLACK)) {
        place.base = OUTSIDE;
        return find_location(solver, place);
    }
    bool is_far =
        wide.base < LOWEST_OFFSET || wide.base >= HIGHEST_OFFSET || wide.extent >= HIGHEST_OFFSET;
    if (is_far && !wide.stride)
        wide.stride = GRANULE;
    if (is_far)
        wide.extent = 0;
    bool is_open = wide.stride && !wide.extent;
    if (of->flags & OBJECT_ANYWHERE || wide.stride >= HIGHEST_OFFSET || wide.width > wide.stride ||
        (is_open && (wide.stride <= GRANULE || wide.stride % GRANULE))) {
        place.stride = ANYWHERE;
        return find_location(solver, place);
    }
    place.base = (int32_t)(is_open ? modulo(wide.base, (int64_t)wide.stride) : wide.base);
    place.stride = (uint32_t)wide.stride;
    place.extent = (uint32_t)wide.extent;
    place.width = (uint32_t)wide.width;
    if (wide.low < wide.high && (!is_open || is_inner(wide.stride, wide.low, wide.high))) {
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
                               .high = from->high,
                               .width = from->width};
    /* Where it is in the elements of an array in elements would have to be said, too. */
    if (!by->array_size || from->width || (from->stride && from->stride < by->array_size))
        return place;
    place.low = from->base + by->array_at;
    place.high = place.low + (int64_t)by->array_size;
    if (by->is_last_array && !from->stride)
        place.high = of->size && !of->fold ? (int64_t)of->size : place.low;
    return place;
}

/* Somewhere in its array, by steps of `stride` bytes; smaller ones than the array, of which those
 * that are not are told by (is_inner). */
static void spread(struct wide_place *place, uint64_t stride) {
    if (is_inner(stride, place->low, place->high))
        stride = 1;
    place->base = place->low + modulo(place->base - place->low, (int64_t)stride);
    place->stride = stride;
    place->extent = (uint64_t)(place->high - place->base);
}

/* A place in an array, moved.  By a constant programs leave arrays, to get at the struct; and by
 * what computes as it likes.  What may be anywhere in an array may be just behind it. */
static struct wide_place move_in_array(struct wide_place place, const struct memory_location *from,
                                       const struct andersen_shift *by) {
    uint64_t size = (uint64_t)(place.high - place.low);
    bool is_in = place.base >= place.low && place.base <= place.high;
    bool is_out = from->stride ? magnitude(by->offset) > size : !is_in;
    if (is_out && place.extent)
        place.extent++;
    if (by->leaves || (is_out && !by->is_step))
        place.low = place.high = 0;
    else if (place.stride || !is_in)
        spread(&place, place.stride ? place.stride : magnitude(by->offset));
    return place;
}

/* The same for an array in the elements of another. */
static struct wide_place move_in_element(struct wide_place place,
                                         const struct memory_location *from,
                                         const struct andersen_shift *by) {
    uint64_t size = (uint64_t)(place.high - place.low);
    bool is_in = place.base >= place.low && place.base <= place.high;
    bool is_out = from->width ? magnitude(by->offset) > size : !is_in;
    if (by->leaves || (is_out && !by->is_step)) {
        place.low = place.high = 0;
        place.width += from->width != 0;
        if (by->stride)
            place.stride = gcd(from->stride, by->stride);
        place.extent = !from->extent || (by->stride && !by->extent) ? 0 : from->extent + by->extent;
    } else if (by->stride || from->width || !is_in) {
        place.base = place.low;
        place.width = size;
    }
    return place;
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
    place.base += by->offset;
    if (is_inner(place.stride, place.low, place.high))
        return andersen_place(solver, move_in_element(place, &from, by));
    bool is_open = (from.stride && !from.extent) || (by->stride && !by->extent);
    place.stride = gcd(from.stride, by->stride);
    place.extent = is_open ? 0 : from.extent + by->extent;
    if (place.low < place.high)
        place = move_in_array(place, &from, by);
    return andersen_place(solver, place);
}

bool andersen_overlap(const struct andersen *solver, uint32_t a, uint32_t b, uint64_t size) {
    struct memory_location x = solver->locations.data[a], y = solver->locations.data[b];
    if (x.object != y.object)
        return false;
    if (solver->objects.data[x.object].flags & OBJECT_ONE_CELL)
        return true;
    if (x.base == OUTSIDE || y.base == OUTSIDE)
        return false;
    int64_t apart = (int64_t)x.base - y.base;
    int64_t reach = (int64_t)(size ? size : 1) + x.width + y.width;
    bool open = (x.stride && !x.extent) || (y.stride && !y.extent);
    if (!open && (apart >= reach + (int64_t)y.extent || -apart >= reach + (int64_t)x.extent))
        return false;
    int64_t stride = (int64_t)gcd(gcd(x.stride, y.stride), solver->objects.data[x.object].fold);
    if (!stride)
        return true;
    apart = modulo(apart, stride);
    return apart < reach || stride - apart < reach;
}
