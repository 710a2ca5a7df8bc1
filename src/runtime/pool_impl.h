/*
 * How the pool works; for pool*.c only.
 *
 * The pool's address range is cut into pages of 8 KiB.  A *span* is a run of
 * pages that holds blocks: either one large block, or up to 512 blocks of one
 * size class.  Runs that hold nothing are *free runs*.
 *
 *   pool       ...|  span, class 48  | large block      | free run | fresh ...
 *   pages         |  p  | p+1 | p+2  | p+3 | ...        |          |
 *
 *   page map      |  p     p     p   |  p+3   p+3 ...        4 bytes a page
 *   span table    | [p]  .     .     | [p+3]  .              192 bytes a page
 *
 * Both tables are flat, at fixed addresses, one entry a page of the whole pool,
 * and are mapped in step with the pool.  A span's description is the entry of
 * its first page, so nothing has to be allocated for it and there are no ids
 * that could depend on threads.  Pages of a span name its first page; pages of
 * a free run keep what they said last, which is how a freed object is still
 * known.  Hence the rule that every reader obeys:
 *
 *   A page is in use if the span that its map entry names is alive and
 *   reaches that far.
 *
 * An *arena* belongs to a thread slot and only the thread in that slot changes
 * it.  Other threads do exactly two things to an arena's data: they set bits in
 * `remote` of a span, and they push the span onto the arena's list of such
 * spans (pool_remote.c).  There are no locks.
 *
 *   pool.c         malloc, free and the rest: the paths that must be short
 *   pool_class.c   sizes
 *   pool_span.c    which block of a class comes next; spans that fill and empty
 *   pool_large.c   blocks that are spans of their own
 *   pool_pages.c   runs of pages: taken, given back, returned to the kernel
 *   pool_runs.c    the ordered set of free runs
 *   pool_map.c     where an arena grows
 *   pool_arena.c   whose is this address; threads and fork
 *   pool_remote.c  frees by other threads
 *   pool_inspect.c find, stats, and what is said before an abort
 *   pool_restore.c a heap as another run had it
 */
#ifndef RECUT_RUNTIME_POOL_IMPL_H
#define RECUT_RUNTIME_POOL_IMPL_H

#include "runtime/pool.h"
#include "runtime/self.h"

#define POOL_LIKELY(x) __builtin_expect(!!(x), 1)
#define POOL_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define POOL_PAGE_SHIFT 13
#define POOL_PAGE (1ULL << POOL_PAGE_SHIFT)
#define POOL_PAGES ((RECUT_POOL_END - RECUT_POOL_BASE) >> POOL_PAGE_SHIFT)
/* Tables grow, and the shared range is given out, in units of this. */
#define POOL_UNIT (64 * RECUT_MIB)
#define POOL_UNIT_PAGES (POOL_UNIT >> POOL_PAGE_SHIFT)

/*
 * Page numbers count from RECUT_POOL_BASE.  Page 0 is never used, so that 0 can
 * mean none: a map entry that was never written names span 0, which is dead.
 */
typedef uint32_t pool_page;

/* Pages [from, end) of a free run: all that may not be zero.  Empty: 0, 0. */
struct pool_range {
    pool_page from, end;
};

enum pool_span_state {
    SPAN_DEAD,    /* not a span (any more) */
    SPAN_CURRENT, /* the span its class allocates from */
    SPAN_PARTIAL, /* has free blocks; in its class's list */
    SPAN_FULL,    /* has none; in no list */
    SPAN_LARGE,   /* one block */
};

#define POOL_WORDS 8

struct pool_span {
    /* Line 1: what every free reads. */
    uintptr_t start;
    uint64_t bytes; /* from start; 0 if dead, so that no address is inside */
    /* ceil(2^64 / size): the product with an offset has the block's index in its
     * upper half, and a lower half below `recip` if the offset is a block's start
     * (Lemire, Kaser, Kurz 2019).  1 for a large block: only offset 0 is one. */
    uint64_t recip;
    /* Value of a bitmap word whose blocks are all free; 0, which never matches,
     * while the span is current: a current span is not given back. */
    uint64_t whole;
    uint64_t size; /* of a block */
    uint32_t pages;
    uint8_t class;
    uint8_t state;
    uint8_t avail;   /* words of `free` that are not 0 */
    uint8_t pending; /* atomic: is in the owner's remote list */
    pool_page prev, next;
    pool_page remote_next;
    uint32_t unused;

