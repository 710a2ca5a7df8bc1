/*
 * Locks that are held, forward over the flow of each function until nothing changes; locks.h.
 *
 * What a function holds when it begins is what all calls of it hold, and nothing where a thread
 * begins.  What it has taken by itself when it returns, on all ways, its callers hold from then on.
 *
 * Cost: instructions times locks, a few rounds.
 */
#include "analysis/locks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOCKS = 63 }; /* a set is one word; the bit behind them stands for "not reached" */

/* Locks that are held; those that are shared with other readers have both bits. */
struct held {
    uint64_t locks, shared;
};

enum action { ACTION_NONE, ACTION_LOCK, ACTION_LOCK_SHARED, ACTION_UNLOCK, ACTION_WAIT };

struct locks {
    const struct sdg *sdg;
    const struct program *program;
    VEC(uint64_t) objects; /* object and offset, by lock */
    uint8_t *actions;      /* by instruction */
    uint32_t *lock_of;     /* by instruction with an action; NO_ID: which, is not known */
    uint64_t *released;    /* by function: what it may give back */
    uint64_t *taken;       /* by function: what it may take */
    struct held *gained;   /* by function: what it has surely taken when it returns */
    struct held *begin;    /* by function */
    struct held *at;       /* by instruction: in front of it */
    bool *is_reached;      /* by instruction */
};

static enum action action_of(const struct locks *locks, instruction_id call, uint32_t *operand) {
    static const struct {
        const char *name;
        enum action action;
        uint32_t operand;
    } known[] = {
        {"pthread_mutex_lock", ACTION_LOCK, 0},
        {"mtx_lock", ACTION_LOCK, 0},
        {"pthread_spin_lock", ACTION_LOCK, 0},
        {"pthread_rwlock_wrlock", ACTION_LOCK, 0},
        {"pthread_rwlock_rdlock", ACTION_LOCK_SHARED, 0},
        {"pthread_mutex_unlock", ACTION_UNLOCK, 0},
        {"mtx_unlock", ACTION_UNLOCK, 0},
        {"pthread_spin_unlock", ACTION_UNLOCK, 0},
        {"pthread_rwlock_unlock", ACTION_UNLOCK, 0},
        {"pthread_cond_wait", ACTION_WAIT, 1},
        {"pthread_cond_timedwait", ACTION_WAIT, 1},
        {"pthread_cond_clockwait", ACTION_WAIT, 1},
        {"cnd_wait", ACTION_WAIT, 1},
        {"cnd_timedwait", ACTION_WAIT, 1},
    };
    uint32_t count;
    const function_id *callees = pta_callees(locks->sdg->pta, call, &count);
    if (count != 1 || callees[0] == NO_ID)
        return ACTION_NONE;
    const char *name = locks->program->functions.data[callees[0]].name;
    name += strncmp(name, "__recut_", 8) == 0 ? 8 : 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *operand = known[i].operand;
            return known[i].action;
        }
    return ACTION_NONE;
}

static uint32_t find_lock(struct locks *locks, value_id pointer) {
    uint64_t key = threads_single_object(locks->program, locks->sdg->pta, pointer);
    if (key == THREADS_NO_OBJECT)
        return NO_ID;
    for (size_t i = 0; i < locks->objects.count; i++)
        if (locks->objects.data[i] == key)
            return (uint32_t)i;
    if (locks->objects.count == MOST_LOCKS)
        return NO_ID;
    VEC_PUSH(&locks->objects, key);
    return (uint32_t)locks->objects.count - 1;
}

static void find_actions(struct locks *locks) {
    for (instruction_id i = 0; i < locks->program->instructions.count; i++) {
        const struct instruction *call = &locks->program->instructions.data[i];
        uint32_t operand = 0;
        locks->lock_of[i] = NO_ID;
        if (!(call->flags & INSTRUCTION_CALL))
            continue;
        locks->actions[i] = (uint8_t)action_of(locks, i, &operand);
        if (locks->actions[i] != ACTION_NONE && operand < call->operands.count)
            locks->lock_of[i] =
                find_lock(locks, locks->program->operands.data[call->operands.first + operand]);
    }
}

static uint64_t bit(uint32_t lock) { return lock == NO_ID ? ~0ULL : 1ULL << lock; }

