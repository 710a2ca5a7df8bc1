/*
 * Questions about cells, once memory is cut; cells.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cells_impl.h"

uint32_t cells_count(const struct cells *cells) { return cells->cell_count; }

struct bitset cells_of(const struct cells *cells, uint32_t region) {
    if (region == NO_ID)
        return (struct bitset){0};
    struct span of = cells->sets.all.data[cells->region_sets.data[region]];
    return (struct bitset){.words = cells->words.data + of.first, .count = of.count};
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
        pta_points_to(cells->pta, address, &cursor, &other))
        return false;
    /* Where it begins is not known, but there is nothing else to write there. */
    if (pta_is_errno(cells->pta, target.object))
        return size >= sizeof(int);
    if (target.stride || target.fold || target.offset == OUTSIDE)
        return false;
    struct pta_object object = pta_object(cells->pta, target.object);
    if (object.kind != PTA_MEMORY || object.flags & PTA_SHARED)
        return false;
    const struct memory *memory = &cells->program->memory.data[object.memory];
    if (memory->kind != MEMORY_GLOBAL && memory->kind != MEMORY_THREAD_LOCAL &&
        (memory->kind != MEMORY_SLOT || memory->function != frame))
        return false;
    struct bitset list = cells_of(cells, cells_region(cells, address, offset, size));
    int64_t low = target.offset + offset;
    BITSET_EACH(cell, &list)
    if (!is_within(cells, cell, target.object, low, low + (int64_t)size))
        return false;
    return true;
}

bool cells_distance(const struct cells *cells, uint32_t cell, value_id address, int32_t *ret_low,
                    int32_t *ret_high) {
    const struct pattern *place = &cells->place[cell];
    struct pta_cursor cursor = {0};
    struct pta_target target, other;
    if (cells->place_count[cell] != 1 || !pta_points_to(cells->pta, address, &cursor, &target) ||
        pta_points_to(cells->pta, address, &cursor, &other) || target.stride || target.fold ||
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

bool *cells_of_objects(const struct cells *cells, const bool *marks) {
    bool *found = mem_zalloc(cells->cell_count + 1, sizeof *found);
    for (uint32_t o = 0; o < cells->object_count; o++) {
        const struct object_atoms *object = &cells->objects[o];
        for (uint32_t n = 0; marks[o] && n + 1 < object->cuts.count; n++)
            found[cells->cell_of_atom[object->first + n]] = true;
    }
    return found;
}

bool cells_is_thread_local(const struct cells *cells, uint32_t cell) {
    uint32_t object = cells->place[cell].object;
    if (cells->place_count[cell] != 1 || object >= cells->object_count)
        return false;
    if (pta_is_errno(cells->pta, object))
        return true;
    struct pta_object of = pta_object(cells->pta, object);
    if (of.kind != PTA_MEMORY)
        return false;
    const struct memory *memory = &cells->program->memory.data[of.memory];
    return memory->kind == MEMORY_THREAD_LOCAL || memory->flags & MEMORY_NATIVE_THREAD_LOCAL;
}

/* Counts what each cell has in `start`, or enters it in front of that, from the last on. */
static void each_global(const struct cells *cells, uint32_t *start, memory_id *list) {
    uint32_t *last CLEANUP_FREE = mem_alloc((cells->cell_count + 1) * sizeof *last);
    memset(last, 0xff, (cells->cell_count + 1) * sizeof *last);
    for (uint32_t o = cells->object_count; o-- > 0;) {
        struct pta_object of = pta_object(cells->pta, o);
        const struct object_atoms *object = &cells->objects[o];
        if (of.kind != PTA_MEMORY || cells->program->memory.data[of.memory].kind != MEMORY_GLOBAL)
            continue;
        for (uint32_t n = 0; n + 1 < object->cuts.count; n++) {
            uint32_t cell = cells->cell_of_atom[object->first + n];
            if (last[cell] == o)
                continue;
            last[cell] = o;
            if (list)
                list[--start[cell]] = of.memory;
            else
                start[cell]++;
        }
    }
}

struct cell_globals cells_globals(const struct cells *cells) {
    struct cell_globals globals = {
        .start = mem_zalloc(cells->cell_count + 1, sizeof *globals.start),
    };
    uint32_t count = 0;
    each_global(cells, globals.start, NULL);
    for (uint32_t cell = 0; cell <= cells->cell_count; cell++)
        globals.start[cell] = count += globals.start[cell];
    globals.list = mem_alloc((count + 1) * sizeof *globals.list);
    each_global(cells, globals.start, globals.list);
    return globals;
}

char *cells_text(const struct cells *cells, uint32_t cell) {
    static const char *const states[STATE_COUNT] = {"input", "output",  "random numbers",
                                                    "keys",  "signals", "environment"};
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
