/*
 * scandir(): a directory, chosen from and sorted by functions of the program.
 *
 * libc reads the directory, without choosing and sorting; the entries are the
 * event.  Choosing, copying and sorting is done here in both modes, and so are
 * the calls into the program: in the order in which glibc makes them, an entry
 * at a time as it is read, then those of a merge sort.
 */
#include <dirent.h>
#include <stdlib.h>

#include "runtime/owned.h"
#include "runtime/special_data.h"

typedef int choose_function(const struct dirent *);
typedef int compare_function(const struct dirent **, const struct dirent **);

struct scan {
    enum special special;
    uint64_t from;
    bool has_at;
    int at;
    const char *path;
    choose_function *choose;
    compare_function *compare;
};

/* --- the entries -------------------------------------------------------------------- */

/* All entries one after the other, each as long as its d_reclen says. */
static char *join(struct dirent **entries, int count, size_t *ret_size) {
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += entries[i]->d_reclen;
    char *block = owned_malloc(size + 1), *p = block;
    for (int i = 0; i < count && block; i++) {
        p = (char *)memcpy(p, entries[i], entries[i]->d_reclen) + entries[i]->d_reclen;
        foreign_free(entries[i]);
    }
    if (p)
        *p = '\0';
    *ret_size = size + 1;
    return block;
}

static int real_scan(const struct scan *scan, struct dirent ***ret) {
    switch (scan->special) {
    case SPECIAL_scandir:
        return REAL(scandir)(scan->path, ret, NULL, NULL);
    case SPECIAL_scandir64: /* struct dirent64 is the same */
        return ((__typeof__(&scandir))__recut_special_real(SPECIAL_scandir64))(scan->path, ret,
                                                                               NULL, NULL);
    default:
        return ((__typeof__(&scandirat))__recut_special_real(scan->special))(scan->at, scan->path,
                                                                             ret, NULL, NULL);
    }
}

static int record(const struct scan *scan, char **ret_block) {
    struct dirent **entries = NULL;
    int old = errno, count = real_scan(scan, &entries), error = errno;
    size_t size = 0;
    *ret_block = NULL;
    if (count >= 0) {
        *ret_block = join(entries, count, &size);
        foreign_free(entries);
    }
    errno = error;
    unsigned char *p = __recut_special_write(scan->special, scan->from, old,
                                             100 + __recut_special_text_bound(scan->path) + size);
    if (p) {
        if (scan->has_at)
            p = put_svarint(p, scan->at);
        p = __recut_special_put_text(p, scan->path);
        p = put_svarint(p, (intptr_t)scan->choose);
        p = put_svarint(p, (intptr_t)scan->compare);
        p = __recut_special_result(p, count, old);
        __recut_special_end(__recut_special_put_object(p, *ret_block, size));
    }
    return count;
}

static int replay(const struct scan *scan, char **ret_block) {
    struct log_reader *log = __recut_special_read(scan->special, scan->from);
    if (scan->has_at)
        __recut_special_input(log, "at", scan->at);
    __recut_special_text(log, "path", scan->path);
    __recut_special_input(log, "choose", (intptr_t)scan->choose);
    __recut_special_input(log, "compare", (intptr_t)scan->compare);
    int count = (int)__recut_special_take_result(log);
    *ret_block = __recut_special_take_block(log);
    __recut_special_done(log);
    return count;
}

/* --- choosing and sorting ------------------------------------------------------------- */

static void merge_sort(struct dirent **list, size_t count, compare_function *compare,
                       struct dirent **spare) {
    if (count < 2)
        return;
    size_t half = count / 2, left = 0, right = half, to = 0;
    merge_sort(list, half, compare, spare);
    merge_sort(list + half, count - half, compare, spare);
    while (left < half && right < count) {
        bool takes_left =
            compare((const struct dirent **)&list[left], (const struct dirent **)&list[right]) <= 0;
        spare[to++] = list[takes_left ? left++ : right++];
    }
    while (left < half)
        spare[to++] = list[left++];
    memcpy(list, spare, to * sizeof *list);
}

static void sort(struct dirent **list, size_t count, compare_function *compare) {
    struct dirent **spare = owned_malloc(count * sizeof *spare);
    if (spare)
        merge_sort(list, count, compare, spare);
    owned_free(spare);
}

static int choose(const struct scan *scan, int count, const char *block, struct dirent ***ret) {
    struct dirent **list = owned_malloc((size_t)(count + 1) * sizeof *list);
    int chosen = 0;
    for (int i = 0; list && i < count; i++) {
        const struct dirent *entry = (const void *)block;
        block += entry->d_reclen;
        if (scan->choose && !scan->choose(entry))
            continue;
        struct dirent *copy = owned_malloc(entry->d_reclen);
        if (copy)
            list[chosen++] = memcpy(copy, entry, entry->d_reclen);
    }
    if (list && scan->compare)
        sort(list, (size_t)chosen, scan->compare);
    *ret = list;
    return list ? chosen : -1;
}

static int scan_directory(const struct scan *scan, struct dirent ***ret) {
    char *block;
    int count = __recut_env_mode == ENV_RECORD ? record(scan, &block) : replay(scan, &block);
    int error = errno;
    if (count >= 0) {
        count = choose(scan, count, block, ret);
        errno = error; /* what the program's functions do to it is not seen */
    }
    owned_free(block);
    return count;
}

#define SCANDIR(name)                                                                              \
    int __recut_special_##name(const char *, struct dirent ***, choose_function *,                 \
                               compare_function *);                                                \
    int __recut_special_##name(const char *path, struct dirent ***ret, choose_function *chooses,   \
                               compare_function *compare) {                                        \
        struct scan scan = {SPECIAL_##name, HERE, false, 0, path, chooses, compare};               \
        return scan_directory(&scan, ret);                                                         \
    }
SCANDIR(scandir)
SCANDIR(scandir64)

#define SCANDIRAT(name)                                                                            \
    int __recut_special_##name(int, const char *, struct dirent ***, choose_function *,            \
                               compare_function *);                                                \
    int __recut_special_##name(int at, const char *path, struct dirent ***ret,                     \
                               choose_function *chooses, compare_function *compare) {              \
        struct scan scan = {SPECIAL_##name, HERE, true, at, path, chooses, compare};               \
        return scan_directory(&scan, ret);                                                         \
    }
SCANDIRAT(scandirat)
SCANDIRAT(scandirat64)
