/*
 * Functions of libc that return memory which the caller frees: the program gets
 * it from the pool.
 *
 * libc does the work in its own memory and the result is copied, unless doing
 * it here is simpler.  Those that ask for a path are in heap_path.c.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "runtime/heap.h"
#include "runtime/special.h"
#include "runtime/stream_in.h"

char *__recut_strdup(const char *), *__recut___strdup(const char *);
char *__recut_strndup(const char *, size_t), *__recut___strndup(const char *, size_t);
wchar_t *__recut_wcsdup(const wchar_t *);

char *__recut_strdup(const char *string) {
    size_t size = strlen(string) + 1;
    char *copy = __recut_malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

char *__recut___strdup(const char *string) { return __recut_strdup(string); }

char *__recut_strndup(const char *string, size_t most) {
    size_t length = strnlen(string, most);
    char *copy = __recut_malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, string, length);
}

char *__recut___strndup(const char *string, size_t most) { return __recut_strndup(string, most); }

wchar_t *__recut_wcsdup(const wchar_t *string) {
    size_t size = (wcslen(string) + 1) * sizeof *string;
    wchar_t *copy = __recut_malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

int __recut_vasprintf(char **, const char *, va_list), __recut_asprintf(char **, const char *, ...);
int __recut___vasprintf_chk(char **, int, const char *, va_list),
    __recut___asprintf_chk(char **, int, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list);

static int adopt_printed(int length, char *string, char **ret) {
    if (length < 0)
        return length;
    char *copy = __recut_malloc((size_t)length + 1);
    if (copy)
        memcpy(copy, string, (size_t)length + 1);
    __recut_env_free(string);
    *ret = copy;
    return copy ? length : -1;
}

int __recut_vasprintf(char **ret, const char *format, va_list args) {
    char *string = NULL;
    int length = vasprintf(&string, format, args);
    return adopt_printed(length, string, ret);
}

int __recut_asprintf(char **ret, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = __recut_vasprintf(ret, format, args);
    va_end(args);
    return length;
}

int __recut___vasprintf_chk(char **ret, int flag, const char *format, va_list args) {
    char *string = NULL;
    int length = __vasprintf_chk(&string, flag, format, args);
    return adopt_printed(length, string, ret);
}

int __recut___asprintf_chk(char **ret, int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = __recut___vasprintf_chk(ret, flag, format, args);
    va_end(args);
    return length;
}

ssize_t __recut_getline(char **, size_t *, FILE *),
    __recut_getdelim(char **, size_t *, int, FILE *),
    __recut___getdelim(char **, size_t *, int, FILE *);

static ssize_t get_line(char **ret, size_t *size, int delimiter, FILE *file, uint64_t from) {
    if (!ret || !size) {
        errno = EINVAL;
        return -1;
    }
    char *line;
    ssize_t length = __recut_stream_line(file, delimiter, from, &line);
    if (!*ret || *size == 0 || (length >= 0 && *size < (size_t)length + 1)) {
        size_t wanted = *ret && *size ? 2 * *size : 120; /* as glibc grows it */
        if (length >= 0 && wanted < (size_t)length + 1)
            wanted = (size_t)length + 1;
        char *grown = __recut_realloc(*ret, wanted);
        if (!grown)
            return -1;
        *ret = grown;
        *size = wanted;
    }
    if (length >= 0) {
        memcpy(*ret, line, (size_t)length);
        (*ret)[length] = '\0';
    }
    return length;
}

ssize_t __recut_getdelim(char **ret, size_t *size, int delimiter, FILE *file) {
    return get_line(ret, size, delimiter, file, HERE);
}

ssize_t __recut_getline(char **ret, size_t *size, FILE *file) {
    return get_line(ret, size, '\n', file, HERE);
}

ssize_t __recut___getdelim(char **ret, size_t *size, int delimiter, FILE *file) {
    return get_line(ret, size, delimiter, file, HERE);
}
