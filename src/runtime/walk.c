/*
 * ftw() and nftw(): a tree of files, each told to a function of the program.
 *
 * libc walks, and for each file calls a function here.  That logs what is told
 * as a part of the call (special_data.h), puts it into a block of the pool and
 * calls the program, which is back in its own code meanwhile.  A replay takes
 * part by part from the log and makes the same calls.
 */
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "runtime/env_callback.h"
#include "runtime/owned.h"
#include "runtime/special_data.h"

typedef int file_function(const char *, const struct stat *, int);
typedef int place_function(const char *, const struct stat *, int, struct FTW *);

struct walk {
    enum special special;
    uint64_t from;
    const char *path;
    void *function;
    bool has_place; /* nftw */
    int descriptors, flags;
    struct env_outside outside;
};

/* What is told of a file: this, and its path. */
struct told {
    struct stat status;
    struct FTW place;
    char path[];
};

static int tell(const struct walk *walk, const struct told *from, size_t size, int type) {
    struct told *told = owned_malloc(size);
    if (!told)
        return -1;
    memcpy(told, from, size);
    int result =
        walk->has_place
            ? ((place_function *)walk->function)(told->path, &told->status, type, &told->place)
            : ((file_function *)walk->function)(told->path, &told->status, type);
    owned_free(told);
    return result;
}

/* --- record ------------------------------------------------------------------------- */

/* libc gives the function no argument to find it by; walks may lie within each
 * other. */
static struct walk *walking;

static int on_place(const char *path, const struct stat *status, int type, struct FTW *place) {
    struct walk *walk = walking;
    size_t size = sizeof(struct told) + strlen(path) + 1;
    struct told *told = __builtin_alloca(size);
    memset(told, 0, sizeof *told);
    if (type != FTW_NS) /* then there is none */
        told->status = *status;
    if (place)
        told->place = *place;
    strcpy(told->path, path);
    __recut_env_come_back(walk->outside);
    __recut_special_part(SPECIAL_ftw_file, walk->from, type, told, size);
    int result = tell(walk, told, size, type);
    walk->outside = __recut_env_go_out();
    walking = walk;
    return result;
}

static int on_file(const char *path, const struct stat *status, int type) {
    return on_place(path, status, type, NULL);
}

static int record(struct walk *walk) {
    struct walk *outer = walking;
    int old = errno, result;
    void *real = __recut_special_real(walk->special);
    walking = walk;
    walk->outside = __recut_env_go_out();
    if (walk->has_place)
        result = ((__typeof__(&nftw))real)(walk->path, on_place, walk->descriptors, walk->flags);
    else
        result = ((__typeof__(&ftw))real)(walk->path, on_file, walk->descriptors);
    __recut_env_come_back(walk->outside);
    walking = outer;
    if (__recut_env_mode != ENV_RECORD)
        return result;
    unsigned char *p = __recut_special_write(walk->special, walk->from, old,
                                             100 + __recut_special_text_bound(walk->path));
    if (!p)
        return result;
    p = __recut_special_put_text(p, walk->path);
    p = put_svarint(p, (intptr_t)walk->function);
    p = put_svarint(p, walk->descriptors);
    if (walk->has_place)
        p = put_svarint(p, walk->flags);
    p = __recut_special_result(p, result, old);
    __recut_special_end(put_varint(p, 0));
    return result;
}

/* --- replay ------------------------------------------------------------------------- */

static int replay(const struct walk *walk) {
    int64_t type;
    const unsigned char *object;
    size_t size;
    while (__recut_special_take_part(SPECIAL_ftw_file, walk->from, &type, &object, &size)) {
        if (size <= sizeof(struct told) || object[size - 1] != '\0')
            __recut_replay_damaged(&env_thread()->in);
        tell(walk, (const struct told *)(const void *)object, size, (int)type);
    }
    struct log_reader *log = __recut_special_read(walk->special, walk->from);
    __recut_special_text(log, "path", walk->path);
    __recut_special_input(log, "function", (intptr_t)walk->function);
    __recut_special_input(log, "descriptors", walk->descriptors);
    if (walk->has_place)
        __recut_special_input(log, "flags", walk->flags);
    int result = (int)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    return result;
}

static int walk_tree(struct walk *walk) {
    if (__recut_is_threaded) /* the program is called in a section */
        __recut_env_stop("ftw", "files are walked in a program with threads");
    return __recut_env_mode == ENV_RECORD ? record(walk) : replay(walk);
}

#define FTW(name)                                                                                  \
    int __recut_special_##name(const char *, file_function *, int);                                \
    int __recut_special_##name(const char *path, file_function *function, int descriptors) {       \
        struct walk walk = {SPECIAL_##name, HERE,        path, (void *)function,                   \
                            false,          descriptors, 0,    {NULL, NULL, 0, NULL}};             \
        return walk_tree(&walk);                                                                   \
    }
FTW(ftw)
FTW(ftw64)

#define NFTW(name)                                                                                 \
    int __recut_special_##name(const char *, place_function *, int, int);                          \
    int __recut_special_##name(const char *path, place_function *function, int descriptors,        \
                               int flags) {                                                        \
        struct walk walk = {SPECIAL_##name, HERE,        path,  (void *)function,                  \
                            true,           descriptors, flags, {NULL, NULL, 0, NULL}};            \
        return walk_tree(&walk);                                                                   \
    }
NFTW(nftw)
NFTW(nftw64)
