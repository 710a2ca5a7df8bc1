/*
 * Memory that the program owns and frees, for what the environment hands over.
 *
 * The pool, or, where the program brings a malloc of its own, that: then the pool
 * is not linked at all, which is why its functions are only wished for here.
 */
#ifndef RECUT_RUNTIME_OWNED_H
#define RECUT_RUNTIME_OWNED_H

#include <stdlib.h>

void *__recut_malloc(size_t) __attribute__((weak));
void *__recut_calloc(size_t, size_t) __attribute__((weak));
void *__recut_realloc(void *, size_t) __attribute__((weak));
void __recut_free(void *) __attribute__((weak));
void *__recut_env_malloc(size_t) __attribute__((weak));
void __recut_env_free(void *) __attribute__((weak));

static inline void *owned_malloc(size_t size) {
    return __recut_malloc ? __recut_malloc(size) : malloc(size);
}

static inline void *owned_calloc(size_t count, size_t size) {
    return __recut_calloc ? __recut_calloc(count, size) : calloc(count, size);
}

static inline void *owned_realloc(void *block, size_t size) {
    return __recut_realloc ? __recut_realloc(block, size) : realloc(block, size);
}

static inline void owned_free(void *block) { __recut_free ? __recut_free(block) : free(block); }

/* Memory of libc's, which the program does not see. */
static inline void *foreign_malloc(size_t size) {
    return __recut_env_malloc ? __recut_env_malloc(size) : malloc(size);
}

static inline void foreign_free(void *block) {
    __recut_env_free ? __recut_env_free(block) : free(block);
}

#endif
