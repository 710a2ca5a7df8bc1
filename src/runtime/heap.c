/* The heap calls of the program, and how blocks cross; see heap.h. */
#include "runtime/heap.h"

#include <errno.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/access.h"
#include "runtime/answers.h"
#include "runtime/careful.h"
#include "runtime/cut.h"
#include "runtime/env_callback.h"
#include "runtime/pool.h"
#include "runtime/pool_impl.h"
#include "runtime/race.h"
#include "runtime/seen.h"

/* Who asked for a block is told with races on it.  These are called last, and so by a jump:
 * they return to the program, for which the compiler must not know what. */
static __attribute__((noinline)) void *watched(void *block, size_t size) {
    __recut_race_allocated(block, size, __builtin_frame_address(0));
    __asm__ volatile("" : "+r"(block));
    return block;
}

static __attribute__((noinline)) void *watched_malloc(size_t size) {
    void *block = __recut_pool_malloc(size);
    __recut_race_allocated(block, size, __builtin_frame_address(0));
    return block;
}

static __attribute__((noinline)) void *watched_calloc(size_t count, size_t size) {
    void *block = __recut_pool_calloc(count, size);
    __recut_race_allocated(block, count * size, __builtin_frame_address(0));
    return block;
}

static inline bool is_watched(void) { return __builtin_expect(__recut_race_is_on, 0); }

static inline void *handed_out(void *block, size_t size) {
    return is_watched() ? watched(block, size) : block;
}

void *__recut_malloc(size_t size) {
    return is_watched() ? watched_malloc(size) : __recut_pool_malloc(size);
}

void *__recut_calloc(size_t count, size_t size) {
    return is_watched() ? watched_calloc(count, size) : __recut_pool_calloc(count, size);
}

/* In a test it is one of the run that failed: there is what was read of it, if that (seen.h). */
static bool is_of_other_run(const void *block) {
    return __builtin_expect(__recut_answers_given, 0) && !access_is_there(block) &&
           __recut_answers_is_foreign(block);
}

extern char _end[];

/* Does it lead where no block of libc's, or of any other library's, can be?  By the address alone:
 * so the run, its replay and its tests fail in the same way, wherever libc has its heap. */
static bool is_nowhere(const void *block) {
    uint64_t address = (uint64_t)block;
    return address % sizeof(void *) || address >> 47 || address < (uint64_t)_end ||
           (address >= RECUT_ARGS_BASE && address < RECUT_MIRROR_BASE) ||
           (address >= RECUT_THREAD_MACHINE && address < RECUT_BRK_END);
}

/* In a replay the blocks of libraries are not there. */
static void release(const char *call, void *block) {
    if (is_nowhere(block))
        __recut_pool_refuse(call, (uintptr_t)block);
    if (__recut_env_mode != ENV_REPLAY && __recut_cut_mode != CUT_REPLAY && !is_of_other_run(block))
        __recut_env_free(block);
}

/* Who gets the memory next has nothing to do with who had it. */
static void forget(const void *block) {
    __recut_race_forget(block, __recut_pool_usable_size(block));
}

static __attribute__((noinline)) void watched_free(void *block) {
    forget(block);
    __recut_pool_free(block);
}

void __recut_free(void *block) {
    if (__builtin_expect(pool_contains(block), 1))
        is_watched() ? watched_free(block) : __recut_pool_free(block);
    else if (block)
        release("free", block);
}

void __recut_cfree(void *block) { __recut_free(block); }

static size_t readable(const void *block, size_t size) {
    while (size && !__recut_can_read(block, size))
        size /= 2;
    return size;
}

/* A block that libc allocated moves to the pool when the program resizes it. */
static void *take_over(void *block, size_t size) {
    if (is_nowhere(block))
        __recut_pool_refuse("realloc", (uintptr_t)block);
    size_t old = __recut_env_mode == ENV_REPLAY ? size
                 : is_of_other_run(block)       ? readable(block, size)
                                                : __recut_env_usable_size(block);
    void *copy = __recut_pool_malloc(size);
    if (!copy)
        return NULL;
    __recut_adopt(copy, block, old < size ? old : size);
    release("realloc", block);
    return copy;
}

void *__recut_realloc(void *block, size_t size) {
    void *moved;
    if (__builtin_expect(__recut_cut_mode != CUT_OFF, 0) &&
        __recut_cut_resizes(block, size, &moved))
        return moved;
    if (!block || pool_contains(block)) {
        if (is_watched() && block)
            forget(block);
        return handed_out(__recut_pool_realloc(block, size), size);
    }
    if (size == 0) {
        release("realloc", block);
        return NULL;
    }
    return take_over(block, size);
}

void *__recut_reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return __recut_realloc(block, bytes);
}

void *__recut_memalign(size_t align, size_t size) {
    return handed_out(__recut_pool_memalign(align, size), size);
}

void *__recut_aligned_alloc(size_t align, size_t size) {
    return handed_out(__recut_pool_memalign(align, size), size);
}

int __recut_posix_memalign(void **ret, size_t align, size_t size) {
    if (align % sizeof(void *) || align == 0 || (align & (align - 1)))
        return EINVAL;
    int saved = errno;
    void *block = handed_out(__recut_pool_memalign(align, size), size);
    errno = saved;
    if (!block)
        return ENOMEM;
    *ret = block;
    return 0;
}

void *__recut_valloc(size_t size) { return __recut_pool_memalign(4096, size); }

void *__recut_pvalloc(size_t size) {
    return __recut_pool_memalign(4096, (size + 4095) & ~(size_t)4095);
}

size_t __recut_malloc_usable_size(void *block) {
    if (!block)
        return 0;
    return pool_contains(block) ? __recut_pool_usable_size(block) : __recut_env_usable_size(block);
}

/* A library has it in a test, but it is of the run that failed. */
static bool is_put_back(const void *block) {
    return __builtin_expect(__recut_answers_given, 0) && block && __recut_seen_is_put(block);
}

static void *grow_put_back(const void *block, size_t size) {
    void *copy = __recut_env_malloc(size);
    if (copy)
        memcpy(copy, block, readable(block, size));
    return copy;
}

void __recut_foreign_free(void *block) {
    if (pool_contains(block))
        __recut_callback_free(block);
    else if (!is_put_back(block))
        __recut_env_free(block);
}

void *__recut_foreign_realloc(void *block, size_t size) {
    if (is_put_back(block))
        return grow_put_back(block, size);
    if (!pool_contains(block))
        return __recut_env_realloc(block, size);
    if (size == 0) {
        __recut_callback_free(block);
        return NULL;
    }
    size_t old = __recut_pool_usable_size(block);
    void *copy = __recut_env_malloc(size);
    if (!copy)
        return NULL;
    memcpy(copy, block, old < size ? old : size);
    __recut_callback_free(block);
    return copy;
}

size_t __recut_foreign_usable_size(void *block) { return __recut_malloc_usable_size(block); }