/* What functions that a call runs may do, all together; a thread that it creates is no part of it.
 */
static uint64_t done_by(const struct locks *locks, instruction_id id, const uint64_t *by_function) {
    uint64_t done = 0;
    uint32_t count;
    const function_id *callees = effects_callees(locks->sdg->effects, id, &count);
    bool creates = count && threads_creates(locks->sdg->threads, id);
    for (uint32_t i = 0; i < count && !creates; i++)
        done |= by_function[callees[i]];
    return done;
}

/* What a call may give back that others wait for. */
static uint64_t released_by(const struct locks *locks, instruction_id id) {
    if (locks->actions[id] == ACTION_UNLOCK || locks->actions[id] == ACTION_WAIT)
        return bit(locks->lock_of[id]);
    return done_by(locks, id, locks->released);
}

/* What a call may take. */
static uint64_t taken_by(const struct locks *locks, instruction_id id) {
    if (locks->actions[id] == ACTION_LOCK || locks->actions[id] == ACTION_LOCK_SHARED)
        return bit(locks->lock_of[id]);
    return done_by(locks, id, locks->taken);
}

static void find_changed(struct locks *locks) {
    const struct callgraph *graph = locks->sdg->graph;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
            function_id f = graph->members[m];
            struct range all = locks->program->functions.data[f].instructions;
            uint64_t released = locks->released[f], taken = locks->taken[f];
            for (uint32_t i = all.first; i < all.first + all.count; i++) {
                released |= released_by(locks, i);
                taken |= taken_by(locks, i);
            }
            changed |= released != locks->released[f] || taken != locks->taken[f];
            locks->released[f] = released;
            locks->taken[f] = taken;
        }
    }
}

/* --- what is held -------------------------------------------------------------------------- */

/* What a call has surely taken when it returns. */
static struct held gained_by(const struct locks *locks, instruction_id id) {
    uint32_t count;
    const function_id *callees = effects_callees(locks->sdg->effects, id, &count);
    if (!count || !effects_is_direct(locks->sdg->effects, id))
        return (struct held){0};
    struct held gained = locks->gained[callees[0]];
    for (uint32_t i = 1; i < count; i++) {
        gained.locks &= locks->gained[callees[i]].locks;
        gained.shared |= locks->gained[callees[i]].shared;
    }
    gained.shared &= gained.locks;
    return gained;
}

static struct held behind(const struct locks *locks, instruction_id id, struct held held) {
    struct held gained;
    uint32_t lock = locks->lock_of[id];
    switch (locks->actions[id]) {
    case ACTION_LOCK:
    case ACTION_LOCK_SHARED:
        if (lock != NO_ID) {
            held.locks |= bit(lock);
            held.shared |= locks->actions[id] == ACTION_LOCK_SHARED ? bit(lock) : 0;
        }
        return held;
    case ACTION_WAIT: /* it has the mutex again */
        if (lock == NO_ID)
            held.locks = 0;
        return held;
    default:
        gained = gained_by(locks, id);
        held.locks &= ~released_by(locks, id);
        held.shared = (held.shared & held.locks & ~gained.locks) | gained.shared;
        held.locks |= gained.locks;
        return held;
    }
}

/* Adds a way on which this is held; does it change anything? */
static bool meet(struct held *to, bool *is_reached, struct held held) {
    struct held old = *to;
    bool was_reached = *is_reached;
    to->locks = was_reached ? to->locks & held.locks : held.locks;
    to->shared = (was_reached ? to->shared | held.shared : held.shared) & to->locks;
    *is_reached = true;
    return !was_reached || old.locks != to->locks || old.shared != to->shared;
}

static void go_through(struct locks *locks, function_id function) {
    const struct program *program = locks->program;
    struct range blocks = program->functions.data[function].blocks;
    instruction_id first = program->blocks.data[blocks.first].instructions.first;
    meet(&locks->at[first], &locks->is_reached[first], locks->begin[function]);
    for (bool changed = true; changed;) {
        changed = false;
        for (block_id b = blocks.first; b < blocks.first + blocks.count; b++) {
            const struct block *block = &program->blocks.data[b];
            instruction_id i = block->instructions.first;
            if (!block->instructions.count || !locks->is_reached[i])
                continue;
            struct held held = locks->at[i];
            for (uint32_t k = 0; k < block->instructions.count; k++, i++) {
                locks->at[i] = held;
                locks->is_reached[i] = true;
                held = behind(locks, i, held);
            }
            for (uint32_t k = 0; k < block->successors.count; k++) {
                block_id next = program->edges.data[block->successors.first + k];
                instruction_id to = program->blocks.data[next].instructions.first;
                changed |= meet(&locks->at[to], &locks->is_reached[to], held);
            }
        }
    }
}

