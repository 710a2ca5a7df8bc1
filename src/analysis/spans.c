/* Sequences, each once; see spans.h. */
#include "analysis/spans.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void grow(struct spans *spans) {
    spans->mask = spans->mask ? 2 * spans->mask + 1 : 255;
    spans->slots = mem_realloc(spans->slots, spans->mask + 1ULL, sizeof *spans->slots);
    memset(spans->slots, 0xff, (spans->mask + 1ULL) * sizeof *spans->slots);
    for (uint32_t i = 0; i < spans->all.count; i++) {
        uint32_t at = (uint32_t)spans->all.data[i].hash & spans->mask;
        while (spans->slots[at] != UINT32_MAX)
            at = (at + 1) & spans->mask;
        spans->slots[at] = i;
    }
}

uint32_t spans_take(struct spans *spans, const void *items, size_t item_size, size_t first,
                    size_t *count) {
    const char *bytes = items;
    struct span span = {.first = (uint32_t)first, .count = (uint32_t)(*count - first)};
    span.hash = XXH3_64bits(bytes + first * item_size, span.count * item_size);
    if (2 * spans->all.count >= spans->mask)
        grow(spans);
    uint32_t at = (uint32_t)span.hash & spans->mask;
    for (; spans->slots[at] != UINT32_MAX; at = (at + 1) & spans->mask) {
        const struct span *other = &spans->all.data[spans->slots[at]];
        if (other->hash == span.hash && other->count == span.count &&
            memcmp(bytes + other->first * item_size, bytes + first * item_size,
                   span.count * item_size) == 0) {
            *count = first;
            return spans->slots[at];
        }
    }
    spans->slots[at] = (uint32_t)spans->all.count;
    VEC_PUSH(&spans->all, span);
    return spans->slots[at];
}

void spans_deinit(struct spans *spans) {
    VEC_DEINIT(&spans->all);
    free(spans->slots);
    *spans = (struct spans){0};
}
