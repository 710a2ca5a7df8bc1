/* Allocation that never fails; see mem.h. */
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static _Noreturn void out_of_memory(void) {
    fputs("recut: out of memory\n", stderr);
    exit(1);
}

void *mem_alloc(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_zalloc(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_realloc(void *old, size_t count, size_t size) {
    size_t bytes;
    void *p;
    if (__builtin_mul_overflow(count, size, &bytes) || !(p = realloc(old, bytes ? bytes : 1)))
        out_of_memory();
    return p;
}

char *mem_strdup(const char *string) { return mem_strndup(string, strlen(string)); }

char *mem_strndup(const char *string, size_t length) {
    char *copy = mem_alloc(length + 1);
    if (length) /* nothing may be nowhere */
        memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

char *mem_vprintf(const char *format, va_list args) {
    char *string;
    if (vasprintf(&string, format, args) < 0)
        out_of_memory();
    return string;
}

char *mem_printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *string = mem_vprintf(format, args);
    va_end(args);
    return string;
}
