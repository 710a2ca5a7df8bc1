/*
 * Where is a copy made, if not when the function begins?
 *
 * A copy has to be there before anything can change what it is of.  A function that changes
 * something seldom, when it fails or the first time that it is called, need not copy it always: the
 * copy is made in blocks that come before all changes and run less often, as far as the flow graph
 * tells.
 *
 *     struct monitor_places *places = monitor_places_new(program, function);
 *     const struct copy_place *list;
 *     size_t count = monitor_places_find(places, is_changed, data, cost, &list);
 *     monitor_places_free(places);
 */
#ifndef RECUT_INSTRUMENT_MONITOR_PLACES_H
#define RECUT_INSTRUMENT_MONITOR_PLACES_H

#include "program/program.h"

struct copy_place {
    uint32_t block;   /* of the function, from 0: where that begins */
    bool is_repeated; /* the copy may be there already */
};

struct monitor_places;

/* `program` must outlive it. */
struct monitor_places *monitor_places_new(const struct program *program, function_id function);
void monitor_places_free(struct monitor_places *places);

/* The places for a copy of what `is_changed` tells of instructions; how many, 0: it is made when
 * the function begins.  `cost` is that of the copy, in instructions.  The list is valid until the
 * next call. */
size_t monitor_places_find(struct monitor_places *places,
                           bool (*is_changed)(instruction_id instruction, void *data), void *data,
                           uint32_t cost, const struct copy_place **ret);

#endif
