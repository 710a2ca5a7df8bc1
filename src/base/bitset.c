/* Sparse sets as sorted arrays of words; see bitset.h. */
#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BITS = 32 };

/* The first word whose key is not smaller. */
static uint32_t find(const struct bitset *set, uint32_t key) {
    uint32_t low = 0, high = set->count;
    if (high && set->words[high - 1].key < key)
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->words[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reserve(struct bitset *set, uint32_t capacity) {
    if (capacity <= set->capacity)
        return;
    uint32_t doubled = set->capacity + set->capacity / 2;
    set->capacity = capacity > doubled ? capacity : doubled;
    set->words = mem_realloc(set->words, set->capacity, sizeof *set->words);
}

bool bitset_add(struct bitset *set, uint32_t element) {
    uint32_t at = find(set, element / BITS), bit = 1u << element % BITS;
    if (at < set->count && set->words[at].key == element / BITS) {
        bool is_new = !(set->words[at].bits & bit);
        set->words[at].bits |= bit;
        return is_new;
    }
    reserve(set, set->count + 1);
    memmove(&set->words[at + 1], &set->words[at], (set->count - at) * sizeof *set->words);
    set->words[at] = (struct bitset_word){element / BITS, bit};
    set->count++;
    return true;
}

bool bitset_has(const struct bitset *set, uint32_t element) {
    uint32_t at = find(set, element / BITS);
    return at < set->count && set->words[at].key == element / BITS &&
           set->words[at].bits >> element % BITS & 1;
}

uint32_t bitset_count(const struct bitset *set) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->count; i++)
        count += (uint32_t)__builtin_popcount(set->words[i].bits);
    return count;
}

/* Appends a word whose key is larger than all that are there. */
static void append(struct bitset *set, uint32_t key, uint32_t bits) {
    if (!bits)
        return;
    reserve(set, set->count + 1);
    set->words[set->count++] = (struct bitset_word){key, bits};
}

/* What `from` has and `set` has not; `ret_words` of it need a new word in `set`. */
static struct bitset missing(const struct bitset *set, const struct bitset *from,
                             uint32_t *ret_words) {
    struct bitset news = {0};
    uint32_t at = 0, words = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        struct bitset_word word = from->words[i];
        while (at < set->count && set->words[at].key < word.key)
            at++;
        bool is_there = at < set->count && set->words[at].key == word.key;
        append(&news, word.key, word.bits & ~(is_there ? set->words[at].bits : 0));
        words += !is_there;
    }
    *ret_words = words;
    return news;
}

/* Adds what is known not to be there, from the end, in place. */
static void merge(struct bitset *set, const struct bitset *news, uint32_t words) {
    reserve(set, set->count + words);
    uint32_t to = set->count + words, at = set->count, i = news->count;
    set->count = to;
    while (i) {
        struct bitset_word word = news->words[i - 1];
        if (at && set->words[at - 1].key >= word.key) {
            bool same = set->words[at - 1].key == word.key;
            set->words[--to] = set->words[--at];
            if (!same)
                continue;
            set->words[to].bits |= word.bits;
        } else {
            set->words[--to] = word;
        }
        i--;
    }
}

bool bitset_union_news(struct bitset *set, const struct bitset *from, struct bitset *news) {
    uint32_t words;
    struct bitset more = missing(set, from, &words);
    bool changed = !bitset_is_empty(&more);
    if (changed) {
        merge(set, &more, words);
        if (news)
            bitset_union(news, &more);
    }
    bitset_deinit(&more);
    return changed;
}

bool bitset_union(struct bitset *set, const struct bitset *from) {
    return bitset_union_news(set, from, NULL);
}

void bitset_add_difference(struct bitset *set, const struct bitset *a, const struct bitset *b) {
    uint32_t words;
    struct bitset only_a = missing(b, a, &words), only_b = missing(a, b, &words);
    bitset_union(set, &only_a);
    bitset_union(set, &only_b);
    bitset_deinit(&only_a);
    bitset_deinit(&only_b);
}

static void collect(struct bitset_collect *all, uint32_t key, uint32_t bits) {
    if (key >= all->capacity) {
        uint32_t capacity = key + key / 2 + 64;
        all->words = mem_realloc(all->words, capacity, sizeof *all->words);
        memset(all->words + all->capacity, 0, (capacity - all->capacity) * sizeof *all->words);
        all->capacity = capacity;
    }
    if (all->is_empty || key < all->first)
        all->first = key;
    if (all->is_empty || key > all->last)
        all->last = key;
    all->is_empty = false;
    all->words[key] |= bits;
}

void bitset_collect_add(struct bitset_collect *all, uint32_t element) {
    collect(all, element / BITS, 1u << element % BITS);
}

void bitset_collect_words(struct bitset_collect *all, const struct bitset_word *words,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        collect(all, words[i].key, words[i].bits);
}

struct bitset bitset_collect_take(struct bitset_collect *all) {
    struct bitset set = {0};
    for (uint32_t key = all->first; !all->is_empty && key <= all->last; key++) {
        append(&set, key, all->words[key]);
        all->words[key] = 0;
    }
    all->is_empty = true;
    return set;
}

void bitset_collect_deinit(struct bitset_collect *all) {
    free(all->words);
    *all = (struct bitset_collect){.is_empty = true};
}

bool bitset_includes(const struct bitset *set, const struct bitset *part) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        while (at < set->count && set->words[at].key < part->words[i].key)
            at++;
        if (at == set->count || set->words[at].key != part->words[i].key ||
            part->words[i].bits & ~set->words[at].bits)
            return false;
    }
    return true;
}

bool bitset_intersects(const struct bitset *a, const struct bitset *b) {
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->words[i].key < b->words[j].key)
            i++;
        else if (a->words[i].key > b->words[j].key)
            j++;
        else if (a->words[i++].bits & b->words[j++].bits)
            return true;
    }
    return false;
}

void bitset_deinit(struct bitset *set) {
    free(set->words);
    *set = (struct bitset){0};
}
