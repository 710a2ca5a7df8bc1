/*
 * Work that was done before: large sets that are the same go the same ways.
 *
 * Where a program mixes what it points to, thousands of nodes get the same large
 * set in the same round, and are shifted and accessed by few different offsets.  A
 * direct-mapped table remembers, for a set and an offset, where it led: to a set,
 * for shifts, or to the one node that the cells of a large access have become.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/andersen_impl.h"

enum { ENTRIES = 4096 };

struct memo {
    uint64_t key;
    struct bitset from, to;
    uint32_t hub;
};

static uint64_t mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 32;
}

static uint64_t key_of(const struct constraint *constraint, const struct bitset *set) {
    uint64_t hash = mix(constraint->kind, (uint64_t)constraint->offset);
    hash = mix(mix(mix(hash, constraint->stride), constraint->extent), constraint->size);
    for (uint32_t i = 0; i < set->count; i++)
        hash = mix(hash, (uint64_t)set->words[i].key << 32 | set->words[i].bits);
    return hash;
}

static bool is_same(const struct bitset *a, const struct bitset *b) {
    return a->count == b->count && memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

struct memo *andersen_memo(struct andersen *solver, const struct constraint *constraint,
                           const struct bitset *set, bool *ret_is_known) {
    if (set->count < solver->smallest_memo)
        return NULL;
    if (!solver->memos)
        solver->memos = mem_zalloc(ENTRIES, sizeof *solver->memos);
    uint64_t key = key_of(constraint, set);
    struct memo *memo = &solver->memos[key % ENTRIES];
    *ret_is_known = memo->key == key && is_same(&memo->from, set);
    if (*ret_is_known)
        return memo;
    bitset_deinit(&memo->from);
    bitset_deinit(&memo->to);
    bitset_union(&memo->from, set);
    memo->key = key;
    memo->hub = NONE;
    return memo;
}

struct bitset *andersen_memo_set(struct memo *memo) { return &memo->to; }

uint32_t *andersen_memo_hub(struct memo *memo) { return &memo->hub; }

void andersen_memo_free(struct memo *memos) {
    for (size_t i = 0; memos && i < ENTRIES; i++) {
        bitset_deinit(&memos[i].from);
        bitset_deinit(&memos[i].to);
    }
    free(memos);
}