    /* Line 2: one bit a block, set if free.  Or, in a page of no live span: */
    union {
        uint64_t free[POOL_WORDS];
        struct {
            uint32_t run_pages; /* first page of a free run: its length */
            struct pool_range run_dirty;
            pool_page left, right;
            pool_page run_start; /* last page of a free run: its first */
        };
    };

    /* Line 3: atomic; one bit a block that another thread has freed. */
    uint64_t remote[POOL_WORDS];
};
_Static_assert(sizeof(struct pool_span) == 192, "three cache lines");

/* Everything of the pool in RECUT_TABLES_BASE.. */
#define POOL_MAP_TABLE RECUT_TABLES_BASE
#define POOL_SPAN_TABLE (RECUT_TABLES_BASE + 2 * RECUT_GIB)
#define POOL_ARENA_TABLE (RECUT_TABLES_BASE + 64 * RECUT_GIB)
#define POOL_ARENA_STRIDE (8 * RECUT_KIB)
_Static_assert(POOL_MAP_TABLE + 4 * POOL_PAGES <= POOL_SPAN_TABLE, "page map fits");
_Static_assert(POOL_SPAN_TABLE + 192 * POOL_PAGES <= POOL_ARENA_TABLE, "span table fits");
_Static_assert(POOL_ARENA_TABLE + RECUT_MAX_THREADS * POOL_ARENA_STRIDE <=
                   RECUT_TABLES_BASE + RECUT_POOL_TABLES,
               "arenas fit");

#define POOL_SMALL_CLASSES 32 /* up to POOL_TABLED bytes, looked up */
#define POOL_CLASSES 72
#define POOL_LARGE POOL_CLASSES /* the class of a large block */
#define POOL_TABLED 1024ULL
#define POOL_SMALL_MAX 32768ULL /* larger blocks are spans of their own */
/* More than the pool can ever give; small enough that rounding up is safe. */
#define POOL_TOO_MUCH (1ULL << 41)

struct pool_class {
    uint64_t recip;
    uint64_t whole;
    uint32_t size;
    uint16_t pages;
    uint8_t words;
};

/*
 * What a class allocates from.  What malloc reads is at the end of the line: a
 * load that agrees with a recent store in the address's lower 12 bits waits for
 * it, and most stores are to the first words of a bitmap, at the start of lines.
 */
struct pool_bin {
    struct pool_span *span; /* the current span, or NULL */
    pool_page head, tail;   /* partial spans, longest partial first */
    pool_page spare;        /* one of them that is wholly free, or 0 */
    uint32_t unused[5];
    uint64_t *word; /* into `free` of the current span; or at a zero */
    uintptr_t base; /* address of the block of bit 0 of *word */
    uint64_t size;
} __attribute__((aligned(64)));

struct pool_arena {
    uintptr_t end;     /* of the slot's own range */
    uintptr_t old_end; /* below base: end of what an abandoned arena had */
    uint64_t none;     /* 0: the word of a class without a current span */
    /* The slot's own range, as far as it is mapped; `extent` is atomic. */
    uintptr_t base;
    uint64_t extent;
    /* The block that malloc gave last, if it came straight from a word that is
     * still current; its bit is the lowest of last_bits.  See pool.c. */
    uintptr_t last;
    uint64_t *last_word;
    uint64_t last_bits;
    struct pool_bin bin[POOL_CLASSES];

    /* Pages.  [fresh, top) is mapped and was never used; up to `limit` there is
     * room to map more; tables are mapped up to `tabled`. */
    pool_page fresh, top, limit, tabled;
    pool_page runs; /* root of the tree of free runs */
    uint64_t span_pages, free_pages, dirty_pages, mapped_pages;
    uint64_t keep_pages; /* see pool_pages.c */

    uint32_t slot;
    uint32_t occupied; /* a live thread may be in the middle of a call */

    pool_page remote __attribute__((aligned(64))); /* atomic: list of spans */
};
_Static_assert(sizeof(struct pool_arena) <= POOL_ARENA_STRIDE, "one stride");

static inline pool_page pool_page_of(uintptr_t p) {
    return (pool_page)((p - RECUT_POOL_BASE) >> POOL_PAGE_SHIFT);
}

static inline uintptr_t pool_page_address(pool_page page) {
    return RECUT_POOL_BASE + ((uintptr_t)page << POOL_PAGE_SHIFT);
}

static inline uint32_t *pool_map_entry(pool_page page) { return (uint32_t *)POOL_MAP_TABLE + page; }

