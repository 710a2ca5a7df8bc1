/*
 * What a load of a local gets: of the stores to it, those that reach the load.
 *
 * At -O0 every variable lives in memory, and one object of memory holds the same at all times, to
 * this analysis.  A local that is only loaded and stored as a whole (pta_return.c) is a variable of
 * static single assignment at heart:
 *
 *     for (n = first; n; n = n->next) ...       loads here get `first` or `n->next`
 *     for (n = other; n; n = n->next) ...       and these get `other`, or `n->next` from here
 *
 * A load asks its block, and that its predecessors, for the last store; where ways meet is a node
 * that all of them go into (Braun and others, "Simple and efficient construction of static single
 * assignment form", 2013, with all stores known from the beginning).  Functions with setjmp() and
 * its kind are left out: there control comes back to where no edge of the flow graph leads from.
 *
 * Cost: what is asked for, at most blocks times locals.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/pta_impl.h"

/* Nodes by (block, local), plus one; of blocks' ends or beginnings. */
struct entry {
    uint64_t key; /* 0: free */
    uint32_t node;
};

struct table {
    struct entry *entries;
    size_t mask, used;
};

struct meeting {
    block_id block;
    memory_id local;
    uint32_t node;
};

struct reaching {
    struct pta *pta;
    struct table ends, beginnings; /* what blocks store last; what they begin with, if asked */
    VEC(struct meeting) meetings;  /* whose ways are not looked at yet */
};

static struct entry *find(const struct table *table, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & table->mask;
    while (table->entries[at].key && table->entries[at].key != key)
        at = (at + 1) & table->mask;
    return &table->entries[at];
}

static void set(struct table *table, block_id block, memory_id local, uint32_t node) {
    uint64_t key = ((uint64_t)block << 32 | local) + 1;
    struct entry *entry = find(table, key);
    table->used += !entry->key;
    *entry = (struct entry){key, node};
    if (2 * table->used <= table->mask)
        return;
    struct entry *old = table->entries;
    size_t count = table->mask + 1;
    table->mask = 2 * count - 1;
    table->entries = mem_zalloc(table->mask + 1, sizeof *table->entries);
    for (size_t i = 0; i < count; i++)
        if (old[i].key)
            *find(table, old[i].key) = old[i];
    free(old);
}

static bool get(const struct table *table, block_id block, memory_id local, uint32_t *ret) {
    const struct entry *entry = find(table, ((uint64_t)block << 32 | local) + 1);
    *ret = entry->node;
    return entry->key;
}

/* The local of a load or a store of one that is plain; NO_ID else. */
static memory_id local_of_access(const struct pta *pta, const struct instruction *access) {
    value_id address = access->opcode == OP_LOAD    ? access->read_at
                       : access->opcode == OP_STORE ? access->written_at
                                                    : NO_ID;
    memory_id local = pta_local(pta, address);
    return local != NO_ID && pta->locals[local].is_plain && pta->locals[local].stored.count > 1
               ? local
               : NO_ID;
}

static uint32_t stored_node(const struct pta *pta, const struct instruction *store) {
    value_id value = pta_operand(pta, store, 0);
    return pta_can_hold_pointer(pta->program, value) ? value : PTA_NOTHING;
}

/* What a local is where a block begins. */
static uint32_t at_begin(struct reaching *reaching, block_id block, memory_id local) {
    const struct program *program = reaching->pta->program;
    uint32_t node;
    block_id at = block;
    /* More steps are a circle that nothing leads into. */
    uint32_t most = program->functions.data[program->blocks.data[at].function].blocks.count;
    for (uint32_t step = 0; step <= most; step++) {
        struct range from = program->blocks.data[at].predecessors;
        if (get(&reaching->beginnings, at, local, &node))
            break;
        if (!from.count || step == most) {
            node = PTA_NOTHING;
            break;
        }
        if (from.count > 1) {
            node = andersen_node(reaching->pta->solver);
            VEC_PUSH(&reaching->meetings, (struct meeting){at, local, node});
            set(&reaching->beginnings, at, local, node);
            break;
        }
        at = program->edges.data[from.first];
        if (get(&reaching->ends, at, local, &node))
            break;
    }
    /* For those that ask on the way. */
    for (uint32_t k = 0; block != at && k < most; k++) {
        set(&reaching->beginnings, block, local, node);
        block = program->edges.data[program->blocks.data[block].predecessors.first];
    }
    return node;
}

static uint32_t at_end(struct reaching *reaching, block_id block, memory_id local) {
    uint32_t node;
    return get(&reaching->ends, block, local, &node) ? node : at_begin(reaching, block, local);
}

static void meet(struct reaching *reaching) {
    const struct program *program = reaching->pta->program;
    while (reaching->meetings.count) {
        struct meeting meeting = reaching->meetings.data[--reaching->meetings.count];
        struct range from = program->blocks.data[meeting.block].predecessors;
        for (uint32_t i = 0; i < from.count; i++) {
            uint32_t node = at_end(reaching, program->edges.data[from.first + i], meeting.local);
            if (node != PTA_NOTHING && node != meeting.node)
                andersen_copy(reaching->pta->solver, meeting.node, node);
        }
    }
}

static void find_ends(struct reaching *reaching, struct range instructions) {
    for (uint32_t i = instructions.first; i < instructions.first + instructions.count; i++) {
        const struct instruction *at = &reaching->pta->program->instructions.data[i];
        memory_id local = at->opcode == OP_STORE ? local_of_access(reaching->pta, at) : NO_ID;
        if (local != NO_ID)
            set(&reaching->ends, at->block, local, stored_node(reaching->pta, at));
    }
}

static void find_loads(struct reaching *reaching, struct range instructions) {
    struct pta *pta = reaching->pta;
    struct table now = {mem_zalloc(64, sizeof *now.entries), 63, 0};
    for (uint32_t i = instructions.first; i < instructions.first + instructions.count; i++) {
        const struct instruction *at = &pta->program->instructions.data[i];
        memory_id local = local_of_access(pta, at);
        uint32_t node;
        if (local == NO_ID)
            continue;
        if (at->opcode == OP_STORE)
            set(&now, at->block, local, stored_node(pta, at));
        else
            pta->reached[i] =
                get(&now, at->block, local, &node) ? node : at_begin(reaching, at->block, local);
    }
    free(now.entries);
}

static bool comes_back(const struct program *program, struct range instructions) {
    for (uint32_t i = instructions.first; i < instructions.first + instructions.count; i++)
        if (program->instructions.data[i].flags & INSTRUCTION_RETURNS_TWICE)
            return true;
    return false;
}

void pta_find_reached(struct pta *pta) {
    const struct program *program = pta->program;
    size_t count = program->instructions.count + 1;
    pta->reached = mem_alloc(count * sizeof *pta->reached);
    memset(pta->reached, 0xff, count * sizeof *pta->reached);
    for (function_id f = 0; f < program->functions.count; f++) {
        struct range instructions = program->functions.data[f].instructions;
        if (comes_back(program, instructions))
            continue;
        struct reaching reaching = {
            .pta = pta,
            .ends = {mem_zalloc(64, sizeof(struct entry)), 63, 0},
            .beginnings = {mem_zalloc(64, sizeof(struct entry)), 63, 0},
        };
        find_ends(&reaching, instructions);
        find_loads(&reaching, instructions);
        meet(&reaching);
        free(reaching.ends.entries);
        free(reaching.beginnings.entries);
        VEC_DEINIT(&reaching.meetings);
    }
}
