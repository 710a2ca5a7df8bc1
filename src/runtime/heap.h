/*
 * Two heaps: the program's is the pool, everybody else's (libc and libraries)
 * is whatever it would be without recut.  Memory may be freed by either side.
 */
#ifndef RECUT_RUNTIME_HEAP_H
#define RECUT_RUNTIME_HEAP_H

#include <stddef.h>

/* The heap of the environment. heap_dynamic.c finds it behind the executable
 * (libc's, or jemalloc's if that is linked), heap_static.c in libc.a. */
void *__recut_env_malloc(size_t);
void *__recut_env_calloc(size_t, size_t);
void *__recut_env_realloc(void *, size_t);
void *__recut_env_memalign(size_t, size_t);
void __recut_env_free(void *);
size_t __recut_env_usable_size(void *);

/* What the environment calls under the names of libc: never allocates in the
 * pool, but frees and resizes blocks of it. */
void *__recut_foreign_realloc(void *, size_t);
void __recut_foreign_free(void *);
size_t __recut_foreign_usable_size(void *);

/* What the program calls. */
void *__recut_malloc(size_t);
void *__recut_calloc(size_t, size_t);
void *__recut_realloc(void *, size_t);
void *__recut_reallocarray(void *, size_t, size_t);
void *__recut_memalign(size_t, size_t);
void *__recut_aligned_alloc(size_t, size_t);
int __recut_posix_memalign(void **, size_t, size_t);
void *__recut_valloc(size_t);
void *__recut_pvalloc(size_t);
void __recut_free(void *);
void __recut_cfree(void *);
size_t __recut_malloc_usable_size(void *);

#endif
