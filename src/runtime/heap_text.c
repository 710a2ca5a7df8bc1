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
#include "runtime/locale.h"
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

int __recut_vasprintf(char **, const char *, va_list), __recut_asprintf(char **, const char *, ...),
    __recut___asprintf(char **, const char *, ...);
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

/* In a locale that a replay does not have, the text is in the log. */
static void log_printed(uint64_t from, int old, const char *format, int length,
                        const char *string) {
    size_t size = length < 0 ? 0 : (size_t)length, format_length = strlen(format);
    unsigned char *p =
        __recut_special_write(SPECIAL_asprintf, from, old, 100 + format_length + size);
    if (!p)
        return;
    p = put_raw(put_varint(p, 1 + format_length), format, format_length);
    p = __recut_special_result(p, length, old);
    p = put_bytes(put_varint(put_varint(p, 1), OUTPUT_TEXT), size ? string : "", size);
    __recut_special_end(p);
}

static int replay_printed(uint64_t from, char **ret) {
    struct log_reader *log = __recut_special_read(SPECIAL_asprintf, from);
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    int length = (int)__recut_special_take_result(log);
    size_t size;
    if (get_varint(log) != 1 || get_varint(log) != OUTPUT_TEXT)
        log->damaged = true;
    const unsigned char *text = get_bytes(log, &size);
    char *copy = length < 0 || !text ? NULL : __recut_malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
        *ret = copy;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return copy ? length : -1;
}

/* `flag` is that of the checked functions, -1 for the others. */
static int print_text(char **ret, int flag, const char *format, va_list args, uint64_t from) {
    bool is_logged = __recut_env_mode != ENV_OFF && __recut_locale_changes(format);
    if (is_logged && __recut_env_mode == ENV_REPLAY)
        return replay_printed(from, ret);
    char *string = NULL;
    int old = errno;
    int length =
        flag < 0 ? vasprintf(&string, format, args) : __vasprintf_chk(&string, flag, format, args);
    int result = adopt_printed(length, string, ret);
    if (is_logged)
        log_printed(from, old, format, result, result < 0 ? "" : *ret);
    return result;
}

int __recut_vasprintf(char **ret, const char *format, va_list args) {
    return print_text(ret, -1, format, args, HERE);
}

int __recut_asprintf(char **ret, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = print_text(ret, -1, format, args, HERE);
    va_end(args);
    return length;
}

int __recut___asprintf(char **ret, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = print_text(ret, -1, format, args, HERE);
    va_end(args);
    return length;
}

int __recut___vasprintf_chk(char **ret, int flag, const char *format, va_list args) {
    return print_text(ret, flag, format, args, HERE);
}

int __recut___asprintf_chk(char **ret, int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = print_text(ret, flag, format, args, HERE);
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
    ssize_t length = __recut_stream_line(file, delimiter, from, *ret, *size, &line);
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
    SECTION(HERE);
    return get_line(ret, size, delimiter, file, HERE);
}

ssize_t __recut_getline(char **ret, size_t *size, FILE *file) {
    SECTION(HERE);
    return get_line(ret, size, '\n', file, HERE);
}

ssize_t __recut___getdelim(char **ret, size_t *size, int delimiter, FILE *file) {
    SECTION(HERE);
    return get_line(ret, size, delimiter, file, HERE);
}
