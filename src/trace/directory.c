/* Where traces live; see directory.h. */
#include "trace/directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "trace/pack.h"
#include "trace/trace.h"

struct error *trace_directory(char **ret) {
    const char *own = getenv("RECUT_TRACE_DIR"), *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (own && *own)
        *ret = mem_strdup(own);
    else if (data && *data)
        *ret = mem_printf("%s/recut", data);
    else if (home && *home)
        *ret = mem_printf("%s/.local/share/recut", home);
    else
        return error_new(ERROR_FAILED,
                         "where do traces live? neither RECUT_TRACE_DIR nor HOME is set");
    return NULL;
}

/* The number of "NAME-NUMBER", and how long NAME is; false for another name. */
static bool split_name(const char *name, size_t *ret_length, unsigned long *ret_number) {
    const char *dash = strrchr(name, '-');
    if (!dash || dash == name || !isdigit((unsigned char)dash[1]) || strlen(dash + 1) > 9)
        return false;
    char *end;
    *ret_number = strtoul(dash + 1, &end, 10);
    *ret_length = (size_t)(dash - name);
    return *end == '\0';
}

static int by_name_and_number(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t x_length, y_length;
    unsigned long x_number, y_number;
    split_name(x, &x_length, &x_number);
    split_name(y, &y_length, &y_number);
    int order = strncmp(x, y, x_length < y_length ? x_length : y_length);
    if (order != 0 || x_length != y_length)
        return order ? order : x_length < y_length ? -1 : 1;
    return x_number < y_number ? -1 : x_number > y_number;
}

struct error *trace_names(char ***ret) {
    char *path CLEANUP_FREE = NULL;
    struct error *err = trace_directory(&path);
    if (err)
        return err;
    VEC(char *) names = {0};
    DIR *directory = opendir(path);
    if (!directory && errno != ENOENT)
        return error_errno("cannot open %s", path);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        size_t length;
        unsigned long number;
        struct stat st;
        if (split_name(entry->d_name, &length, &number) &&
            fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(st.st_mode))
            VEC_PUSH(&names, mem_strdup(entry->d_name));
    }
    if (directory)
        closedir(directory);
    if (names.count)
        qsort(names.data, names.count, sizeof *names.data, by_name_and_number);
    VEC_PUSH(&names, NULL);
    *ret = names.data;
    return NULL;
}

void trace_names_free(char **names) {
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

/* The target is put in place at once: there is always a latest-trace. */
static struct error *set_latest(const char *directory, const char *target) {
    char *link CLEANUP_FREE = mem_printf("%s/%s", directory, TRACE_LATEST_NAME);
    char *temp CLEANUP_FREE = mem_printf("%s.%ld.tmp", link, (long)getpid());
    unlink(temp);
    if (symlink(target, temp) != 0 || rename(temp, link) != 0) {
        struct error *err = error_errno("cannot write %s", link);
        unlink(temp);
        return err;
    }
    return NULL;
}

/* Two recordings may begin at once: the directory decides who has the number. */
static struct error *create_next(const char *directory, const char *program, char **ret_name) {
    const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
    size_t length = strlen(base);
    char **names = NULL;
    struct error *err = trace_names(&names);
    if (err)
        return err;
    unsigned long next = 0;
    for (size_t i = 0; names[i]; i++) {
        size_t own;
        unsigned long number;
        if (split_name(names[i], &own, &number) && own == length &&
            strncmp(names[i], base, length) == 0 && number >= next)
            next = number + 1;
    }
    trace_names_free(names);
    for (;; next++) {
        char *name = mem_printf("%s-%lu", base, next);
        char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name);
        if (mkdir(path, 0700) == 0) {
            *ret_name = name;
            return NULL;
        }
        free(name);
        if (errno != EEXIST)
            return error_errno("cannot create %s", path);
    }
}

static struct error *create_at(const char *path) {
    if (mkdir(path, 0700) == 0)
        return NULL;
    if (errno != EEXIST)
        return error_errno("cannot create %s", path);
    DIR *directory = opendir(path);
    if (!directory)
        return error_errno("cannot open %s", path);
    const struct dirent *entry;
    bool is_empty = true;
    while ((entry = readdir(directory)))
        is_empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(directory);
    return is_empty ? NULL : error_new(ERROR_FAILED, "%s is not empty", path);
}

