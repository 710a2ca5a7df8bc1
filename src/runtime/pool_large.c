/*
 * How are blocks above 32 KiB handled?
 *
 * Each is a span of its own.  Its bitmap has one bit and its `recip` makes its
 * start the only valid offset, so that the short path of free needs no test for
 * large blocks: the one block becomes free in a word that was 0, which is the
 * case that is settled elsewhere.
 *
 * A block that grows stays where it is if the pages behind it are free.  If it
 * has to move, it gets an eighth more than asked for, so that a buffer that
 * grows by small steps between other allocations is not copied at each step;
 * pages of it that are never touched cost nothing.
 */
#include "runtime/pool_impl.h"

static uint32_t pages_for(size_t size) {
    return (uint32_t)((size + POOL_PAGE - 1) >> POOL_PAGE_SHIFT);
}

static void set_length(struct pool_span *s, uint32_t pages) {
    s->pages = pages;
    s->bytes = s->size = pages * POOL_PAGE;
}

static void map_pages(pool_page span, pool_page from, pool_page end) {
    uint32_t entry = span * (uint32_t)(sizeof(struct pool_span) / 64);
    for (pool_page page = from; page < end; page++)
        *pool_map_entry(page) = entry;
}

void __recut_pool_span_init(struct pool_span *s, pool_page page, uint32_t pages) {
    s->start = pool_page_address(page);
    s->pages = pages;
    s->bytes = pages * POOL_PAGE;
    map_pages(page, page, page + pages);
}

/* Pages whose first is a multiple of `align`, which is a multiple of a page. */
static pool_page take_aligned(struct pool_arena *a, uint32_t n, size_t align, bool *zero) {
    uint32_t step = (uint32_t)(align >> POOL_PAGE_SHIFT);
    pool_page got = __recut_pool_pages_take(a, n + step - 1, zero);
    if (got == 0)
        return 0;
    /* The pool's base is a multiple of every alignment that can be had. */
    pool_page page = (got + step - 1) & ~(step - 1);
    uint32_t before = page - got, after = step - 1 - before;
    if (after != 0)
        __recut_pool_pages_give(a, page + n, after, !*zero);
    if (before != 0)
        __recut_pool_pages_give(a, got, before, !*zero);
    return page;
}

/* `size` <= POOL_TOO_MUCH; NULL if there is no memory. */
void *__recut_pool_large(struct pool_arena *a, size_t size, size_t align, bool *zero) {
    if (size > POOL_TOO_MUCH || align > POOL_TOO_MUCH)
        return NULL;
    __recut_pool_remote_collect(a);
    uint32_t n = size == 0 ? 1 : pages_for(size);
    pool_page page =
        align <= POOL_PAGE ? __recut_pool_pages_take(a, n, zero) : take_aligned(a, n, align, zero);
    if (page == 0)
        return NULL;
    struct pool_span *s = pool_span_at(page);
    __recut_pool_span_init(s, page, n);
    s->size = s->bytes;
    s->recip = 1;
    s->whole = 0;
    s->class = POOL_LARGE;
    s->state = SPAN_LARGE;
    s->free[0] = 0;
    return (void *)s->start;
}

void __recut_pool_large_free(struct pool_arena *a, struct pool_span *s) {
    s->bytes = 0;
    s->state = SPAN_DEAD;
    s->free[0] = 0;
    __recut_pool_pages_give(a, pool_span_page(s), s->pages, true);
}

/* Makes the block longer or shorter where it is, if that can be done. */
bool __recut_pool_large_resize(struct pool_arena *a, struct pool_span *s, size_t size) {
    uint32_t n = pages_for(size);
    pool_page page = pool_span_page(s), end = page + s->pages;
    if (n > s->pages) {
        if (!__recut_pool_pages_extend(a, end, n - s->pages))
            return false;
        map_pages(page, end, page + n);
        set_length(s, n);
    } else if (n < s->pages) {
        set_length(s, n);
        __recut_pool_pages_give(a, page + n, end - page - n, true);
    }
    return true;
}
