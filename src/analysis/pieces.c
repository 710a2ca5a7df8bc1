/* What sets of targets have in objects, each once; see pieces.h. */
#include "analysis/pieces.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/spans.h"

struct pieces {
    const struct pta *pta;
    uint32_t *rank;        /* by location: its place among all, by object */
    uint32_t *location_at; /* the way back */
    struct spans locations, lists;
    VEC(uint32_t) location_pool; /* of pieces */
    VEC(uint32_t) piece_pool;    /* of lists */
    uint32_t *list_of;           /* by set: plus one; 0 if it was not asked for */
    struct slot {
        XXH128_hash_t hash;
        uint32_t list; /* plus one; 0: free */
    } *known;          /* lists, by what the sets hold */
    size_t known_count, known_mask;
    struct bitset_collect collect;
};

static void rank_locations(struct pieces *pieces) {
    uint32_t count = pta_location_count(pieces->pta), objects = pta_object_count(pieces->pta);
    uint32_t *next CLEANUP_FREE = mem_zalloc(objects + 2, sizeof *next);
    pieces->rank = mem_alloc((count + 1) * sizeof *pieces->rank);
    pieces->location_at = mem_alloc((count + 1) * sizeof *pieces->location_at);
    for (uint32_t i = 0; i < count; i++)
        next[pta_location(pieces->pta, i).object + 1]++;
    for (uint32_t o = 0; o < objects; o++)
        next[o + 1] += next[o];
    for (uint32_t i = 0; i < count; i++) {
        pieces->rank[i] = next[pta_location(pieces->pta, i).object]++;
        pieces->location_at[pieces->rank[i]] = i;
    }
}

struct pieces *pieces_new(const struct pta *pta) {
    struct pieces *pieces = mem_zalloc(1, sizeof *pieces);
    pieces->pta = pta;
    pieces->collect.is_empty = true;
    pieces->list_of = mem_zalloc(pta_set_count(pta) + 1, sizeof *pieces->list_of);
    pieces->known_mask = 1023;
    pieces->known = mem_zalloc(pieces->known_mask + 1, sizeof *pieces->known);
    VEC_PUSH(&pieces->piece_pool, NO_ID); /* so that there is a place for the empty list */
    rank_locations(pieces);
    return pieces;
}

void pieces_free(struct pieces *pieces) {
    if (!pieces)
        return;
    free(pieces->rank);
    free(pieces->location_at);
    free(pieces->list_of);
    free(pieces->known);
    spans_deinit(&pieces->locations);
    spans_deinit(&pieces->lists);
    VEC_DEINIT(&pieces->location_pool);
    VEC_DEINIT(&pieces->piece_pool);
    bitset_collect_deinit(&pieces->collect);
    free(pieces);
}

static struct slot *find_slot(struct slot *slots, size_t mask, XXH128_hash_t hash) {
    size_t at = (size_t)hash.low64 & mask;
    while (slots[at].list && !XXH128_isEqual(slots[at].hash, hash))
        at = (at + 1) & mask;
    return &slots[at];
}

static void grow(struct pieces *pieces) {
    size_t mask = 2 * pieces->known_mask + 1;
    struct slot *slots = mem_zalloc(mask + 1, sizeof *slots);
    for (size_t i = 0; i <= pieces->known_mask; i++)
        if (pieces->known[i].list)
            *find_slot(slots, mask, pieces->known[i].hash) = pieces->known[i];
    free(pieces->known);
    pieces->known = slots;
    pieces->known_mask = mask;
}

/* Ranks of one object, the last at the end of the pool, are a piece. */
static void end_piece(struct pieces *pieces, size_t first) {
    uint32_t piece =
        spans_take(&pieces->locations, pieces->location_pool.data,
                   sizeof *pieces->location_pool.data, first, &pieces->location_pool.count);
    VEC_PUSH(&pieces->piece_pool, piece);
}

static uint32_t make_list(struct pieces *pieces, const struct bitset *set) {
    size_t list = pieces->piece_pool.count, first = pieces->location_pool.count;
    uint32_t last = NO_ID;
    BITSET_EACH(location, set)
    bitset_collect_add(&pieces->collect, pieces->rank[location]);
    struct bitset ranks = bitset_collect_take(&pieces->collect);
    BITSET_EACH(rank, &ranks) {
        uint32_t location = pieces->location_at[rank];
        uint32_t object = pta_location(pieces->pta, location).object;
        if (last != NO_ID && object != last) {
            end_piece(pieces, first);
            first = pieces->location_pool.count;
        }
        last = object;
        VEC_PUSH(&pieces->location_pool, location);
    }
    if (last != NO_ID)
        end_piece(pieces, first);
    bitset_deinit(&ranks);
    return spans_take(&pieces->lists, pieces->piece_pool.data, sizeof *pieces->piece_pool.data,
                      list, &pieces->piece_pool.count);
}

uint32_t pieces_of(struct pieces *pieces, uint32_t targets) {
    if (pieces->list_of[targets])
        return pieces->list_of[targets] - 1;
    const struct bitset *set = pta_set(pieces->pta, targets);
    XXH128_hash_t hash = XXH3_128bits(set->words, set->count * sizeof *set->words);
    struct slot *slot = find_slot(pieces->known, pieces->known_mask, hash);
    if (!slot->list) {
        *slot = (struct slot){hash, make_list(pieces, set) + 1};
        pieces->list_of[targets] = slot->list;
        if (2 * ++pieces->known_count > pieces->known_mask)
            grow(pieces);
    } else {
        pieces->list_of[targets] = slot->list;
    }
    return pieces->list_of[targets] - 1;
}

struct piece_list pieces_in(const struct pieces *pieces, uint32_t list) {
    struct span span = pieces->lists.all.data[list];
    return (struct piece_list){pieces->piece_pool.data + span.first, span.count};
}

struct piece_list pieces_targets(const struct pieces *pieces, uint32_t piece) {
    struct span span = pieces->locations.all.data[piece];
    return (struct piece_list){pieces->location_pool.data + span.first, span.count};
}

uint32_t pieces_object(const struct pieces *pieces, uint32_t piece) {
    return pta_location(pieces->pta, *pieces_targets(pieces, piece).pieces).object;
}
