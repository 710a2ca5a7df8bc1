/*
 * Sets that do not change, each once: what holds the same has the same number, and what was
 * computed of two of them before is not computed again.
 *
 *     struct sets *sets = sets_new();
 *     uint32_t a = sets_add(sets, SETS_EMPTY, 7), news;
 *     a = sets_union(sets, a, b, &news);
 *     BITSET_EACH(element, sets_get(sets, a))
 *         use(element);
 *
 * Points-to analysis has a hundred thousand sets with thousands of elements, of which but few are
 * different, and hands the same news on to thousands of nodes that hold the same (Barbar and Sui,
 * Hash Consed Points-To Sets, SAS 2021).
 *
 * A set stays until sets_sweep(), and its address with it.
 */
#ifndef RECUT_ANALYSIS_SETS_H
#define RECUT_ANALYSIS_SETS_H

#include "base/bitset.h"

enum { SETS_EMPTY = 0 };

struct sets;

struct sets *sets_new(void);
void sets_free(struct sets *sets);

const struct bitset *sets_get(const struct sets *sets, uint32_t set);
/* How many elements it has. */
uint32_t sets_count(const struct sets *sets, uint32_t set);

/* Takes over the elements; `of` is empty then. */
uint32_t sets_take(struct sets *sets, struct bitset *of);
uint32_t sets_add(struct sets *sets, uint32_t set, uint32_t element);
/* `ret_news` is what `b` has and `a` has not; NULL if nobody asks. */
uint32_t sets_union(struct sets *sets, uint32_t a, uint32_t b, uint32_t *ret_news);

/* Have there come to be so many that it is time to sweep?  Then all that are still in use are
 * marked, and the others go. */
bool sets_are_many(const struct sets *sets);
void sets_mark(struct sets *sets, uint32_t set);
void sets_sweep(struct sets *sets);

#endif