struct error *trace_create(const char *program, const char *directory, char **ret_path) {
    char *all CLEANUP_FREE = NULL, *target CLEANUP_FREE = NULL;
    struct error *err = trace_directory(&all);
    if (!err)
        err = io_make_dirs(all);
    /* A trace that has a place of its own does not need the directory of all. */
    struct error *no_directory CLEANUP_ERROR = directory ? err : NULL;
    err = directory ? NULL : err;
    if (!err && !directory)
        err = create_next(all, program, &target);
    if (!err && directory)
        err = create_at(directory);
    if (!err && directory) {
        target = realpath(directory, NULL);
        if (!target)
            err = error_errno("cannot find %s", directory);
    }
    if (!err && !no_directory)
        err = set_latest(all, target);
    if (err)
        return err;
    char *path CLEANUP_FREE = directory ? mem_strdup(target) : mem_printf("%s/%s", all, target);
    char *real = realpath(path, NULL);
    if (!real)
        return error_errno("cannot find %s", path);
    *ret_path = real;
    return NULL;
}

struct error *trace_hold(const char *path, int *ret_fd) {
    char *header CLEANUP_FREE = mem_printf("%s/%s", path, TRACE_HEADER_NAME);
    int fd = open(header, O_RDONLY);
    /* Somebody who only asks has it for a moment; so wait. */
    while (fd >= 0 && flock(fd, LOCK_SH) != 0)
        if (errno != EINTR) {
            struct error *err = error_errno("cannot lock %s", header);
            close(fd);
            return err;
        }
    if (fd < 0)
        return error_errno("cannot open %s", header);
    *ret_fd = fd;
    return NULL;
}

char *trace_file(const char *directory, const char *name) {
    char *own = mem_printf("%s/%s", directory, name);
    char *header CLEANUP_FREE = mem_printf("%s/%s", directory, TRACE_HEADER_NAME);
    if (access(own, F_OK) == 0 || access(header, F_OK) == 0)
        return own;
    char *real CLEANUP_FREE = realpath(directory, NULL);
    const char *base = real ? strrchr(real, '/') : NULL;
    if (!base || strncmp(base + 1, TRACE_CHILD_PREFIX, strlen(TRACE_CHILD_PREFIX)) != 0)
        return own;
    free(own);
    return mem_printf("%.*s/%s", (int)(base - real), real, name);
}

bool trace_is_at(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode))
        return pack_is_at(path);
    char *header CLEANUP_FREE = trace_file(path, TRACE_HEADER_NAME);
    int fd = open(header, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    uint64_t magic = 0;
    bool is_trace =
        fd >= 0 && read(fd, &magic, sizeof magic) == sizeof magic && magic == TRACE_MAGIC;
    if (fd >= 0)
        close(fd);
    return is_trace;
}

struct error *trace_resolve(const char *argument, char **ret_path) {
    char *all CLEANUP_FREE = NULL;
    struct error *err = trace_directory(&all);
    if (!argument) {
        if (err)
            return err;
        char *link CLEANUP_FREE = mem_printf("%s/%s", all, TRACE_LATEST_NAME);
        char *path = realpath(link, NULL);
        if (!path)
            return error_new(ERROR_FAILED, "no trace yet in %s: `recut record PROG` makes one",
                             all);
        *ret_path = path;
        return NULL;
    }
    error_free(err);
    if (!trace_is_at(argument) && !err && !strchr(argument, '/') && *argument) {
        char *path = mem_printf("%s/%s", all, argument);
        if (access(path, F_OK) == 0) {
            *ret_path = path;
            return NULL;
        }
        free(path);
        if (access(argument, F_OK) != 0)
            return error_new(ERROR_FAILED, "no trace %s, neither here nor in %s", argument, all);
    }
    *ret_path = mem_strdup(argument);
    return NULL;
}

struct error *trace_repair_latest(void) {
    char *all CLEANUP_FREE = NULL;
    char **names = NULL;
    struct error *err = trace_directory(&all);
    if (err)
        return err;
    char *link CLEANUP_FREE = mem_printf("%s/%s", all, TRACE_LATEST_NAME);
    struct stat st;
    if (lstat(link, &st) != 0 || stat(link, &st) == 0)
        return NULL;
    err = trace_names(&names);
    if (err)
        return err;
    const char *newest = NULL;
    struct timespec best = {0};
    for (size_t i = 0; names[i]; i++) {
        char *path CLEANUP_FREE = mem_printf("%s/%s/%s", all, names[i], TRACE_HEADER_NAME);
        if (stat(path, &st) == 0 &&
            (!newest || st.st_mtim.tv_sec > best.tv_sec ||
             (st.st_mtim.tv_sec == best.tv_sec && st.st_mtim.tv_nsec >= best.tv_nsec))) {
            newest = names[i];
            best = st.st_mtim;
        }
    }
    if (newest)
        err = set_latest(all, newest);
    else if (unlink(link) != 0)
        err = error_errno("cannot remove %s", link);
    trace_names_free(names);
    return err;
}
