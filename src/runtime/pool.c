/*
 * malloc, free and the rest of the family.
 *
 * These are the paths that every heap call of the program takes, so they are
 * short: malloc reads its class and takes the lowest bit of a word; free finds
 * the span of its block and sets a bit, having made sure that there was a live
 * block.  A block that is freed before its thread allocates another is not even
 * looked up: its bit goes back to where it was.  All else is behind a call: a
 * word that is used up (pool_span.c), one that was 0 or becomes whole (the
 * same), blocks of other arenas (pool_remote.c), large blocks (pool_large.c).
 *
 * Words of bitmaps are read and written as relaxed atomics because another
 * thread may look at one to refuse a double free; only the arena's own thread
 * writes them.
 */
#include "runtime/pool.h"

#include <errno.h>
#include <string.h>

#include "runtime/pool_impl.h"

static inline __attribute__((always_inline)) void *take(struct pool_arena *a, unsigned class) {
    struct pool_bin *bin = &a->bin[class];
    uint64_t bits = __atomic_load_n(bin->word, __ATOMIC_RELAXED);
    if (POOL_UNLIKELY(bits == 0))
        return __recut_pool_refill(a, class);
    __atomic_store_n(bin->word, bits & (bits - 1), __ATOMIC_RELAXED);
    a->last = bin->base + (unsigned)__builtin_ctzll(bits) * bin->size;
    a->last_word = bin->word;
    a->last_bits = bits;
    return (void *)a->last;
}

/* Everything but small blocks of a thread that has its arena. */
static __attribute__((noinline)) void *malloc_slowly(size_t size, bool *zero) {
    struct pool_arena *a = __recut_pool_attach();
    if (a == NULL)
        return NULL;
    if (size <= POOL_SMALL_MAX)
        return take(a, pool_class_of(size));
    void *block = __recut_pool_large(a, size, 1, zero);
    if (block == NULL)
        errno = ENOMEM;
    return block;
}

static __attribute__((noinline)) void *malloc_other(size_t size) {
    bool zero;
    return malloc_slowly(size, &zero);
}

void *__recut_pool_malloc(size_t size) {
    struct pool_arena *a = __recut_self.arena;
    if (POOL_LIKELY(size <= POOL_TABLED) && POOL_LIKELY(a != NULL))
        return take(a, __recut_pool_class_of[(size + 15) / 16]);
    return malloc_other(size);
}

void *__recut_pool_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    struct pool_arena *a = __recut_self.arena;
    bool zero = false;
    void *block = POOL_LIKELY(bytes <= POOL_TABLED) && POOL_LIKELY(a != NULL)
                      ? take(a, __recut_pool_class_of[(bytes + 15) / 16])
                      : malloc_slowly(bytes, &zero);
    if (block != NULL && !zero)
        memset(block, 0, bytes);
    return block;
}

/* Frees a block of the arena's, which is the calling thread's. */
static inline __attribute__((always_inline)) void put(struct pool_arena *a, uintptr_t p) {
    struct pool_span *s = pool_span_of(p);
    uint64_t offset = p - s->start;
    unsigned __int128 product = (unsigned __int128)offset * s->recip;
    if (POOL_UNLIKELY(offset >= s->bytes || (uint64_t)product >= s->recip))
        __recut_pool_refuse("free", p);
    uint64_t index = (uint64_t)(product >> 64);
    uint64_t *word = &s->free[index / 64];
    uint64_t bit = 1ULL << (index % 64);
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (POOL_UNLIKELY(old & bit))
        __recut_pool_refuse("free", p);
    __atomic_store_n(word, old | bit, __ATOMIC_RELAXED);
    if (POOL_UNLIKELY(old == 0 || (old | bit) == s->whole))
        __recut_pool_settle(a, s, (unsigned)(index / 64));
}

