/*
 * A heap as another run of the program had it.
 *
 * The tables hold all that there is to know of it, at the same addresses in every run: they are
 * put in place first, then this maps what they speak of, then the blocks get their contents.
 */
#include <errno.h>
#include <sys/mman.h>

#include "runtime/pool_impl.h"

static bool map_anew(pool_page first, pool_page end) {
    uintptr_t at = pool_page_address(first);
    size_t size = (size_t)(end - first) << POOL_PAGE_SHIFT;
    return first >= end || mmap((void *)at, size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (void *)at;
}

/* Pages of them may be there already, with what they say. */
static bool map_tables(uintptr_t from, uintptr_t end) {
    for (uintptr_t at = from & ~4095ULL; at < end; at += 4096) {
        int error = __recut_pool_map(at, 4096);
        if (error && error != EEXIST)
            return false;
    }
    return true;
}

static bool map_tables_of(pool_page first, pool_page end) {
    first = first / POOL_UNIT_PAGES * POOL_UNIT_PAGES;
    end = (end + POOL_UNIT_PAGES) / POOL_UNIT_PAGES * POOL_UNIT_PAGES;
    return map_tables((uintptr_t)pool_map_entry(first), (uintptr_t)pool_map_entry(end)) &&
           map_tables((uintptr_t)pool_span_at(first), (uintptr_t)pool_span_at(end));
}

/* Its own range, and the region of the shared range that it grows in. */
static bool restore(struct pool_arena *a) {
    pool_page first = pool_page_of(a->base), end = pool_page_of(a->base + a->extent);
    pool_page shared = pool_page_of(RECUT_POOL_SHARED);
    if (!map_tables_of(0, 1) || !map_tables_of(first, a->tabled < shared ? a->tabled : end + 1) ||
        !map_anew(first + 1, end))
        return false;
    if (a->top < shared)
        return true;
    pool_page region =
        shared + (a->tabled - shared - 1) / (uint32_t)POOL_UNIT_PAGES * (uint32_t)POOL_UNIT_PAGES;
    for (pool_page unit = region; unit < a->tabled; unit += POOL_UNIT_PAGES)
        __recut_pool_unit_owner[(unit - shared) / POOL_UNIT_PAGES] = (uint16_t)(a->slot + 1);
    return map_tables_of(region, a->tabled) && map_anew(region + 1, a->top);
}

bool __recut_pool_restore(uint32_t slot) {
    struct pool_arena *a = __recut_pool_arena_restored(slot);
    return !a->base || restore(a);
}
