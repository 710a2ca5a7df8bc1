/* See graph_cache.h. */
#include "cmd/graph_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cache.h"

/* An executable says what it is; of bitcode, all of it does. */
static bool find_key(const struct program *program, const struct graph_choices *choices,
                     struct sdg_key *ret) {
    static const uint8_t none[BUILD_ID_SIZE];
    _Static_assert(sizeof ret->program == BUILD_ID_SIZE, "key");
    memcpy(ret->program, program->build_id, BUILD_ID_SIZE);
    if (memcmp(program->build_id, none, sizeof none) == 0) {
        char *bytes CLEANUP_FREE = NULL;
        size_t size;
        struct error *err CLEANUP_ERROR = io_read_file(program->path, &bytes, &size);
        if (err)
            return false;
        XXH128_hash_t hash = XXH3_128bits(bytes, size);
        ret->program[0] = hash.low64;
        ret->program[1] = hash.high64;
    }
    uint64_t parts[] = {choices->models_hash, choices->data_only, choices->termination,
                        choices->has_copies, cache_tool_identity()};
    ret->choices = XXH3_64bits(parts, sizeof parts);
    return true;
}

static char *path_of(const char *folder, const struct sdg_key *key) {
    return mem_printf("%s/%016" PRIx64 "%016" PRIx64 "-%016" PRIx64 ".graph", folder,
                      key->program[0], key->program[1], key->choices);
}

struct sdg *graph_cache_find(const struct program *program, const struct graph_choices *choices) {
    struct sdg_key key;
    if (!find_key(program, choices, &key))
        return NULL;
    char *folder CLEANUP_FREE = cache_folder("graphs");
    char *path CLEANUP_FREE = path_of(folder, &key);
    return sdg_load(program, path, &key);
}

void graph_cache_keep(const struct sdg *sdg, const struct graph_choices *choices) {
    struct sdg_key key;
    if (!find_key(sdg->program, choices, &key))
        return;
    char *folder CLEANUP_FREE = cache_folder("graphs");
    char *path CLEANUP_FREE = path_of(folder, &key);
    if (sdg_save(sdg, path, &key))
        cache_trim(folder, GRAPH_CACHE_MOST);
}