static inline struct pool_span *pool_span_at(pool_page page) {
    return (struct pool_span *)POOL_SPAN_TABLE + page;
}

/* The span that the page of `p` names; `p` must be where tables are mapped. */
static inline struct pool_span *pool_span_of(uintptr_t p) {
    /* One constant, one shift: this is on the path of every free.  Entries count
     * in cache lines, which saves a multiplication. */
    const uint32_t *entry =
        (const uint32_t *)(POOL_MAP_TABLE - (RECUT_POOL_BASE >> POOL_PAGE_SHIFT) * 4);
    return (struct pool_span *)(POOL_SPAN_TABLE + (uint64_t)entry[p >> POOL_PAGE_SHIFT] * 64);
}

static inline pool_page pool_span_page(const struct pool_span *s) { return pool_page_of(s->start); }

static inline bool pool_page_in_use(pool_page page) {
    uintptr_t p = pool_page_address(page);
    const struct pool_span *s = pool_span_of(p);
    return p - s->start < s->bytes;
}

static inline bool pool_is_own(const struct pool_arena *a, uintptr_t p) {
    return p - a->base < a->extent;
}

/* pool_class.c */
extern const uint8_t __recut_pool_class_of[POOL_TABLED / 16 + 1];
extern const struct pool_class __recut_pool_class[POOL_CLASSES];
/* For size <= POOL_SMALL_MAX. */
static inline unsigned pool_class_of(size_t size) {
    if (size <= POOL_TABLED)
        return __recut_pool_class_of[(size + 15) / 16];
    unsigned log = 63 - __builtin_clzll(size - 1);
    return POOL_SMALL_CLASSES + (log - 10) * 8 + (((size - 1) >> (log - 3)) & 7);
}

/* pool_span.c */
void *__recut_pool_refill(struct pool_arena *a, unsigned class);
void __recut_pool_settle(struct pool_arena *a, struct pool_span *s, unsigned word);
void __recut_pool_span_init(struct pool_span *s, pool_page page, uint32_t pages);

/* pool_large.c */
void *__recut_pool_large(struct pool_arena *a, size_t size, size_t align, bool *zero);
void __recut_pool_large_free(struct pool_arena *a, struct pool_span *s);
bool __recut_pool_large_resize(struct pool_arena *a, struct pool_span *s, size_t size);

/* pool_pages.c: 0 or false if there is no memory. */
pool_page __recut_pool_pages_take(struct pool_arena *a, uint32_t n, bool *zero);
bool __recut_pool_pages_extend(struct pool_arena *a, pool_page end, uint32_t more);
void __recut_pool_pages_give(struct pool_arena *a, pool_page page, uint32_t n, bool dirty);

/* pool_runs.c */
void __recut_pool_run_add(struct pool_arena *a, pool_page page, uint32_t n,
                          struct pool_range dirty);
void __recut_pool_run_remove(struct pool_arena *a, pool_page page);
pool_page __recut_pool_run_best(const struct pool_arena *a, uint32_t n);
pool_page __recut_pool_run_dirtiest(const struct pool_arena *a);
/* The free run that starts at, or ends before, this page; 0 if none does. */
pool_page __recut_pool_run_after(pool_page page);
pool_page __recut_pool_run_before(pool_page page);

/* pool_map.c */
bool __recut_pool_grow(struct pool_arena *a, uint32_t more, uint32_t need);
bool __recut_pool_map_tables(pool_page first, pool_page end);
int __recut_pool_map(uintptr_t at, size_t bytes);
/* By unit of the shared range: 0, slot + 1, or POOL_ORPHAN; atomic. */
#define POOL_UNITS ((RECUT_POOL_END - RECUT_POOL_SHARED) / POOL_UNIT)
#define POOL_ORPHAN UINT16_MAX
extern uint16_t __recut_pool_unit_owner[POOL_UNITS];

/* pool_arena.c */
struct pool_arena *__recut_pool_attach(void);
struct pool_arena *__recut_pool_owner(uintptr_t p);
struct pool_arena *__recut_pool_arena(uint32_t slot);
struct pool_arena *__recut_pool_arena_restored(uint32_t slot);

/* pool_remote.c */
void __recut_pool_remote_free(struct pool_arena *owner, uintptr_t p);
bool __recut_pool_remote_collect(struct pool_arena *a);

/* pool_inspect.c */
void __recut_pool_refuse(const char *call, uintptr_t p) __attribute__((noreturn, cold));

#endif
