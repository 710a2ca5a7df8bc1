/*
 * Paths that the system knows and libc allocates: realpath, getcwd, tempnam and
 * their kin.
 *
 * These are functions of the runtime in every mode, since the program gets what
 * they return from the pool.  What they say comes from the environment: it is
 * logged as text when they are recorded and taken from there in replay.  Where
 * the text goes, and what is allocated for it, is decided below by the same code
 * in both.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/heap.h"
#include "runtime/special_data.h"

char *__realpath_chk(const char *, char *, size_t), *__getcwd_chk(char *, size_t, size_t);

struct path_call {
    enum special special;
    uint64_t from;
    const char *text[2]; /* inputs: strings, then numbers, as the model has them */
    unsigned text_count;
    int64_t number[2];
    unsigned number_count;
    int old_errno;
};

/* Record: the call was made, returned `result` and told `path`, or nothing. */
static void record(const struct path_call *call, const char *result, const char *path) {
    size_t length = path ? strlen(path) : 0;
    if (__recut_env_mode != ENV_RECORD)
        return;
    size_t bound = 64 + length;
    for (unsigned i = 0; i < call->text_count; i++)
        bound += __recut_special_text_bound(call->text[i]);
    unsigned char *p = __recut_special_write(call->special, call->from, call->old_errno, bound);
    if (!p)
        return;
    for (unsigned i = 0; i < call->text_count; i++)
        p = __recut_special_put_text(p, call->text[i]);
    for (unsigned i = 0; i < call->number_count; i++)
        p = put_svarint(p, call->number[i]);
    p = __recut_special_result(p, (intptr_t)result, call->old_errno);
    __recut_special_end(__recut_special_put_object(p, path, length + (path != NULL)));
}

/* Replay: what it told. */
static const char *replay(const struct path_call *call, bool *ret_worked) {
    struct log_reader *log = __recut_special_read(call->special, call->from);
    for (unsigned i = 0; i < call->text_count; i++)
        __recut_special_text(log, "path", call->text[i]);
    for (unsigned i = 0; i < call->number_count; i++)
        __recut_special_input(log, "argument", call->number[i]);
    *ret_worked = __recut_special_take_result(log) != 0;
    size_t size;
    const char *path = (const char *)__recut_special_take_object(log, &size);
    if (path && (size == 0 || path[size - 1] != '\0'))
        log->damaged = true;
    return path;
}

static void replayed(void) { __recut_special_done(&env_thread()->in); }

static char *copy(const char *path) {
    size_t size = strlen(path) + 1;
    char *block = __recut_malloc(size);
    return block ? memcpy(block, path, size) : NULL;
}

/* A call that returns memory of its own: `path` is what libc allocated, or in a
 * replay ignored. */
static char *give(const struct path_call *call, char *path) {
    if (__recut_env_mode == ENV_REPLAY) {
        bool worked;
        const char *told = replay(call, &worked);
        char *given = told ? copy(told) : NULL;
        replayed();
        return given;
    }
    char *given = path ? copy(path) : NULL;
    record(call, given, path);
    __recut_env_free(path);
    return given;
}

/* A call that fills a buffer. */
static char *fill(const struct path_call *call, char *buffer, const char *path, bool worked) {
    if (__recut_env_mode == ENV_REPLAY) {
        path = replay(call, &worked);
        if (path)
            memcpy(buffer, path, strlen(path) + 1);
        replayed();
    } else {
        record(call, worked ? buffer : NULL, path);
    }
    return worked ? buffer : NULL;
}

static bool is_replay(void) { return __recut_env_mode == ENV_REPLAY; }

/* --- realpath ----------------------------------------------------------------------- */

/* When a part of the path is not there, the buffer says which. */
static const char *resolved_part(const char *buffer, const char *result) {
    return result || errno == ENOENT || errno == EACCES ? buffer : NULL;
}

char *__recut_realpath(const char *, char *), *__recut___realpath_chk(const char *, char *, size_t),
    *__recut_canonicalize_file_name(const char *);

char *__recut_realpath(const char *path, char *buffer) {
    SECTION(HERE);
    struct path_call call = {SPECIAL_realpath, HERE, {path}, 1, {0}, 0, errno};
    if (!buffer)
        return give(&call, is_replay() ? NULL : realpath(path, NULL));
    char *result = is_replay() ? NULL : realpath(path, buffer);
    return fill(&call, buffer, resolved_part(buffer, result), result != NULL);
}

char *__recut___realpath_chk(const char *path, char *buffer, size_t size) {
    SECTION(HERE);
    struct path_call call = {SPECIAL___realpath_chk, HERE, {path}, 1, {(int64_t)size}, 1, errno};
    if (!buffer)
        return give(&call, is_replay() ? NULL : realpath(path, NULL));
    char *result = is_replay() ? NULL : __realpath_chk(path, buffer, size);
    return fill(&call, buffer, resolved_part(buffer, result), result != NULL);
}

char *__recut_canonicalize_file_name(const char *path) {
    SECTION(HERE);
    struct path_call call = {SPECIAL_canonicalize_file_name, HERE, {path}, 1, {0}, 0, errno};
    return give(&call, is_replay() ? NULL : canonicalize_file_name(path));
}

/* --- the working directory ------------------------------------------------------------ */

/* Without a buffer and with a size, as much as that is allocated. */
static char *get_directory(const struct path_call *call, char *buffer, size_t size) {
    if (!buffer && size == 0)
        return give(call, is_replay() ? NULL : getcwd(NULL, 0));
    char *into = buffer ? buffer : __recut_malloc(size);
    if (!into)
        return NULL;
    char *result = is_replay() ? NULL : getcwd(into, size);
    result = fill(call, into, result, result != NULL);
    if (!result && !buffer)
        __recut_free(into);
    return result;
}

char *__recut_getcwd(char *, size_t), *__recut___getcwd_chk(char *, size_t, size_t),
    *__recut_get_current_dir_name(void);

char *__recut_getcwd(char *buffer, size_t size) {
    SECTION(HERE);
    struct path_call call = {SPECIAL_getcwd, HERE, {NULL}, 0, {(int64_t)size}, 1, errno};
    return get_directory(&call, buffer, size);
}

char *__recut___getcwd_chk(char *buffer, size_t size, size_t known) {
    SECTION(HERE);
    struct path_call call = {
        SPECIAL___getcwd_chk, HERE, {NULL}, 0, {(int64_t)size, (int64_t)known}, 2, errno};
    if (buffer && known < size)
        return __getcwd_chk(buffer, size, known); /* it does not return */
    return get_directory(&call, buffer, size);
}

char *__recut_get_current_dir_name(void) {
    SECTION(HERE);
    struct path_call call = {SPECIAL_get_current_dir_name, HERE, {NULL}, 0, {0}, 0, errno};
    return give(&call, is_replay() ? NULL : get_current_dir_name());
}

/* --- tempnam -------------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/* Its name warns at link time as dangerous; so it did without us. */
extern char *tempnam(const char *, const char *);
char *__recut_tempnam(const char *, const char *);
char *__recut_tempnam(const char *directory, const char *prefix) {
    SECTION(HERE);
    struct path_call call = {SPECIAL_tempnam, HERE, {directory, prefix}, 2, {0}, 0, errno};
    return give(&call, is_replay() ? NULL : tempnam(directory, prefix));
}
#pragma GCC diagnostic pop
