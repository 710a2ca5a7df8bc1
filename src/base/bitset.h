/*
 * Sets of dense ids, most of them small and sparse.
 *
 * A zeroed struct bitset is empty.  It is a sorted array of words that are not
 * zero: one element costs eight bytes, 32 neighbours cost the same, and a union
 * is one merge.  Elements come out ascending:
 *
 *     BITSET_EACH (id, set)
 *         use(id);
 *
 * The set must not change during the loop.  (Not CRoaring, whose smallest set is
 * several allocations: points-to analysis has a hundred thousand sets with no or one
 * element.)
 */
#ifndef RECUT_BASE_BITSET_H
#define RECUT_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bitset_word {
    uint32_t key; /* element / 32 */
    uint32_t bits;
};

struct bitset {
    struct bitset_word *words;
    uint32_t count, capacity;
};

/* Was it new? */
bool bitset_add(struct bitset *set, uint32_t element);
bool bitset_has(const struct bitset *set, uint32_t element);
uint32_t bitset_count(const struct bitset *set);
/* Adds all of `from`; did the set change? */
bool bitset_union(struct bitset *set, const struct bitset *from);
/* As bitset_union(), and what was new is added to `news` too. */
bool bitset_union_news(struct bitset *set, const struct bitset *from, struct bitset *news);
/* Adds to `set` what is in exactly one of `a` and `b`. */
void bitset_add_difference(struct bitset *set, const struct bitset *a, const struct bitset *b);
/* Is all of `part` in `set`? */
bool bitset_includes(const struct bitset *set, const struct bitset *part);
bool bitset_intersects(const struct bitset *a, const struct bitset *b);
void bitset_deinit(struct bitset *set);

static inline bool bitset_is_empty(const struct bitset *set) { return set->count == 0; }

/* Takes the elements out of a set, which is empty then. */
static inline struct bitset bitset_take(struct bitset *set) {
    struct bitset taken = *set;
    *set = (struct bitset){0};
    return taken;
}

/*
 * Many elements that come in any order, to become a set: a dense array of bits,
 * used again and again.  `{.is_empty = true}` is ready.
 */
struct bitset_collect {
    uint32_t *words;
    uint32_t capacity, first, last;
    bool is_empty;
};
void bitset_collect_add(struct bitset_collect *all, uint32_t element);
void bitset_collect_words(struct bitset_collect *all, const struct bitset_word *words,
                          uint32_t count);
/* The set; nothing is collected then. */
struct bitset bitset_collect_take(struct bitset_collect *all);
void bitset_collect_deinit(struct bitset_collect *all);

struct bitset_place {
    uint32_t word, bits; /* what is left of the word */
};

/* The next element from a zeroed place on; false at the end. */
static inline bool bitset_next(const struct bitset *set, struct bitset_place *place,
                               uint32_t *element) {
    while (!place->bits) {
        if (place->word == set->count)
            return false;
        place->bits = set->words[place->word++].bits;
    }
    *element = set->words[place->word - 1].key * 32 + (uint32_t)__builtin_ctz(place->bits);
    place->bits &= place->bits - 1;
    return true;
}

#define BITSET_EACH(element, set)                                                                  \
    for (struct bitset_place element##_place = {0}, *element##_once = &element##_place;            \
         element##_once; element##_once = NULL)                                                    \
        for (uint32_t element; bitset_next(set, &element##_place, &element);)

#endif
