/*
 * The heap under libc's names, for a static executable: the linker sends every
 * call of libc.a and of other archives here (--wrap) and gives us libc's own
 * under __real_.
 */
#include <malloc.h>
#include <stdlib.h>

#include "runtime/heap.h"

void *__real_realloc(void *, size_t);
void __real_free(void *);
size_t __real_malloc_usable_size(void *);

void *__recut_env_malloc(size_t size) { return malloc(size); }
void *__recut_env_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__recut_env_realloc(void *block, size_t size) { return __real_realloc(block, size); }
void *__recut_env_memalign(size_t align, size_t size) { return memalign(align, size); }
void __recut_env_free(void *block) { __real_free(block); }
size_t __recut_env_usable_size(void *block) { return __real_malloc_usable_size(block); }

void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);
size_t __wrap_malloc_usable_size(void *);

void *__wrap_realloc(void *block, size_t size) { return __recut_foreign_realloc(block, size); }
void __wrap_free(void *block) { __recut_foreign_free(block); }
size_t __wrap_malloc_usable_size(void *block) { return __recut_foreign_usable_size(block); }
