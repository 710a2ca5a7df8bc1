/*
 * What happens when a thread frees a block of another thread's arena?
 *
 * It sets the block's bit in the span's `remote` words and makes sure that the
 * span is in the owner's list of such spans.  The owner, when it is out of
 * blocks of a class or needs pages, takes the whole list at once and moves the
 * bits to where they count.  Both sides work on different words; nothing is
 * written into the block.
 *
 *   remote thread                         owner
 *     set bit                               take list (exchange with 0)
 *     pending: 0 -> 1 ?                     for each span:
 *       push span onto list                   remember next, pending = 0
 *                                             take remote words (exchange)
 *
 * A bit that is set after the owner took the words finds pending = 0, so the
 * span is pushed again.  Nothing but the owner removes from the list, and it
 * takes all: there is no ABA problem.
 *
 * In a run with threads that is recorded or replayed, what the owner finds must not
 * be left to chance.  Then a thread keeps what it frees of others and gives it back
 * some at a time; both that and the owner's looking for it have a place in an order
 * that is kept (__recut_pool_order).
 */
#include "runtime/pool_impl.h"

#include "runtime/raw.h"

static void push(struct pool_arena *owner, pool_page page) {
    struct pool_span *s = pool_span_at(page);
    pool_page head = __atomic_load_n(&owner->remote, __ATOMIC_RELAXED);
    do
        __atomic_store_n(&s->remote_next, head, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&owner->remote, &head, page, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

const struct pool_order *__recut_pool_order;
const struct pool_border *__recut_pool_border;

static bool begin_order(void) { return !__recut_pool_order || __recut_pool_order->begin(); }

static void end_order(void) {
    if (__recut_pool_order)
        __recut_pool_order->end();
}

/* What this thread freed of others' and did not give back yet. */
static _Thread_local struct {
    uintptr_t *blocks;
    size_t count, capacity;
} kept;

static bool keep(uintptr_t p) {
    if (kept.count == kept.capacity) {
        size_t capacity = kept.capacity ? 2 * kept.capacity : 512;
        uintptr_t *blocks = raw_scratch(capacity * sizeof *blocks);
        if (!blocks)
            return false;
        for (size_t i = 0; i < kept.count; i++)
            blocks[i] = kept.blocks[i];
        raw_scratch_end(kept.blocks, kept.capacity * sizeof *blocks);
        kept.blocks = blocks;
        kept.capacity = capacity;
    }
    kept.blocks[kept.count++] = p;
    return true;
}

static void give_back(struct pool_arena *owner, uintptr_t p);

void __recut_pool_remote_flush(void) {
    if (!kept.count || !begin_order())
        return;
    for (size_t i = 0; i < kept.count; i++) {
        struct pool_arena *owner = __recut_pool_owner(kept.blocks[i]);
        if (!owner)
            __recut_pool_refuse("free", kept.blocks[i]);
        give_back(owner, kept.blocks[i]);
    }
    kept.count = 0;
    end_order();
}

void __recut_pool_remote_free(struct pool_arena *owner, uintptr_t p) {
    enum { enough = 64 };
    if (!__recut_pool_order || !keep(p)) {
        give_back(owner, p);
        return;
    }
    if (kept.count >= enough)
        __recut_pool_remote_flush();
}

static void give_back(struct pool_arena *owner, uintptr_t p) {
    struct pool_span *s = pool_span_of(p);
    uint64_t offset = p - s->start;
    unsigned __int128 product = (unsigned __int128)offset * s->recip;
    if (offset >= s->bytes || (uint64_t)product >= s->recip)
        __recut_pool_refuse("free", p);
    unsigned index = (unsigned)(product >> 64), word = index / 64;
    uint64_t bit = 1ULL << (index % 64);
    if (__atomic_load_n(&s->free[word], __ATOMIC_RELAXED) & bit)
        __recut_pool_refuse("free", p);
    /* From here on the owner may see the block, and do anything to the span. */
    pool_page page = pool_span_page(s);
    if (__atomic_fetch_or(&s->remote[word], bit, __ATOMIC_ACQ_REL) & bit)
        __recut_pool_refuse("free", p);
    if (__atomic_exchange_n(&s->pending, 1, __ATOMIC_ACQ_REL) == 0)
        push(owner, page);
}

static void collect_span(struct pool_arena *a, struct pool_span *s) {
    for (unsigned word = 0; word < POOL_WORDS; word++) {
        if (__atomic_load_n(&s->remote[word], __ATOMIC_RELAXED) == 0)
            continue;
        uint64_t bits = __atomic_exchange_n(&s->remote[word], 0, __ATOMIC_ACQ_REL);
        uint64_t old = s->free[word];
        uint64_t twice = s->state == SPAN_DEAD ? bits : old & bits;
        if (twice)
            __recut_pool_refuse("free", s->start + (word * 64 + (unsigned)__builtin_ctzll(twice)) *
                                                       s->size);
        __atomic_store_n(&s->free[word], old | bits, __ATOMIC_RELAXED);
        if (old == 0 || (old | bits) == s->whole)
            __recut_pool_settle(a, s, word);
    }
}

static bool collect(struct pool_arena *a) {
    if (__atomic_load_n(&a->remote, __ATOMIC_RELAXED) == 0)
        return false;
    pool_page page = __atomic_exchange_n(&a->remote, 0, __ATOMIC_ACQUIRE);
    while (page != 0) {
        struct pool_span *s = pool_span_at(page);
        page = __atomic_load_n(&s->remote_next, __ATOMIC_RELAXED);
        __atomic_exchange_n(&s->pending, 0, __ATOMIC_ACQ_REL);
        collect_span(a, s);
    }
    return true;
}

/* True if anything was there. */
bool __recut_pool_remote_collect(struct pool_arena *a) {
    if (__recut_pool_border && __recut_pool_border->begin(a)) {
        bool found = collect(a);
        __recut_pool_border->end();
        return found;
    }
    if (!__recut_pool_order)
        return collect(a);
    if (!begin_order())
        return false;
    bool found = collect(a);
    end_order();
    return found;
}
