/*
 * From pointers to dense ids.
 *
 * A zeroed struct idmap is empty.  There is no iteration, on purpose: the order
 * of pointers differs from run to run, the order of ids does not.
 */
#ifndef RECUT_BASE_IDMAP_H
#define RECUT_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap {
    const void **keys; /* NULL is a free place */
    uint32_t *ids;
    size_t count, capacity; /* a power of two */
};

/* The id of a key, IDMAP_NONE if it has none. */
uint32_t idmap_find(const struct idmap *map, const void *key);
/* Gives a key an id, or another one. */
void idmap_set(struct idmap *map, const void *key, uint32_t id);
void idmap_deinit(struct idmap *map);

#endif
