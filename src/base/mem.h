/*
 * Memory of the tools: allocation that never fails (out of memory ends the
 * tool with one line) and a growable array.
 */
#ifndef RECUT_BASE_MEM_H
#define RECUT_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

void *mem_alloc(size_t size);                /* uninitialised */
void *mem_zalloc(size_t count, size_t size); /* zeroed */
void *mem_realloc(void *old, size_t count, size_t size);
char *mem_strdup(const char *string);
char *mem_strndup(const char *string, size_t length);
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static inline void mem_cleanup(void *pointer) { free(*(void **)pointer); }
#define CLEANUP_FREE __attribute__((cleanup(mem_cleanup)))

/*
 * A growable array: `VEC(struct edge) edges = {0};`, then edges.data[i] for
 * i < edges.count.  VEC_PUSH evaluates its value once; VEC_DEINIT releases.
 */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *data;                                                                                \
        size_t count, capacity;                                                                    \
    }
#define VEC_PUSH(vec, ...)                                                                         \
    do {                                                                                           \
        if ((vec)->count == (vec)->capacity) {                                                     \
            (vec)->capacity = (vec)->capacity ? 2 * (vec)->capacity : 8;                           \
            (vec)->data = mem_realloc((vec)->data, (vec)->capacity, sizeof *(vec)->data);          \
        }                                                                                          \
        (vec)->data[(vec)->count++] = (__VA_ARGS__);                                               \
    } while (0)
#define VEC_DEINIT(vec)                                                                            \
    do {                                                                                           \
        free((vec)->data);                                                                         \
        (vec)->data = NULL;                                                                        \
        (vec)->count = (vec)->capacity = 0;                                                        \
    } while (0)

#endif