/* The block is in the shared range or another arena's, or nowhere. */
static __attribute__((noinline)) void free_other(uintptr_t p) {
    if (p == 0)
        return;
    struct pool_arena *owner = __recut_pool_owner(p);
    if (owner == NULL && __recut_pool_border && __recut_pool_border->frees((void *)p))
        return;
    if (owner == NULL)
        __recut_pool_refuse("free", p);
    /* The block may be from an earlier thread in this slot, whose arena is this
     * thread's from its first call on. */
    if (owner == __recut_pool_attach())
        put(owner, p);
    else if (!__recut_pool_border || !__recut_pool_border->frees((void *)p))
        __recut_pool_remote_free(owner, p);
}

void __recut_pool_free(void *block) {
    struct pool_arena *a = __recut_self.arena;
    uintptr_t p = (uintptr_t)block;
    if (POOL_UNLIKELY(a == NULL || p == 0)) {
        free_other(p);
    } else if (p == a->last) {
        /* Short-lived blocks.  The word is still the one its class allocates from,
         * so neither it nor its span changes state. */
        uint64_t bits = __atomic_load_n(a->last_word, __ATOMIC_RELAXED);
        __atomic_store_n(a->last_word, bits | (a->last_bits & -a->last_bits), __ATOMIC_RELAXED);
        a->last = 0;
    } else if (POOL_LIKELY(pool_is_own(a, p))) {
        put(a, p);
    } else {
        free_other(p);
    }
}

/* The span of a live block of any arena. */
static struct pool_span *span_of_block(const char *call, uintptr_t p) {
    const struct pool_arena *a = __recut_self.arena;
    if ((a == NULL || !pool_is_own(a, p)) && __recut_pool_owner(p) == NULL)
        __recut_pool_refuse(call, p);
    struct pool_span *s = pool_span_of(p);
    uint64_t offset = p - s->start;
    unsigned __int128 product = (unsigned __int128)offset * s->recip;
    uint64_t index = (uint64_t)(product >> 64);
    if (offset >= s->bytes || (uint64_t)product >= s->recip ||
        (__atomic_load_n(&s->free[index / 64], __ATOMIC_RELAXED) >> (index % 64) & 1))
        __recut_pool_refuse(call, p);
    return s;
}

size_t __recut_pool_usable_size(const void *block) {
    return block == NULL ? 0 : span_of_block("malloc_usable_size", (uintptr_t)block)->size;
}

/*
 * In place if the block would get its own size again, or is to shrink by less
 * than half; a large block also if the pages behind it allow.
 */
void *__recut_pool_realloc(void *block, size_t size) {
    if (block == NULL)
        return __recut_pool_malloc(size);
    struct pool_span *s = span_of_block("realloc", (uintptr_t)block);
    if (size == 0) {
        __recut_pool_free(block);
        return NULL;
    }
    size_t have = s->size, ask = size;
    if (s->class != POOL_LARGE) {
        if (size <= have && size > have / 2)
            return block;
    } else if (size > POOL_SMALL_MAX && size <= POOL_TOO_MUCH) {
        struct pool_arena *a = __recut_pool_attach();
        if (a != NULL && __recut_pool_owner((uintptr_t)block) == a &&
            __recut_pool_large_resize(a, s, size))
            return block;
        if (size > have)
            ask = size + size / 8;
    }
    void *moved = __recut_pool_malloc(ask);
    if (moved == NULL && ask != size)
        moved = __recut_pool_malloc(size);
    if (moved == NULL)
        return size <= have ? block : NULL;
    memcpy(moved, block, size < have ? size : have);
    __recut_pool_free(block);
    return moved;
}

void *__recut_pool_memalign(size_t align, size_t size) {
    if (align == 0 || (align & (align - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    struct pool_arena *a = __recut_pool_attach();
    if (a == NULL)
        return NULL;
    /* Blocks of a class are as aligned as its size, up to a page.  Every power
     * of two is the size of some class. */
    if (align <= POOL_PAGE && size <= POOL_SMALL_MAX) {
        unsigned class = pool_class_of(size < align ? align : size);
        while ((__recut_pool_class[class].size & (align - 1)) != 0)
            class ++;
        return take(a, class);
    }
    bool zero;
    void *block = __recut_pool_large(a, size, align, &zero);
    if (block == NULL)
        errno = ENOMEM;
    return block;
}
