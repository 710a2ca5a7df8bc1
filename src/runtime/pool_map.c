/*
 * Where does an arena grow?
 *
 * An arena fills one *region* at a time: its slot's own range first; when that
 * is exhausted, or something else is mapped in its way, pieces of the shared
 * range, which are given out by an atomic counter and stay with the arena.
 * Memory is mapped in steps that double from 1 MiB to 64 MiB, nothing is ever
 * reserved: `ulimit -v` counts little more than what the program asked for.
 *
 *   region   | guard | used ... | fresh ... | not mapped yet ...   | guard |
 *            first page         ^ fresh     ^ top                  ^ limit
 *
 * Guard pages are never part of a run, so runs of different regions, which can
 * be different arenas', never touch; tables are mapped one page further than
 * the region, so that every page of a region has neighbours in the tables.
 */
#include <errno.h>
#include <sys/mman.h>

#include "runtime/pool_impl.h"

#define STEP_MIN ((1 * RECUT_MIB) >> POOL_PAGE_SHIFT)
#define STEP_MAX ((64 * RECUT_MIB) >> POOL_PAGE_SHIFT)

uint16_t __recut_pool_unit_owner[POOL_UNITS];
/* Atomic.  Those of replay space, in a run of a cut, have the upper half of the range. */
static uint32_t units_given, units_given_above = POOL_UNITS / 2;

/*
 * 0, EEXIST if something is mapped there, or another error number.  The kernel is
 * not told to overcommit: what is too much for libc is too much here.  errno stays
 * as it was: the program must not see in it what only the pool has tried.
 */
int __recut_pool_map(uintptr_t at, size_t bytes) {
    int before = errno, error = 0;
    void *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED) {
        error = errno;
    } else if ((uintptr_t)p != at) {
        /* A kernel before 4.17 takes the address for a hint. */
        munmap(p, bytes);
        error = EEXIST;
    }
    errno = before;
    return error;
}

/*
 * Maps the tables of whole units.  What is there already was mapped by an
 * earlier attempt that failed half way, or is the unit of page 0.
 */
bool __recut_pool_map_tables(pool_page first, pool_page end) {
    for (pool_page unit = first; unit < end; unit += POOL_UNIT_PAGES) {
        int error = __recut_pool_map((uintptr_t)pool_map_entry(unit),
                                     POOL_UNIT_PAGES * sizeof *pool_map_entry(unit));
        if (error == 0 || error == EEXIST)
            error = __recut_pool_map((uintptr_t)pool_span_at(unit),
                                     POOL_UNIT_PAGES * sizeof(struct pool_span));
        if (error != 0 && error != EEXIST)
            return false;
    }
    return true;
}

static pool_page unit_end(pool_page page) {
    return (page + POOL_UNIT_PAGES - 1) / POOL_UNIT_PAGES * POOL_UNIT_PAGES;
}

/* Tables first: an address whose memory is known has its tables mapped. */
static int map_more(struct pool_arena *a, uint32_t n) {
    pool_page end = unit_end(a->top + n + 1);
    if (end > a->tabled) {
        if (!__recut_pool_map_tables(a->tabled, end))
            return ENOMEM;
        uintptr_t shared = pool_page_of(RECUT_POOL_SHARED);
        for (pool_page unit = a->tabled; unit < end; unit += POOL_UNIT_PAGES)
            if (unit >= shared)
                __atomic_store_n(&__recut_pool_unit_owner[(unit - shared) / POOL_UNIT_PAGES],
                                 (uint16_t)(a->slot + 1), __ATOMIC_RELEASE);
        a->tabled = end;
    }
    int error = __recut_pool_map(pool_page_address(a->top), n * POOL_PAGE);
    if (error != 0)
        return error;
    a->top += n;
    a->mapped_pages += n;
    uintptr_t top = pool_page_address(a->top);
    if (top <= a->end) /* the shared range lies above all others */
        __atomic_store_n(&a->extent, top - a->base, __ATOMIC_RELEASE);
    return 0;
}

/* Leaves what is left of the region to the free runs, and takes a new one. */
static bool next_region(struct pool_arena *a, uint32_t need) {
    uint32_t units = (uint32_t)((need + 2 + POOL_UNIT_PAGES - 1) / POOL_UNIT_PAGES);
    const struct pool_border *border = __recut_pool_border;
    bool is_above = border && a->slot >= border->first_slot;
    uint32_t *given = is_above ? &units_given_above : &units_given;
    uint32_t most = border && !is_above ? POOL_UNITS / 2 : POOL_UNITS;
    bool is_crossing = border && border->begin(a);
    bool is_ordered = __recut_pool_order && __recut_pool_order->begin();
    uint32_t first = __atomic_load_n(given, __ATOMIC_RELAXED);
    bool fits;
    do
        fits = units <= most - first;
    while (fits && !__atomic_compare_exchange_n(given, &first, first + units, false,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (is_ordered)
        __recut_pool_order->end();
    if (is_crossing)
        border->end();
    if (!fits)
        return false;
    if (a->top > a->fresh) {
        a->span_pages += a->top - a->fresh; /* as if they had been taken */
        __recut_pool_pages_give(a, a->fresh, a->top - a->fresh, false);
    }
    a->tabled = pool_page_of(RECUT_POOL_SHARED) + first * (uint32_t)POOL_UNIT_PAGES;
    a->fresh = a->top = a->tabled + 1;
    a->limit = a->tabled + units * (uint32_t)POOL_UNIT_PAGES - 1;
    return true;
}

/*
 * Makes [fresh, top) longer by `more` pages, or starts a new region that has
 * room for `need`: the caller looks again.  False if there is no memory.
 */
bool __recut_pool_grow(struct pool_arena *a, uint32_t more, uint32_t need) {
    uint32_t room = a->limit - a->top;
    if (more <= room) {
        uint64_t step = a->mapped_pages;
        step = step < STEP_MIN ? STEP_MIN : step > STEP_MAX ? STEP_MAX : step;
        uint32_t n = more > step ? more : (uint32_t)step;
        n = n > room ? room : n;
        int error = map_more(a, n);
        if (error == ENOMEM && n > more)
            error = map_more(a, more);
        if (error != EEXIST)
            return error == 0;
    }
    return next_region(a, need);
}