/* What a function holds when it returns, if it is gone through with nothing at the beginning. */
static struct held left_by(struct locks *locks, function_id function) {
    struct range all = locks->program->functions.data[function].instructions;
    struct held left = {0};
    bool returns = false;
    memset(locks->is_reached + all.first, 0, all.count * sizeof *locks->is_reached);
    go_through(locks, function);
    for (uint32_t i = all.first; i < all.first + all.count; i++)
        if (locks->program->instructions.data[i].opcode == OP_RETURN && locks->is_reached[i])
            meet(&left, &returns, locks->at[i]);
    return left;
}

/* Callees come first; from too little to more, so that what a circle of calls takes is not taken
 * for granted. */
static void find_gained(struct locks *locks) {
    const struct callgraph *graph = locks->sdg->graph;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
            function_id f = graph->members[m];
            if (!locks->taken[f])
                continue;
            struct held left = left_by(locks, f);
            changed |=
                left.locks != locks->gained[f].locks || left.shared != locks->gained[f].shared;
            locks->gained[f] = left;
        }
    }
    memset(locks->is_reached, 0, locks->program->instructions.count * sizeof *locks->is_reached);
}

/* What calls of a function hold; callers come before callees. */
static bool enter_callees(struct locks *locks, function_id function, bool *is_called) {
    struct range all = locks->program->functions.data[function].instructions;
    bool changed = false;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(locks->sdg->effects, i, &count);
        bool creates = count && threads_creates(locks->sdg->threads, i);
        for (uint32_t k = 0; k < count && locks->is_reached[i]; k++)
            changed |= meet(&locks->begin[callees[k]], &is_called[callees[k]],
                            creates ? (struct held){0} : locks->at[i]);
    }
    return changed;
}

static void find_held(struct locks *locks) {
    const struct callgraph *graph = locks->sdg->graph;
    bool *is_called = mem_zalloc(locks->program->functions.count + 1, sizeof *is_called);
    for (function_id f = 0; f < locks->program->functions.count; f++)
        if (graph->component[f] != NO_ID &&
            (pta_is_called_back(locks->sdg->pta, f) || threads_is_main(locks->sdg->threads, f)))
            is_called[f] = true; /* with nothing */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = graph->start[graph->count]; m-- > 0;) {
            function_id f = graph->members[m];
            if (!is_called[f])
                continue;
            go_through(locks, f);
            changed |= enter_callees(locks, f, is_called);
        }
    }
    free(is_called);
}

struct locks *locks_build(const struct sdg *sdg) {
    struct locks *locks = mem_zalloc(1, sizeof *locks);
    size_t instructions = sdg->program->instructions.count + 1;
    size_t functions = sdg->program->functions.count + 1;
    locks->sdg = sdg;
    locks->program = sdg->program;
    locks->actions = mem_zalloc(instructions, sizeof *locks->actions);
    locks->lock_of = mem_zalloc(instructions, sizeof *locks->lock_of);
    locks->at = mem_zalloc(instructions, sizeof *locks->at);
    locks->is_reached = mem_zalloc(instructions, sizeof *locks->is_reached);
    locks->released = mem_zalloc(functions, sizeof *locks->released);
    locks->taken = mem_zalloc(functions, sizeof *locks->taken);
    locks->gained = mem_zalloc(functions, sizeof *locks->gained);
    locks->begin = mem_zalloc(functions, sizeof *locks->begin);
    find_actions(locks);
    if (locks->objects.count) {
        find_changed(locks);
        find_gained(locks);
        find_held(locks);
    }
    return locks;
}

void locks_free(struct locks *locks) {
    if (!locks)
        return;
    VEC_DEINIT(&locks->objects);
    free(locks->actions);
    free(locks->lock_of);
    free(locks->at);
    free(locks->is_reached);
    free(locks->released);
    free(locks->taken);
    free(locks->gained);
    free(locks->begin);
    free(locks);
}

