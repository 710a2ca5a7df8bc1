/*
 * Work that was done before: large sets that are the same go the same ways.
 *
 * Where a program mixes what it points to, thousands of nodes get the same large
 * set in the same round, and are shifted and accessed by few different offsets.  A
 * direct-mapped table remembers, for a set and an offset, where it led: to a set,
 * for shifts, or to the one node that the cells of a large access have become.
 */
#include "analysis/andersen_impl.h"

enum { ENTRIES = 4096 };

struct memo {
    uint64_t key;
    uint32_t from, to; /* sets */
    uint32_t hub;
};

static uint64_t mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 32;
}

static uint64_t key_of(const struct constraint *constraint, const struct bitset *set) {
    const struct andersen_shift *by = &constraint->shift;
    uint64_t hash = mix(constraint->kind, (uint64_t)(constraint->offset + by->offset));
    hash = mix(mix(mix(hash, by->stride), by->extent), constraint->size);
    hash = mix(mix(hash, (uint64_t)by->array_at), by->array_size);
    hash = mix(hash, (uint64_t)by->leaves << 2 | by->is_step << 1 | by->is_last_array);
    for (uint32_t i = 0; i < set->count; i++)
        hash = mix(hash, (uint64_t)set->words[i].key << 32 | set->words[i].bits);
    return hash;
}

struct memo *andersen_memo(struct andersen *solver, const struct constraint *constraint,
                           uint32_t set, bool *ret_is_known) {
    const struct bitset *bits = sets_get(solver->sets, set);
    if (bits->count < solver->smallest_memo)
        return NULL;
    if (!solver->memos)
        solver->memos = mem_zalloc(ENTRIES, sizeof *solver->memos);
    uint64_t key = key_of(constraint, bits);
    struct memo *memo = &solver->memos[key % ENTRIES];
    *ret_is_known = memo->key == key && memo->from == set;
    if (*ret_is_known)
        return memo;
    *memo = (struct memo){.key = key, .from = set, .hub = NONE};
    return memo;
}

uint32_t *andersen_memo_set(struct memo *memo) { return &memo->to; }

uint32_t *andersen_memo_hub(struct memo *memo) { return &memo->hub; }

void andersen_memo_mark(struct andersen *solver) {
    for (size_t i = 0; solver->memos && i < ENTRIES; i++) {
        sets_mark(solver->sets, solver->memos[i].from);
        sets_mark(solver->sets, solver->memos[i].to);
    }
}
