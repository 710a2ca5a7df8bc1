/*
 * The heap of a canonical program: a pool at fixed addresses.
 *
 * Calls of the program to malloc and its relatives come here.  What a call
 * returns depends only on the heap calls that the same thread made before: not
 * on address space randomisation, not on time, and not on other threads, with
 * one exception: a block that is freed by another thread than the one that
 * allocated it becomes free for reuse at a moment that depends on both.
 *
 * Promises
 *  - Every block is aligned to 16 bytes; malloc(0) gives a block of its own.
 *  - NULL with errno = ENOMEM when there is no memory; the pool stays usable.
 *    A call that succeeds, and free, leave errno as it was.
 *  - realloc(p, 0) frees p and returns NULL, as glibc does.
 *  - Nothing the program does to its blocks, live or freed, can harm the pool:
 *    all of the pool's own data lies elsewhere (RECUT_TABLES_BASE).
 *  - Freeing what is not a live block says so on stderr and aborts.
 *
 * Life cycle: there is nothing to initialise.  A thread's first call takes the
 * arena of its slot (__recut_self.slot), so the slot must be set before, and no
 * two live threads may have the same one.  __recut_pool_thread_exit is to be a
 * thread's last call, before its slot is given to another thread.
 *
 * None of this is async-signal-safe, as malloc never was.
 *
 * pool_impl.h draws how it works.
 */
#ifndef RECUT_RUNTIME_POOL_H
#define RECUT_RUNTIME_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"

void *__recut_pool_malloc(size_t size);
void *__recut_pool_calloc(size_t count, size_t size);
/* `block` is NULL or a block of the pool; it may belong to another thread. */
void *__recut_pool_realloc(void *block, size_t size);
/* `align` is a power of two; one that is not gives NULL with errno = EINVAL. */
void *__recut_pool_memalign(size_t align, size_t size);
/* `block` is NULL or a block of the pool, allocated by any thread. */
void __recut_pool_free(void *block);
size_t __recut_pool_usable_size(const void *block);

/* True for every address a block can have; what lies there is not looked at. */
static inline bool pool_contains(const void *p) {
    return (uintptr_t)p - RECUT_POOL_BASE < RECUT_POOL_END - RECUT_POOL_BASE;
}

/*
 * The object that holds `interior`.  A freed object is found too, until its
 * memory is used for blocks of another size.  Any address may be asked for.
 * The outputs are untouched if the answer is false.
 */
bool __recut_pool_find(const void *interior, void **start, size_t *size);

/* All memory that holds blocks, live or freed, by address within an arena. */
typedef void pool_visit(const void *memory, size_t size, void *data);
void __recut_pool_visit(pool_visit *visit, void *data);

/* Around fork(), in the thread that calls it. */
void __recut_pool_fork_child(void);

void __recut_pool_thread_exit(void);

/* The tables of this slot's arena are those of another run of the program: maps what they speak
 * of.  False if that cannot be. */
bool __recut_pool_restore(uint32_t slot);

/* What threads do to each other's arenas, in an order that others keep: around each
 * such operation.  `begin` is false where none may take place now; then it does not.
 * NULL: any order will do. */
struct pool_order {
    bool (*begin)(void);
    void (*end)(void);
};
extern const struct pool_order *__recut_pool_order;
/* Two sides that share the pool and have arenas of their own (cut.h); NULL: there is one.  A block
 * of another arena is freed: was that it?  Around what others may do to the arena or besides it:
 * false, if there is nothing to be kept in order.  Arenas of slots from `first_slot` on have the
 * upper half of what is shared. */
struct pool_arena;
struct pool_border {
    bool (*frees)(void *block);
    bool (*begin)(const struct pool_arena *arena);
    void (*end)(void);
    uint32_t first_slot;
};
extern const struct pool_border *__recut_pool_border;
/* Gives back what this thread freed of other threads' blocks. */
void __recut_pool_remote_flush(void);

/* Sums over all arenas; exact if no other thread is using the pool. */
struct pool_stats {
    size_t arenas;       /* arenas ever used */
    size_t live_blocks;  /* freed by another thread and not yet seen: still live */
    size_t live_bytes;   /* with what was rounded up */
    size_t span_bytes;   /* pages that hold blocks, live or not */
    size_t free_bytes;   /* pages that hold none and were used before */
    size_t dirty_bytes;  /* the part of free_bytes that still occupies memory */
    size_t mapped_bytes; /* all that was mapped for blocks */
    size_t table_bytes;  /* mapped for the pool's own data */
};
void __recut_pool_stats(struct pool_stats *ret);

#endif
