/*
 * Whose arena is this, and what do threads and fork do to arenas?
 *
 * Arenas lie in a table by slot and are mapped when a slot is first used.  An
 * arena outlives its thread: the next thread in the slot goes on with it, which
 * keeps addresses a matter of slots and calls alone.
 *
 * After fork the child has only the thread that called it.  The arenas of the
 * other threads may have been in the middle of a change: whoever gets such a
 * slot in the child starts an arena anew, behind the old one.  What the old one
 * had given out stays valid; freeing it is checked and otherwise ignored.
 */
#include <errno.h>
#include <string.h>

#include "runtime/pool_impl.h"

enum { ARENA_NONE, ARENA_READY, ARENA_ABANDONED };
static uint8_t arena_state[RECUT_MAX_THREADS]; /* atomic */

/* Collects the frees of blocks that are nobody's any more. */
static struct pool_arena orphans;

static struct pool_arena *arena_at(uint32_t slot) {
    return (struct pool_arena *)(POOL_ARENA_TABLE + slot * POOL_ARENA_STRIDE);
}

static uintptr_t range_start(uint32_t slot) {
    return slot == 0 ? RECUT_POOL_BASE : RECUT_POOL_THREADS + slot * RECUT_POOL_THREAD_WINDOW;
}

static uintptr_t range_end(uint32_t slot) {
    return slot == 0 ? RECUT_POOL_MAIN_END : range_start(slot) + RECUT_POOL_THREAD_WINDOW;
}

static void arena_init(struct pool_arena *a, uint32_t slot, uintptr_t base, uintptr_t old_end) {
    memset(a, 0, sizeof *a);
    a->base = base;
    a->end = range_end(slot);
    a->old_end = old_end;
    a->slot = slot;
    a->tabled = pool_page_of(base);
    a->fresh = a->top = a->tabled + 1;
    a->limit = pool_page_of(a->end) - 1;
    if (a->limit < a->top)
        a->limit = a->top;
    for (unsigned i = 0; i < POOL_CLASSES; i++) {
        a->bin[i].word = &a->none;
        a->bin[i].size = __recut_pool_class[i].size;
    }
}

/* The arena of a slot that has one, else NULL. */
struct pool_arena *__recut_pool_arena(uint32_t slot) {
    return __atomic_load_n(&arena_state[slot], __ATOMIC_ACQUIRE) == ARENA_NONE ? NULL
                                                                               : arena_at(slot);
}

/* The calling thread's arena; NULL, with errno, if there is no memory for it. */
struct pool_arena *__recut_pool_attach(void) {
    if (__recut_self.arena != NULL)
        return __recut_self.arena;
    uint32_t slot = __recut_self.slot;
    struct pool_arena *a = arena_at(slot);
    switch (__atomic_load_n(&arena_state[slot], __ATOMIC_ACQUIRE)) {
    case ARENA_NONE:
        /* Entries that were never written lead to span 0. */
        if (!__recut_pool_map_tables(0, 1) || __recut_pool_map((uintptr_t)a, POOL_ARENA_STRIDE)) {
            errno = ENOMEM;
            return NULL;
        }
        arena_init(a, slot, range_start(slot), 0);
        break;
    case ARENA_ABANDONED:
        /* Whole units behind all that can be mapped; if that much is not left,
         * the first page it needs comes from the shared range. */
        arena_init(a, slot,
                   a->tabled < pool_page_of(a->end) ? pool_page_address(a->tabled) : a->end,
                   a->extent != 0 ? a->base + a->extent : a->old_end);
        break;
    }
    a->occupied = 1;
    __atomic_store_n(&arena_state[slot], ARENA_READY, __ATOMIC_RELEASE);
    __recut_self.arena = a;
    return a;
}

/* The tables of a slot come from another run. */
struct pool_arena *__recut_pool_arena_restored(uint32_t slot) {
    struct pool_arena *a = arena_at(slot);
    if (a->base)
        __atomic_store_n(&arena_state[slot], ARENA_READY, __ATOMIC_RELEASE);
    return a;
}

static struct pool_arena *owner_in_range(uint32_t slot, uintptr_t p) {
    struct pool_arena *a = __recut_pool_arena(slot);
    if (a == NULL)
        return NULL;
    if (p < a->base)
        return p < a->old_end ? &orphans : NULL;
    if (p - a->base >= __atomic_load_n(&a->extent, __ATOMIC_ACQUIRE))
        return NULL;
    return __atomic_load_n(&arena_state[slot], __ATOMIC_RELAXED) == ARENA_ABANDONED ? &orphans : a;
}

/*
 * The arena that has, or had, the page of `p`; NULL if the pool never had it.
 * The tables of an address that has an owner are mapped.
 */
struct pool_arena *__recut_pool_owner(uintptr_t p) {
    if (p < RECUT_POOL_BASE || p >= RECUT_POOL_END)
        return NULL;
    if (p < RECUT_POOL_MAIN_END)
        return owner_in_range(0, p);
    if (p < RECUT_POOL_SHARED)
        return owner_in_range((uint32_t)((p - RECUT_POOL_THREADS) / RECUT_POOL_THREAD_WINDOW), p);
    uint16_t owner = __atomic_load_n(&__recut_pool_unit_owner[(p - RECUT_POOL_SHARED) / POOL_UNIT],
                                     __ATOMIC_ACQUIRE);
    if (owner == 0)
        return NULL;
    return owner == POOL_ORPHAN ? &orphans : arena_at(owner - 1U);
}

void __recut_pool_thread_exit(void) {
    struct pool_arena *a = __recut_self.arena;
    if (a == NULL)
        return;
    __recut_pool_remote_collect(a);
    a->occupied = 0;
    __recut_self.arena = NULL;
    __atomic_store_n(&arena_state[a->slot], ARENA_READY, __ATOMIC_RELEASE);
}

/* There is no lock to hold over a fork, and the caller is in no other call. */
void __recut_pool_fork_child(void) {
    for (uint32_t slot = 0; slot < RECUT_MAX_THREADS; slot++) {
        struct pool_arena *a = __recut_pool_arena(slot);
        if (a == NULL || a == __recut_self.arena || !a->occupied)
            continue;
        __atomic_store_n(&arena_state[slot], ARENA_ABANDONED, __ATOMIC_RELEASE);
        for (uint32_t unit = 0; unit < POOL_UNITS; unit++)
            if (__recut_pool_unit_owner[unit] == slot + 1)
                __recut_pool_unit_owner[unit] = POOL_ORPHAN;
    }
}
