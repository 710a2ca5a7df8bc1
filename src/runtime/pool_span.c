/*
 * Which block of its class does malloc take when the current word is used up,
 * and what happens to spans that fill and empty?
 *
 * A class allocates from one bitmap word of its current span, lowest block
 * first.  Then come, in this order:
 *   1. the lowest word of the current span that has a free block,
 *   2. the partial span that has been waiting longest (it has had the most time
 *      to collect free blocks, so that this path is taken seldom),
 *   3. what other threads have freed,
 *   4. a new span.
 *
 *             new span
 *                |             used up
 *                v       ----------------->
 *             CURRENT                        FULL
 *                ^                            | a block is freed
 *                |        longest waiting     v
 *                 ------------------------ PARTIAL ---> pages given back
 *                                               wholly free, and not the
 *                                               first such span of its class
 *
 * One wholly free span is kept in each class, as a spare, so that a program on
 * the edge between two spans does not make and unmake one at every step.
 */
#include <errno.h>

#include "runtime/pool_impl.h"

static struct pool_span *list_head(const struct pool_bin *bin) {
    return bin->head == 0 ? NULL : pool_span_at(bin->head);
}

static void list_append(struct pool_bin *bin, struct pool_span *s) {
    pool_page page = pool_span_page(s);
    s->prev = bin->tail;
    s->next = 0;
    if (bin->tail != 0)
        pool_span_at(bin->tail)->next = page;
    else
        bin->head = page;
    bin->tail = page;
}

static void list_remove(struct pool_bin *bin, struct pool_span *s) {
    if (s->prev != 0)
        pool_span_at(s->prev)->next = s->next;
    else
        bin->head = s->next;
    if (s->next != 0)
        pool_span_at(s->next)->prev = s->prev;
    else
        bin->tail = s->prev;
}

static struct pool_span *span_new(struct pool_arena *a, unsigned class) {
    const struct pool_class *c = &__recut_pool_class[class];
    bool zero;
    pool_page page = __recut_pool_pages_take(a, c->pages, &zero);
    if (page == 0)
        return NULL;
    struct pool_span *s = pool_span_at(page);
    __recut_pool_span_init(s, page, c->pages);
    s->size = c->size;
    s->recip = c->recip;
    s->class = (uint8_t)class;
    s->avail = (uint8_t)((1U << c->words) - 1);
    for (unsigned i = 0; i < POOL_WORDS; i++)
        s->free[i] = i < c->words ? c->whole : 0;
    return s;
}

static void span_release(struct pool_arena *a, struct pool_span *s) {
    s->bytes = 0;
    s->state = SPAN_DEAD;
    for (unsigned i = 0; i < POOL_WORDS; i++)
        s->free[i] = 0; /* where pool_runs.c keeps its marks */
    __recut_pool_pages_give(a, pool_span_page(s), s->pages, true);
}

/* The class's next current span, or NULL if there is no memory. */
static struct pool_span *next_span(struct pool_arena *a, unsigned class) {
    struct pool_bin *bin = &a->bin[class];
    struct pool_span *s = list_head(bin);
    if (s == NULL && __recut_pool_remote_collect(a))
        s = list_head(bin);
    if (s == NULL) {
        s = span_new(a, class);
        if (s == NULL)
            return NULL;
    } else {
        list_remove(bin, s);
        if (bin->spare == pool_span_page(s))
            bin->spare = 0;
    }
    s->state = SPAN_CURRENT;
    s->whole = 0;
    return s;
}

/* Takes a block of a class whose current word is 0. */
void *__recut_pool_refill(struct pool_arena *a, unsigned class) {
    struct pool_bin *bin = &a->bin[class];
    struct pool_span *s = bin->span;
    a->last = 0; /* its word may be current no longer */
    if (s != NULL) {
        s->avail &= (uint8_t)~(1U << (bin->word - s->free));
        if (s->avail == 0) {
            s->state = SPAN_FULL;
            s->whole = __recut_pool_class[class].whole;
            s = NULL;
        }
    }
    if (s == NULL) {
        bin->span = NULL;
        bin->word = &a->none;
        s = next_span(a, class);
        if (s == NULL) {
            errno = ENOMEM;
            return NULL;
        }
        bin->span = s;
    }
    unsigned word = (unsigned)__builtin_ctz(s->avail);
    bin->word = &s->free[word];
    bin->base = s->start + word * 64 * s->size;
    uint64_t bits = *bin->word;
    __atomic_store_n(bin->word, bits & (bits - 1), __ATOMIC_RELAXED);
    return (void *)(bin->base + (unsigned)__builtin_ctzll(bits) * bin->size);
}

static bool wholly_free(const struct pool_span *s) {
    unsigned words = __recut_pool_class[s->class].words;
    for (unsigned i = 0; i < words; i++)
        if (s->free[i] != s->whole)
            return false;
    return true;
}

/* A free has changed `word` from 0, or to s->whole. */
void __recut_pool_settle(struct pool_arena *a, struct pool_span *s, unsigned word) {
    if (s->state == SPAN_LARGE) {
        __recut_pool_large_free(a, s);
        return;
    }
    struct pool_bin *bin = &a->bin[s->class];
    s->avail |= (uint8_t)(1U << word);
    if (s->state == SPAN_FULL) {
        s->state = SPAN_PARTIAL;
        list_append(bin, s);
    }
    if (s->free[word] == s->whole && wholly_free(s)) {
        if (bin->spare == 0) {
            bin->spare = pool_span_page(s);
        } else {
            list_remove(bin, s);
            span_release(a, s);
        }
    }
}
