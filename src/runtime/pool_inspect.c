/*
 * What is at this address, how much is in use, and what was wrong?
 *
 * Nothing here is on a path that has to be fast; everything here takes any
 * address at all and must not fault on it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/pool_impl.h"

/* The span, alive or dead, that last held the page of `p`; NULL if none did. */
static struct pool_span *span_around(uintptr_t p) {
    if (__recut_pool_owner(p) == NULL)
        return NULL;
    struct pool_span *s = pool_span_of(p);
    return s->pages != 0 && p - s->start < s->pages * POOL_PAGE ? s : NULL;
}

bool __recut_pool_find(const void *interior, void **start, size_t *size) {
    uintptr_t p = (uintptr_t)interior;
    struct pool_span *s = span_around(p);
    if (s == NULL)
        return false;
    *start = (void *)(p - (p - s->start) % s->size);
    *size = s->size;
    return true;
}

static size_t append(char *to, size_t at, const char *text) {
    size_t n = strlen(text);
    memcpy(to + at, text, n);
    return at + n;
}

/*
 * Ends the program as glibc does.  A block's start that is not a live block has
 * been freed; if its memory serves blocks of another size by now, it is merely
 * invalid.
 */
void __recut_pool_refuse(const char *call, uintptr_t p) {
    char text[128];
    struct pool_span *s = span_around(p);
    bool freed = s != NULL && (p - s->start) % s->size == 0;
    const char *what = !freed                      ? "invalid pointer "
                       : strcmp(call, "free") == 0 ? "double free detected in recut's pool: "
                                                   : "block was freed before, in recut's pool: ";
    size_t n = append(text, 0, call);
    n = append(text, n, "(): ");
    n = append(text, n, what);
    n = append(text, n, "0x");
    unsigned digits = p == 0 ? 1 : (67 - (unsigned)__builtin_clzll(p)) / 4;
    while (digits-- > 0)
        text[n++] = "0123456789abcdef"[p >> (4 * digits) & 15];
    text[n++] = '\n';
    ssize_t written = write(STDERR_FILENO, text, n);
    (void)written;
    abort();
}

static void count_span(const struct pool_span *s, struct pool_stats *ret) {
    size_t free_blocks = 0;
    for (unsigned i = 0; i < POOL_WORDS && s->state != SPAN_LARGE; i++)
        free_blocks += (size_t)__builtin_popcountll(s->free[i]);
    size_t live = s->bytes / s->size - free_blocks;
    ret->live_blocks += live;
    ret->live_bytes += live * s->size;
}

/* Counts the spans in pages [from, end), where tables are mapped. */
static void count_pages(pool_page from, pool_page end, struct pool_stats *ret) {
    for (pool_page page = from; page < end;) {
        const struct pool_span *s = pool_span_at(page);
        if (pool_page_in_use(page) && s->start == pool_page_address(page)) {
            count_span(s, ret);
            page += s->pages;
        } else {
            page++;
        }
    }
}

void __recut_pool_stats(struct pool_stats *ret) {
    memset(ret, 0, sizeof *ret);
    for (uint32_t slot = 0; slot < RECUT_MAX_THREADS; slot++) {
        const struct pool_arena *a = __recut_pool_arena(slot);
        if (a == NULL)
            continue;
        ret->arenas++;
        ret->span_bytes += a->span_pages * POOL_PAGE;
        ret->free_bytes += a->free_pages * POOL_PAGE;
        ret->dirty_bytes += a->dirty_pages * POOL_PAGE;
        ret->mapped_bytes += a->mapped_pages * POOL_PAGE;
        ret->table_bytes += POOL_ARENA_STRIDE + (a->mapped_pages + POOL_UNIT_PAGES - 1) /
                                                    POOL_UNIT_PAGES * POOL_UNIT_PAGES *
                                                    (sizeof(struct pool_span) + 4);
        count_pages(pool_page_of(a->base), pool_page_of(a->base + a->extent), ret);
    }
    for (uint32_t unit = 0; unit < POOL_UNITS; unit++)
        if (__recut_pool_unit_owner[unit] != 0) {
            pool_page from = pool_page_of(RECUT_POOL_SHARED + unit * POOL_UNIT);
            count_pages(from, from + (uint32_t)POOL_UNIT_PAGES, ret);
        }
}

static void visit_pages(pool_page from, pool_page end, pool_visit *visit, void *data) {
    for (pool_page page = from; page < end;) {
        const struct pool_span *s = pool_span_at(page);
        if (pool_page_in_use(page) && s->start == pool_page_address(page)) {
            visit((const void *)s->start, s->bytes, data);
            page += s->pages;
        } else {
            page++;
        }
    }
}

void __recut_pool_visit(pool_visit *visit, void *data) {
    for (uint32_t slot = 0; slot < RECUT_MAX_THREADS; slot++) {
        const struct pool_arena *a = __recut_pool_arena(slot);
        if (a != NULL)
            visit_pages(pool_page_of(a->base), pool_page_of(a->base + a->extent), visit, data);
    }
    for (uint32_t unit = 0; unit < POOL_UNITS; unit++)
        if (__recut_pool_unit_owner[unit] != 0) {
            pool_page from = pool_page_of(RECUT_POOL_SHARED + unit * POOL_UNIT);
            visit_pages(from, from + (uint32_t)POOL_UNIT_PAGES, visit, data);
        }
}