/* --- what can be seen from outside of a block --------------------------------------------------
 */

static const struct memory_effect *effect_of(const struct locks *locks, instruction_id id,
                                             bool writes) {
    struct effect_list list = effects_of(locks->sdg->effects, id);
    const struct memory_effect *found = NULL;
    for (uint32_t i = 0; i < list.count; i++)
        if (list.effects[i].writes == writes) {
            if (found)
                return NULL;
            found = &list.effects[i];
        }
    return found;
}

/* Does it overwrite all of these cells, always? */
static bool overwrites(const struct locks *locks, instruction_id id, const struct bitset *cells) {
    struct effect_list list = effects_of(locks->sdg->effects, id);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct memory_effect *effect = &list.effects[i];
        if (!effect->writes || !effect->is_exact || effect->root.argument != NO_ID)
            continue;
        struct bitset own = cells_of(effects_cells(locks->sdg->effects), effect->region);
        if (bitset_includes(&own, cells))
            return true;
    }
    return false;
}

/* Is the lock taken or given back here, perhaps? */
static bool is_border(const struct locks *locks, instruction_id id, uint64_t lock) {
    return (taken_by(locks, id) | released_by(locks, id)) & lock;
}

enum scan { SCAN_THROUGH, SCAN_BORDER, SCAN_OVERWRITTEN };

/* From an instruction to the end of its block, or to the beginning. */
static enum scan scan(const struct locks *locks, struct range block, instruction_id at,
                      const struct bitset *cells, uint64_t lock, bool forward) {
    for (; at >= block.first && at < block.first + block.count; at += forward ? 1 : -1U) {
        if (is_border(locks, at, lock))
            return SCAN_BORDER;
        if (overwrites(locks, at, cells))
            return SCAN_OVERWRITTEN;
    }
    return SCAN_THROUGH;
}

/* From an access to a border of its block, or out of the function, without passing what
 * overwrites the same? */
static bool is_exposed(const struct locks *locks, instruction_id from, const struct bitset *cells,
                       uint64_t lock, bool forward) {
    const struct program *program = locks->program;
    struct bitset seen = {0};
    VEC(block_id) work = {0};
    block_id block = program->instructions.data[from].block;
    enum scan end = scan(locks, program->blocks.data[block].instructions,
                         forward ? from + 1 : from - 1, cells, lock, forward);
    for (;;) {
        const struct block *at = &program->blocks.data[block];
        struct range next = forward ? at->successors : at->predecessors;
        if (end == SCAN_THROUGH && !next.count)
            end = SCAN_BORDER; /* the function ends, or begins */
        for (uint32_t i = 0; end == SCAN_THROUGH && i < next.count; i++)
            if (bitset_add(&seen, program->edges.data[next.first + i]))
                VEC_PUSH(&work, program->edges.data[next.first + i]);
        if (end == SCAN_BORDER || !work.count)
            break;
        block = work.data[--work.count];
        struct range own = program->blocks.data[block].instructions;
        end =
            scan(locks, own, forward ? own.first : own.first + own.count - 1, cells, lock, forward);
    }
    bitset_deinit(&seen);
    VEC_DEINIT(&work);
    return end == SCAN_BORDER;
}

bool locks_hide(struct locks *locks, instruction_id store, instruction_id load) {
    struct held a = locks->at[store], b = locks->at[load];
    uint64_t both = a.locks & b.locks & ~(a.shared & b.shared);
    if (!both || !locks->is_reached[store] || !locks->is_reached[load])
        return false;
    const struct memory_effect *written = effect_of(locks, store, true);
    const struct memory_effect *read = effect_of(locks, load, false);
    if (!written || !read)
        return false;
    const struct cells *cells = effects_cells(locks->sdg->effects);
    struct bitset stored = cells_of(cells, written->region), loaded = cells_of(cells, read->region);
    for (; both; both &= both - 1) {
        uint64_t lock = both & -both;
        if (!is_exposed(locks, store, &stored, lock, true) ||
            !is_exposed(locks, load, &loaded, lock, false))
            return true;
    }
    return false;
}
