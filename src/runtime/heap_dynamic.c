/*
 * The heap under libc's names, for a dynamic executable.
 *
 * Defined here and exported, so that libc and all libraries call these (glibc
 * lets a program replace malloc).  They pass on to the next definition in
 * search order: libc's, or that of an allocator which the program links.
 * Linked only when the program does not define malloc itself.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/heap.h"

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
    size_t (*usable_size)(void *);
    int state; /* 0 not looked for, 1 looking, 2 found */
} next;

/* dlsym() itself may allocate while it looks; that little is served from here
 * and never freed. */
static char early[16 * 1024] __attribute__((aligned(16)));
static size_t early_used;

static void *early_alloc(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof early - early_used) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = early + early_used;
    early_used += size;
    return block;
}

static int is_early(const void *block) {
    return (uintptr_t)block - (uintptr_t)early < sizeof early;
}

#define FIND(field, name) (*(void **)&next.field = dlsym(RTLD_NEXT, name))

static int find(void) {
    if (__builtin_expect(next.state == 2, 1))
        return 1;
    if (next.state == 1)
        return 0;
    next.state = 1;
    FIND(malloc, "malloc");
    FIND(calloc, "calloc");
    FIND(realloc, "realloc");
    FIND(memalign, "memalign");
    FIND(free, "free");
    FIND(usable_size, "malloc_usable_size");
    if (!next.memalign)
        FIND(memalign, "aligned_alloc");
    next.state = 2;
    return 1;
}

void *__recut_env_malloc(size_t size) { return find() ? next.malloc(size) : early_alloc(size); }

void *__recut_env_calloc(size_t count, size_t size) {
    return find() ? next.calloc(count, size) : early_alloc(count * size);
}

void *__recut_env_realloc(void *block, size_t size) {
    if (!is_early(block) && find())
        return next.realloc(block, size);
    void *copy = __recut_env_malloc(size);
    if (copy && block) {
        size_t most = (size_t)(early + sizeof early - (char *)block);
        memcpy(copy, block, size < most ? size : most);
    }
    return copy;
}

void *__recut_env_memalign(size_t align, size_t size) {
    return find() ? next.memalign(align, size) : NULL;
}

void __recut_env_free(void *block) {
    if (block && !is_early(block) && find())
        next.free(block);
}

size_t __recut_env_usable_size(void *block) {
    return find() && next.usable_size ? next.usable_size(block) : 0;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT void *malloc(size_t size) { return __recut_env_malloc(size); }
EXPORT void *calloc(size_t count, size_t size) { return __recut_env_calloc(count, size); }
EXPORT void *realloc(void *block, size_t size) { return __recut_foreign_realloc(block, size); }
EXPORT void free(void *block) { __recut_foreign_free(block); }
EXPORT void *memalign(size_t align, size_t size) { return __recut_env_memalign(align, size); }
EXPORT void *aligned_alloc(size_t align, size_t size) { return __recut_env_memalign(align, size); }
EXPORT void *valloc(size_t size) { return __recut_env_memalign(4096, size); }
EXPORT void *pvalloc(size_t size) {
    return __recut_env_memalign(4096, (size + 4095) & ~(size_t)4095);
}
EXPORT size_t malloc_usable_size(void *block) { return __recut_foreign_usable_size(block); }
EXPORT int posix_memalign(void **ret, size_t align, size_t size) {
    if (align % sizeof(void *) || align == 0 || (align & (align - 1)))
        return EINVAL;
    void *block = __recut_env_memalign(align, size);
    if (!block)
        return ENOMEM;
    *ret = block;
    return 0;
}
