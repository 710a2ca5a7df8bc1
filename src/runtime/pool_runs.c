/*
 * Which free run fits best?
 *
 * An arena's free runs are the nodes of a treap, ordered by length, then by
 * address: best fit, lowest address first, in O(log n).  A node's priority is a
 * hash of its page number, so that the shape of the tree depends on nothing
 * else.  The nodes lie in the span table, at a run's first page; the entry of
 * the last page tells where the run starts, so that a neighbour that is freed
 * finds it from either side:
 *
 *      | run_pages = 4 |   .   |   .   | run_start |
 *        left, right                     = first
 *
 * Both marks are 0 in every page that is not the first or last of a run.
 */
#include "runtime/pool_impl.h"

static uint32_t priority(pool_page page) {
    uint32_t h = page * 0x9e3779b1U;
    return h ^ h >> 15;
}

static bool before(pool_page a, pool_page b) {
    uint32_t an = pool_span_at(a)->run_pages, bn = pool_span_at(b)->run_pages;
    return an != bn ? an < bn : a < b;
}

static void tree_insert(pool_page *link, pool_page node) {
    while (*link != 0 && priority(*link) >= priority(node))
        link = before(node, *link) ? &pool_span_at(*link)->left : &pool_span_at(*link)->right;

    /* Split the subtree there into what is before and what is after. */
    pool_page rest = *link;
    *link = node;
    pool_page *left = &pool_span_at(node)->left, *right = &pool_span_at(node)->right;
    while (rest != 0) {
        if (before(rest, node)) {
            *left = rest;
            left = &pool_span_at(rest)->right;
            rest = *left;
        } else {
            *right = rest;
            right = &pool_span_at(rest)->left;
            rest = *right;
        }
    }
    *left = *right = 0;
}

static void tree_remove(pool_page *link, pool_page node) {
    while (*link != node)
        link = before(node, *link) ? &pool_span_at(*link)->left : &pool_span_at(*link)->right;

    pool_page left = pool_span_at(node)->left, right = pool_span_at(node)->right;
    while (left != 0 && right != 0) {
        if (priority(left) >= priority(right)) {
            *link = left;
            link = &pool_span_at(left)->right;
            left = *link;
        } else {
            *link = right;
            link = &pool_span_at(right)->left;
            right = *link;
        }
    }
    *link = left != 0 ? left : right;
}

/* Neighbours are not joined here: see pages_give. */
void __recut_pool_run_add(struct pool_arena *a, pool_page page, uint32_t n,
                          struct pool_range dirty) {
    struct pool_span *s = pool_span_at(page);
    s->run_pages = n;
    s->run_dirty = dirty;
    pool_span_at(page + n - 1)->run_start = page;
    tree_insert(&a->runs, page);
    a->free_pages += n;
    a->dirty_pages += dirty.end - dirty.from;
}

void __recut_pool_run_remove(struct pool_arena *a, pool_page page) {
    struct pool_span *s = pool_span_at(page);
    tree_remove(&a->runs, page);
    a->free_pages -= s->run_pages;
    a->dirty_pages -= s->run_dirty.end - s->run_dirty.from;
    pool_span_at(page + s->run_pages - 1)->run_start = 0;
    s->run_pages = 0;
}

pool_page __recut_pool_run_best(const struct pool_arena *a, uint32_t n) {
    pool_page best = 0;
    for (pool_page at = a->runs; at != 0;) {
        const struct pool_span *s = pool_span_at(at);
        if (s->run_pages >= n) {
            best = at;
            at = s->left;
        } else {
            at = s->right;
        }
    }
    return best;
}

/*
 * The last dirty run in the tree's order, 0 if there is none.  Clean runs above
 * it are passed over by recursion, which is as deep as the tree: logarithmic.
 */
static pool_page dirtiest(pool_page at) {
    while (at != 0) {
        const struct pool_span *s = pool_span_at(at);
        pool_page found = dirtiest(s->right);
        if (found != 0)
            return found;
        if (s->run_dirty.end != 0)
            return at;
        at = s->left;
    }
    return 0;
}

pool_page __recut_pool_run_dirtiest(const struct pool_arena *a) { return dirtiest(a->runs); }

pool_page __recut_pool_run_after(pool_page page) {
    return pool_page_in_use(page) || pool_span_at(page)->run_pages == 0 ? 0 : page;
}

pool_page __recut_pool_run_before(pool_page page) {
    return pool_page_in_use(page - 1) ? 0 : pool_span_at(page - 1)->run_start;
}
