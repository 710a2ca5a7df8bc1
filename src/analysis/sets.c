/*
 * Sets by numbers; see sets.h.
 *
 * A table finds a set by a hash of its words.  Another one, direct-mapped, remembers unions.
 *
 * Cost: of a union that is not remembered, the words of both sets.
 */
#include "analysis/sets.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/mem.h"

enum {
    UNIONS = 1 << 16,       /* that are remembered */
    FIRST_SWEEP = 64 << 20, /* bytes */
    WORD_BITS = 32,
};

struct set {
    struct bitset bits; /* in `words` */
    uint64_t hash;
    uint32_t count;
    bool is_marked;
    struct bitset_word words[];
};

struct set_union {
    uint32_t a, b, both, news; /* a 0: free */
    bool has_news;
};

typedef VEC(uint32_t) id_vec;

struct sets {
    VEC(struct set *) all; /* NULL: free */
    id_vec vacant;
    uint32_t *table; /* ids; 0: free */
    size_t mask, used;
    struct set_union *unions;
    struct bitset_word *scratch[2]; /* a union, and what is new in it */
    uint32_t capacity;
    size_t bytes, sweep_at;
};

static size_t size_of(uint32_t words) {
    return sizeof(struct set) + words * sizeof(struct bitset_word);
}

struct sets *sets_new(void) {
    struct sets *sets = mem_zalloc(1, sizeof *sets);
    sets->mask = 1023;
    sets->table = mem_zalloc(sets->mask + 1, sizeof *sets->table);
    sets->unions = mem_zalloc(UNIONS, sizeof *sets->unions);
    sets->sweep_at = FIRST_SWEEP;
    VEC_PUSH(&sets->all, mem_zalloc(1, sizeof(struct set))); /* SETS_EMPTY */
    return sets;
}

void sets_free(struct sets *sets) {
    if (!sets)
        return;
    for (size_t i = 0; i < sets->all.count; i++)
        free(sets->all.data[i]);
    VEC_DEINIT(&sets->all);
    VEC_DEINIT(&sets->vacant);
    free(sets->table);
    free(sets->unions);
    free(sets->scratch[0]);
    free(sets->scratch[1]);
    free(sets);
}

const struct bitset *sets_get(const struct sets *sets, uint32_t set) {
    return &sets->all.data[set]->bits;
}

uint32_t sets_count(const struct sets *sets, uint32_t set) { return sets->all.data[set]->count; }

/* --- the table -------------------------------------------------------------------------------- */

static void insert(struct sets *sets, uint32_t id) {
    size_t at = (size_t)sets->all.data[id]->hash & sets->mask;
    while (sets->table[at])
        at = (at + 1) & sets->mask;
    sets->table[at] = id;
}

static void make_table(struct sets *sets, size_t mask) {
    free(sets->table);
    sets->mask = mask;
    sets->table = mem_zalloc(mask + 1, sizeof *sets->table);
    for (uint32_t id = 1; id < sets->all.count; id++)
        if (sets->all.data[id])
            insert(sets, id);
}

static uint32_t new_set(struct sets *sets, const struct bitset_word *words, uint32_t count,
                        uint64_t hash) {
    struct set *set = mem_alloc(size_of(count));
    *set = (struct set){.bits = {set->words, count, count}, .hash = hash};
    memcpy(set->words, words, count * sizeof *words);
    for (uint32_t i = 0; i < count; i++)
        set->count += (uint32_t)__builtin_popcount(words[i].bits);
    uint32_t id = (uint32_t)sets->all.count;
    if (sets->vacant.count) {
        id = sets->vacant.data[--sets->vacant.count];
        sets->all.data[id] = set;
    } else {
        VEC_PUSH(&sets->all, set);
    }
    sets->bytes += size_of(count);
    if (2 * ++sets->used > sets->mask)
        make_table(sets, 2 * sets->mask + 1);
    else
        insert(sets, id);
    return id;
}

static uint32_t find(struct sets *sets, const struct bitset_word *words, uint32_t count) {
    if (!count)
        return SETS_EMPTY;
    uint64_t hash = XXH3_64bits(words, count * sizeof *words);
    for (size_t at = (size_t)hash & sets->mask; sets->table[at]; at = (at + 1) & sets->mask) {
        const struct set *set = sets->all.data[sets->table[at]];
        if (set->hash == hash && set->bits.count == count &&
            memcmp(set->words, words, count * sizeof *words) == 0)
            return sets->table[at];
    }
    return new_set(sets, words, count, hash);
}

uint32_t sets_take(struct sets *sets, struct bitset *of) {
    uint32_t set = find(sets, of->words, of->count);
    bitset_deinit(of);
    return set;
}

