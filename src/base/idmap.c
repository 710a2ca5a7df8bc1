/* From pointers to dense ids, by open addressing; see idmap.h. */
#include "base/idmap.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

/* Keys are also small numbers, and pairs of numbers with one in each half: every bit of a key has
 * to count, the lowest and the highest. */
static size_t place_of(const struct idmap *map, const void *key) {
    size_t mask = map->capacity - 1;
    size_t place = (uintptr_t)key * 0x9e3779b97f4a7c15ULL >> 32 & mask;
    while (map->keys[place] && map->keys[place] != key)
        place = (place + 1) & mask;
    return place;
}

uint32_t idmap_find(const struct idmap *map, const void *key) {
    if (!map->count)
        return IDMAP_NONE;
    size_t place = place_of(map, key);
    return map->keys[place] ? map->ids[place] : IDMAP_NONE;
}

static void grow(struct idmap *map) {
    struct idmap larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
    larger.keys = mem_zalloc(larger.capacity, sizeof *larger.keys);
    larger.ids = mem_zalloc(larger.capacity, sizeof *larger.ids);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->keys[i])
            idmap_set(&larger, map->keys[i], map->ids[i]);
    idmap_deinit(map);
    *map = larger;
}

void idmap_set(struct idmap *map, const void *key, uint32_t id) {
    BUG_IF(!key);
    if (map->count * 4 >= map->capacity * 3)
        grow(map);
    size_t place = place_of(map, key);
    if (!map->keys[place]) {
        map->keys[place] = key;
        map->count++;
    }
    map->ids[place] = id;
}

void idmap_deinit(struct idmap *map) {
    free(map->keys);
    free(map->ids);
    *map = (struct idmap){0};
}
