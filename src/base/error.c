/* Errors as values; see error.h. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct error *error_new(enum error_code code, const char *format, ...) {
    struct error *err = mem_alloc(sizeof *err);
    va_list args;
    va_start(args, format);
    err->code = code;
    err->message = mem_vprintf(format, args);
    va_end(args);
    return err;
}

void error_free(struct error *err) {
    if (!err)
        return;
    free(err->message);
    free(err);
}

struct error *error_errno(const char *format, ...) {
    int saved = errno;
    va_list args;
    va_start(args, format);
    char *what = mem_vprintf(format, args);
    va_end(args);
    struct error *err = error_new(ERROR_FAILED, "%s: %s", what, strerror(saved));
    free(what);
    return err;
}

struct error *error_in(struct error *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *context = mem_vprintf(format, args);
    va_end(args);
    char *message = mem_printf("%s: %s", context, err->message);
    free(context);
    free(err->message);
    err->message = message;
    return err;
}

void bug_at(const char *file, int line, const char *format, ...) {
    va_list args;
    fprintf(stderr, "recut: bug at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("\n", stderr);
    exit(ERROR_BUG);
}
