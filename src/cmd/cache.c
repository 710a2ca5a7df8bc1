/* See cache.h. */
#include "cmd/cache.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"

char *cache_folder(const char *name) {
    const char *own = getenv("RECUT_CACHE_DIR");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder;
    if (own && *own)
        folder = mem_strdup(own);
    else if (cache && *cache)
        folder = mem_printf("%s/recut/%s", cache, name);
    else if (home && *home)
        folder = mem_printf("%s/.cache/recut/%s", home, name);
    else
        folder = mem_printf("/tmp/recut-%ld/%s", (long)getuid(), name);
    struct error *err CLEANUP_ERROR = io_make_dirs(folder);
    return folder;
}

uint64_t cache_tool_identity(void) {
    char *tool CLEANUP_FREE = NULL;
    struct stat status;
    struct error *err CLEANUP_ERROR = io_find_installed("recut-program", &tool);
    if (err || stat(tool, &status) != 0)
        return 0;
    return ((uint64_t)status.st_size * 31 + (uint64_t)status.st_mtim.tv_sec) * 1000000007 +
           (uint64_t)status.st_mtim.tv_nsec;
}

struct kept {
    char *path;
    uint64_t size;
    struct timespec time;
};

static int oldest_first(const void *a, const void *b) {
    const struct timespec x = ((const struct kept *)a)->time, y = ((const struct kept *)b)->time;
    if (x.tv_sec != y.tv_sec)
        return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

void cache_trim(const char *folder, uint64_t most) {
    VEC(struct kept) all = {0};
    uint64_t total = 0;
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        struct stat status;
        char *path = mem_printf("%s/%s", folder, entry->d_name);
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            free(path);
            continue;
        }
        total += (uint64_t)status.st_size;
        VEC_PUSH(&all, (struct kept){path, (uint64_t)status.st_size, status.st_mtim});
    }
    if (directory)
        closedir(directory);
    if (all.count)
        qsort(all.data, all.count, sizeof *all.data, oldest_first);
    for (size_t i = 0; i < all.count; i++) {
        if (total > most && i + 1 < all.count && unlink(all.data[i].path) == 0)
            total -= all.data[i].size;
        free(all.data[i].path);
    }
    VEC_DEINIT(&all);
}
