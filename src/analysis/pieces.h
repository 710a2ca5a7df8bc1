/*
 * Sets of targets by object: what a set has in one object is a piece of it.
 *
 *     struct pieces *pieces = pieces_new(pta);
 *     uint32_t list = pieces_of(pieces, pta_targets(pta, value));
 *     struct piece_list all = pieces_in(pieces, list);
 *     for (uint32_t i = 0; i < all.count; i++)
 *         use(pieces_object(pieces, all.pieces[i]), pieces_targets(pieces, all.pieces[i]));
 *
 * In a large program thousands of sets hold nearly everything, and differ in a few objects.  They
 * are made of the same pieces, so that what was found out about a piece is known in all of them.
 *
 * Cost: each set that is different once.
 */
#ifndef RECUT_ANALYSIS_PIECES_H
#define RECUT_ANALYSIS_PIECES_H

#include "analysis/pta.h"

struct pieces;

/* `pta` must outlive it. */
struct pieces *pieces_new(const struct pta *pta);
void pieces_free(struct pieces *pieces);

/* A number for the pieces of a set (pta_targets()): the same for sets that hold the same. */
uint32_t pieces_of(struct pieces *pieces, uint32_t targets);

/* Ascending by object; gone when another set is asked for. */
struct piece_list {
    const uint32_t *pieces;
    uint32_t count;
};
struct piece_list pieces_in(const struct pieces *pieces, uint32_t list);

uint32_t pieces_object(const struct pieces *pieces, uint32_t piece);
/* Locations (pta_location()) in the object, ascending. */
struct piece_list pieces_targets(const struct pieces *pieces, uint32_t piece);

#endif