/* --- computing -------------------------------------------------------------------------------- */

static void reserve(struct sets *sets, uint32_t words) {
    if (words <= sets->capacity)
        return;
    sets->capacity = words + words / 2;
    for (int i = 0; i < 2; i++)
        sets->scratch[i] = mem_realloc(sets->scratch[i], sets->capacity, sizeof *sets->scratch[i]);
}

uint32_t sets_add(struct sets *sets, uint32_t set, uint32_t element) {
    const struct bitset *bits = sets_get(sets, set);
    struct bitset_word more = {element / WORD_BITS, 1u << element % WORD_BITS};
    if (bitset_has(bits, element))
        return set;
    reserve(sets, bits->count + 1);
    struct bitset_word *to = sets->scratch[0];
    uint32_t at = 0, count = 0;
    while (at < bits->count && bits->words[at].key < more.key)
        to[count++] = bits->words[at++];
    if (at < bits->count && bits->words[at].key == more.key)
        more.bits |= bits->words[at++].bits;
    to[count++] = more;
    if (at < bits->count)
        memcpy(to + count, bits->words + at, (bits->count - at) * sizeof *to);
    return find(sets, to, count + (bits->count - at));
}

struct merged {
    uint32_t count, news;
};

/* The union in scratch[0], what is new in scratch[1]. */
static struct merged merge(struct sets *sets, const struct bitset *a, const struct bitset *b) {
    struct bitset_word *both = sets->scratch[0], *news = sets->scratch[1];
    struct merged merged = {0, 0};
    uint32_t i = 0, k = 0;
    while (i < a->count && k < b->count) {
        struct bitset_word x = a->words[i], y = b->words[k];
        uint32_t key = x.key < y.key ? x.key : y.key;
        uint32_t old = x.key == key ? x.bits : 0, more = y.key == key ? y.bits : 0;
        both[merged.count++] = (struct bitset_word){key, old | more};
        news[merged.news] = (struct bitset_word){key, more & ~old};
        merged.news += (more & ~old) != 0;
        i += x.key == key;
        k += y.key == key;
    }
    if (i < a->count)
        memcpy(both + merged.count, a->words + i, (a->count - i) * sizeof *both);
    merged.count += a->count - i;
    if (k < b->count) {
        memcpy(both + merged.count, b->words + k, (b->count - k) * sizeof *both);
        memcpy(news + merged.news, b->words + k, (b->count - k) * sizeof *news);
    }
    merged.count += b->count - k;
    merged.news += b->count - k;
    return merged;
}

uint32_t sets_union(struct sets *sets, uint32_t a, uint32_t b, uint32_t *ret_news) {
    uint32_t ignored;
    uint32_t *news = ret_news ? ret_news : &ignored;
    *news = a == SETS_EMPTY ? b : SETS_EMPTY;
    if (a == SETS_EMPTY || b == SETS_EMPTY || a == b)
        return a == SETS_EMPTY ? b : a;
    uint64_t key = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15ULL;
    struct set_union *known = &sets->unions[key >> 48 & (UNIONS - 1)];
    if (known->a == a && known->b == b && (known->has_news || !ret_news)) {
        *news = known->news;
        return known->both;
    }
    const struct bitset *x = sets_get(sets, a), *y = sets_get(sets, b);
    reserve(sets, x->count + y->count + 1);
    struct merged merged = merge(sets, x, y);
    uint32_t both = merged.news ? find(sets, sets->scratch[0], merged.count) : a;
    *news = ret_news ? find(sets, sets->scratch[1], merged.news) : SETS_EMPTY;
    *known = (struct set_union){a, b, both, *news, ret_news != NULL};
    return both;
}

/* --- what is no longer used ------------------------------------------------------------------- */

bool sets_are_many(const struct sets *sets) { return sets->bytes > sets->sweep_at; }

void sets_mark(struct sets *sets, uint32_t set) { sets->all.data[set]->is_marked = true; }

void sets_sweep(struct sets *sets) {
    sets->bytes = sets->used = 0;
    for (uint32_t id = 1; id < sets->all.count; id++) {
        struct set *set = sets->all.data[id];
        if (!set)
            continue;
        if (set->is_marked) {
            set->is_marked = false;
            sets->bytes += size_of(set->bits.count);
            sets->used++;
            continue;
        }
        free(set);
        sets->all.data[id] = NULL;
        VEC_PUSH(&sets->vacant, id);
    }
    sets->all.data[SETS_EMPTY]->is_marked = false;
    memset(sets->unions, 0, UNIONS * sizeof *sets->unions);
    make_table(sets, sets->mask);
    sets->sweep_at = 2 * sets->bytes > FIRST_SWEEP ? 2 * sets->bytes : FIRST_SWEEP;
}
