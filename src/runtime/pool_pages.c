/*
 * Which pages does a span get, and what becomes of them afterwards?
 *
 * Best fit among the arena's free runs, of equal ones the lowest; then the
 * fresh pages at the end, together with a free run that touches them.  Pages
 * that are given back join their free neighbours at once.
 *
 * Free pages that were written to are *dirty* and still occupy memory.  A run
 * keeps one range of pages that holds all of its dirty ones.  They go back to
 * the kernel when they are more than
 *
 *     64 MiB + half of what is in use + what was missed,
 *
 * longest run first, until half of that is left.  "What was missed" is the
 * largest request so far (up to 1 GiB) that had to be served from pages which
 * had been given back: a program that takes and frees a big buffer again and
 * again pays for its page faults twice, not every time.  All of this depends on
 * the arena's calls alone.
 *
 * Clean pages are known to be zero; calloc of a large block makes use of it.
 */
#include <errno.h>
#include <sys/mman.h>

#include "runtime/pool_impl.h"

#define KEEP_ALWAYS ((64 * RECUT_MIB) >> POOL_PAGE_SHIFT)
#define MISSED_MAX ((1 * RECUT_GIB) >> POOL_PAGE_SHIFT)

static struct pool_range hull(struct pool_range a, struct pool_range b) {
    if (a.end == 0 || b.end == 0)
        return a.end == 0 ? b : a;
    return (struct pool_range){.from = a.from < b.from ? a.from : b.from,
                               .end = a.end > b.end ? a.end : b.end};
}

/* Takes the first `n` pages of a free run; true if they are zero. */
static bool split(struct pool_arena *a, pool_page page, uint32_t n) {
    uint32_t pages = pool_span_at(page)->run_pages;
    struct pool_range dirty = pool_span_at(page)->run_dirty;
    __recut_pool_run_remove(a, page);
    pool_page end = page + n;
    bool zero = dirty.end == 0 || dirty.from >= end;
    if (pages > n) {
        struct pool_range rest = {0, 0};
        if (dirty.end > end)
            rest = (struct pool_range){dirty.from > end ? dirty.from : end, dirty.end};
        __recut_pool_run_add(a, end, pages - n, rest);
    }
    if (zero && a->keep_pages < n)
        a->keep_pages = n < MISSED_MAX ? n : MISSED_MAX;
    return zero;
}

/* Takes `n` pages at the end: those of a run that ends there, and fresh ones. */
static pool_page take_at_end(struct pool_arena *a, uint32_t n, bool *zero) {
    pool_page run, start;
    for (;;) {
        /* A new region has no tables yet. */
        run = a->fresh < a->tabled ? __recut_pool_run_before(a->fresh) : 0;
        start = run != 0 ? run : a->fresh;
        if (a->top - start >= n)
            break;
        if (!__recut_pool_grow(a, n - (a->top - start), n))
            return 0;
    }
    /* A run that had been long enough by itself would have been found before. */
    *zero = run == 0 || split(a, run, pool_span_at(run)->run_pages);
    a->fresh = start + n;
    return start;
}

pool_page __recut_pool_pages_take(struct pool_arena *a, uint32_t n, bool *zero) {
    pool_page page = __recut_pool_run_best(a, n);
    if (page != 0)
        *zero = split(a, page, n);
    else if ((page = take_at_end(a, n, zero)) == 0)
        return 0;
    a->span_pages += n;
    return page;
}

/* Takes `more` pages from `end` on, if they are free; for a span that grows. */
bool __recut_pool_pages_extend(struct pool_arena *a, pool_page end, uint32_t more) {
    pool_page run = end == a->fresh ? 0 : __recut_pool_run_after(end);
    uint32_t have = run != 0 ? pool_span_at(run)->run_pages : 0;
    if (have < more) {
        if (end + have != a->fresh)
            return false;
        uint32_t fresh = more - have;
        if (fresh > a->limit - a->fresh)
            return false;
        if (fresh > a->top - a->fresh &&
            (!__recut_pool_grow(a, fresh - (a->top - a->fresh), fresh) || end + have != a->fresh))
            return false;
        a->fresh += fresh;
    }
    if (run != 0)
        split(a, run, have < more ? have : more);
    a->span_pages += more;
    return true;
}

static void return_memory(struct pool_arena *a) {
    uint64_t keep = KEEP_ALWAYS + a->span_pages / 2 + a->keep_pages;
    if (a->dirty_pages <= keep)
        return;
    pool_page run;
    int before = errno; /* free leaves it as it was */
    while (a->dirty_pages > keep / 2 && (run = __recut_pool_run_dirtiest(a)) != 0) {
        struct pool_range *dirty = &pool_span_at(run)->run_dirty;
        uint32_t n = dirty->end - dirty->from;
        if (madvise((void *)pool_page_address(dirty->from), n * POOL_PAGE, MADV_DONTNEED) != 0)
            break;
        a->dirty_pages -= n;
        *dirty = (struct pool_range){0, 0};
    }
    errno = before;
}

void __recut_pool_pages_give(struct pool_arena *a, pool_page page, uint32_t n, bool used) {
    struct pool_range dirty = {0, 0};
    if (used)
        dirty = (struct pool_range){page, page + n};
    a->span_pages -= n;
    pool_page left = __recut_pool_run_before(page);
    pool_page right = __recut_pool_run_after(page + n);
    if (left != 0) {
        n += pool_span_at(left)->run_pages;
        dirty = hull(dirty, pool_span_at(left)->run_dirty);
        __recut_pool_run_remove(a, left);
        page = left;
    }
    if (right != 0) {
        n += pool_span_at(right)->run_pages;
        dirty = hull(dirty, pool_span_at(right)->run_dirty);
        __recut_pool_run_remove(a, right);
    }
    __recut_pool_run_add(a, page, n, dirty);
    return_memory(a);
}
