/* Where is the variant that was built before?  See variant_cache.h. */
#include "cmd/variant_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "format/variant.h"

static char *cache_directory(void) {
    const char *own = getenv("RECUT_CACHE_DIR");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        return mem_strdup(own);
    if (cache && *cache)
        return mem_printf("%s/recut/variants", cache);
    if (home && *home)
        return mem_printf("%s/.cache/recut/variants", home);
    return mem_printf("/tmp/recut-%ld/variants", (long)getuid());
}

char *variant_cache_path(const uint8_t build_id[BUILD_ID_SIZE], const char *kind,
                         uint64_t choices) {
    char *directory CLEANUP_FREE = cache_directory();
    struct error *err CLEANUP_ERROR = io_make_dirs(directory);
    char id[2 * BUILD_ID_SIZE + 1];
    for (int i = 0; i < BUILD_ID_SIZE; i++)
        snprintf(id + 2 * i, 3, "%02x", build_id[i]);
    return mem_printf("%s/%s-%s%d-%016" PRIx64 ".variant", directory, id, kind, VARIANT_VERSION,
                      choices);
}

bool variant_cache_is_writable(const char *path) {
    char *directory CLEANUP_FREE = mem_strdup(path);
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    return access(directory, W_OK | X_OK) == 0;
}
