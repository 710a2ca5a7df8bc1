/*
 * Sequences of items, each kept once: every one is a run in an array of the caller's.
 *
 *     size_t first = items.count;
 *     VEC_PUSH(&items, ...);                        as many as there are
 *     uint32_t id = spans_take(&spans, items.data, sizeof *items.data, first, &items.count);
 *     ...items.data[spans.all.data[id].first]...
 *
 * A sequence that is there already is taken off the end of the array again.  Ids count from 0 in
 * the order in which sequences first came.  Items are compared by their bytes.
 */
#ifndef RECUT_ANALYSIS_SPANS_H
#define RECUT_ANALYSIS_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct span {
    uint32_t first, count;
    uint64_t hash;
};

/* A zeroed one is empty. */
struct spans {
    VEC(struct span) all;
    uint32_t *slots, mask;
};

uint32_t spans_take(struct spans *spans, const void *items, size_t item_size, size_t first,
                    size_t *count);
void spans_deinit(struct spans *spans);

#endif
