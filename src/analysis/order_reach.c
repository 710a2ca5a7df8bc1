/*
 * The order of places; order.h.
 *
 * Within an instance: an execution that is at `a` returns out of some of its calls, goes on
 * in a function that both call strings share, and calls its way down to `b` (Krinke, definition
 * 1, as a walk over call strings):
 *
 *     a:  main  f ... g            after g and f have returned, main goes on from
 *     b:  main  h ... k            the call of f to that of h
 *
 * Between instances: what creating and joining say.  An instance is alive at places that are
 * reached from its creation without passing a call that returns only when it is over.
 */
#include "analysis/order_impl.h"

#include <stdlib.h>

/* --- in a function ------------------------------------------------------------------------ */

static const struct bitset *after(struct order *order, block_id block) {
    if (order->is_after_known[block])
        return &order->after[block];
    const struct program *program = order->program;
    VEC(block_id) work = {0};
    VEC_PUSH(&work, block);
    struct bitset *set = &order->after[block];
    while (work.count) {
        struct range to = program->blocks.data[work.data[--work.count]].successors;
        for (uint32_t i = 0; i < to.count; i++)
            if (bitset_add(set, program->edges.data[to.first + i]))
                VEC_PUSH(&work, program->edges.data[to.first + i]);
    }
    VEC_DEINIT(&work);
    order->is_after_known[block] = true;
    return set;
}

bool order_flows(struct order *order, instruction_id from, instruction_id to) {
    block_id a = order->program->instructions.data[from].block;
    block_id b = order->program->instructions.data[to].block;
    return (a == b && to > from) || bitset_has(after(order, a), b);
}

/* The same without passing one of these calls. */
struct avoid {
    const struct bitset *calls; /* NULL: there are none */
};

/* Is there one from `first` up to, not including, `end`? */
static bool is_stopped(const struct avoid *avoid, instruction_id first, instruction_id end) {
    if (!avoid->calls)
        return false;
    for (instruction_id i = first; i < end; i++)
        if (bitset_has(avoid->calls, i))
            return true;
    return false;
}

static struct range instructions_of(const struct order *order, block_id block) {
    return order->program->blocks.data[block].instructions;
}

/* Blocks whose beginning is reached from `from` on in `block`. */
static struct bitset go_on(struct order *order, block_id block, instruction_id from,
                           const struct avoid *avoid) {
    struct bitset reached = {0};
    VEC(block_id) work = {0};
    struct range own = instructions_of(order, block);
    if (!is_stopped(avoid, from, own.first + own.count))
        VEC_PUSH(&work, block);
    while (work.count) {
        struct range to = order->program->blocks.data[work.data[--work.count]].successors;
        for (uint32_t i = 0; i < to.count; i++) {
            block_id next = order->program->edges.data[to.first + i];
            struct range inside = instructions_of(order, next);
            if (bitset_add(&reached, next) &&
                !is_stopped(avoid, inside.first, inside.first + inside.count))
                VEC_PUSH(&work, next);
        }
    }
    VEC_DEINIT(&work);
    return reached;
}

/* From behind `from` to `to`. */
static bool leads_to(struct order *order, instruction_id from, instruction_id to,
                     const struct avoid *avoid) {
    if (!avoid->calls)
        return order_flows(order, from, to);
    block_id a = order->program->instructions.data[from].block;
    block_id b = order->program->instructions.data[to].block;
    if (a == b && to > from && !is_stopped(avoid, from + 1, to))
        return true;
    struct bitset reached = go_on(order, a, from + 1, avoid);
    bool found = bitset_has(&reached, b) && !is_stopped(avoid, instructions_of(order, b).first, to);
    bitset_deinit(&reached);
    return found;
}

/* A thread may also end somewhere else than where its first function does. */
static bool ends_in_return(const struct order *order, block_id block) {
    struct range own = instructions_of(order, block);
    return bitset_has(&order->exits, block) ||
           (own.count &&
            order->program->instructions.data[own.first + own.count - 1].opcode == OP_RETURN);
}

static bool has_end(struct order *order, block_id block, instruction_id from,
                    const struct avoid *avoid) {
    struct range own = instructions_of(order, block);
    if (ends_in_return(order, block) && !is_stopped(avoid, from, own.first + own.count))
        return true;
    struct bitset reached = go_on(order, block, from, avoid);
    bool found = false;
    BITSET_EACH(next, &reached) {
        struct range inside = instructions_of(order, next);
        found |= ends_in_return(order, next) &&
                 !is_stopped(avoid, inside.first, inside.first + inside.count);
    }
    bitset_deinit(&reached);
    return found;
}

/* From behind `from` to the end of the function. */
static bool leads_to_end(struct order *order, instruction_id from, const struct avoid *avoid) {
    return has_end(order, order->program->instructions.data[from].block, from + 1, avoid);
}

/* From where the function begins. */
static bool is_entered(struct order *order, instruction_id to, const struct avoid *avoid) {
    if (!avoid->calls)
        return true;
    block_id b = order->program->instructions.data[to].block;
    block_id first =
        order->program->functions.data[program_function_of(order->program, to)].blocks.first;
    struct range own = instructions_of(order, first);
    if (b == first && !is_stopped(avoid, own.first, to))
        return true;
    struct bitset reached = go_on(order, first, own.first, avoid);
    bool found = bitset_has(&reached, b) && !is_stopped(avoid, instructions_of(order, b).first, to);
    bitset_deinit(&reached);
    return found;
}

static bool passes_through(struct order *order, function_id function, const struct avoid *avoid) {
    block_id first = order->program->functions.data[function].blocks.first;
    return has_end(order, first, instructions_of(order, first).first, avoid);
}

/* --- in an instance ------------------------------------------------------------------------- */

/* Where a place is in a function that it was called from, or is in. */
struct stand {
    instruction_id at; /* NO_ID: the end */
    bool is_after, is_below;
};

static struct stand stand_in(const struct order *order, struct order_place place, context_id in) {
    if (place.context == in)
        return (struct stand){place.at, place.is_after, false};
    context_id at = place.context;
    while (order->contexts.data[at].caller != in)
        at = order->contexts.data[at].caller;
    return (struct stand){order->contexts.data[at].call, false, true};
}

/* From one to the other, in one activation of a function. */
static bool steps(struct order *order, struct stand a, struct stand b, const struct avoid *avoid) {
    if (a.at == NO_ID && !a.is_below)
        return false;
    if (b.at == NO_ID && !b.is_below)
        return leads_to_end(order, a.at, avoid);
    if (a.at == b.at) {
        /* The call, then what it calls, then what it returns. */
        int first = a.is_below ? 1 : a.is_after ? 2 : 0, last = b.is_below ? 1 : b.is_after ? 2 : 0;
        if (first < last &&
            (first != 0 || last != 2 || !avoid->calls || !bitset_has(avoid->calls, a.at)))
            return true;
    }
    return leads_to(order, a.at, b.at, avoid);
}

static bool is_recursive(const struct order *order, context_id context) {
    return order->sdg->graph->is_recursive[order->contexts.data[context].component];
}

/* Can all calls return that were made on the way from `in` to the place? */
static bool returns_to(struct order *order, struct order_place place, context_id in,
                       const struct avoid *avoid) {
    instruction_id at = place.at;
    for (context_id c = place.context; c != in; c = order->contexts.data[c].caller) {
        if (at != NO_ID && !is_recursive(order, c) && !leads_to_end(order, at, avoid))
            return false;
        at = order->contexts.data[c].call;
    }
    return true;
}

static bool descends_from(struct order *order, struct order_place place, context_id in,
                          const struct avoid *avoid) {
    instruction_id at = place.at;
    for (context_id c = place.context; c != in; c = order->contexts.data[c].caller) {
        if (avoid->calls && at != NO_ID && !is_recursive(order, c) && !is_entered(order, at, avoid))
            return false;
        at = order->contexts.data[c].call;
    }
    return true;
}

static bool is_within(const struct order *order, context_id inner, context_id outer) {
    while (inner != NO_ID && inner != outer)
        inner = order->contexts.data[inner].caller;
    return inner == outer;
}

static bool reaches(struct order *order, struct order_place a, struct order_place b,
                    const struct avoid *avoid) {
    context_id common = a.context;
    while (common != NO_ID && !is_within(order, b.context, common))
        common = order->contexts.data[common].caller;
    if (common == NO_ID)
        return true; /* main() and a constructor */
    for (; common != NO_ID; common = order->contexts.data[common].caller) {
        if (!returns_to(order, a, common, avoid))
            return false; /* nor to any further up */
        if (!descends_from(order, b, common, avoid))
            continue;
        if (is_recursive(order, common) ||
            steps(order, stand_in(order, a, common), stand_in(order, b, common), avoid))
            return true;
    }
    return false;
}

static bool reaches_freely(struct order *order, struct order_place a, struct order_place b) {
    return reaches(order, a, b, &(struct avoid){NULL});
}

bool order_reaches(struct order *order, struct order_place a, struct order_place b) {
    return reaches_freely(order, a, b);
}

bool order_is_behind(struct order *order, struct order_place place, const struct bitset *calls) {
    context_id root = place.context;
    while (order->contexts.data[root].caller != NO_ID)
        root = order->contexts.data[root].caller;
    struct avoid avoid = {calls};
    if (is_recursive(order, root) || !descends_from(order, place, root, &avoid))
        return !is_recursive(order, root);
    /* The last step: from where the thread begins to the call that leads there. */
    struct stand at = stand_in(order, place, root);
    if (at.at == NO_ID && !at.is_below)
        return !passes_through(order, order->contexts.data[root].entered, &avoid);
    return !is_entered(order, at.at, &avoid);
}

/* --- between instances ----------------------------------------------------------------------- */

static bool is_below(const struct order *order, uint32_t instance, uint32_t ancestor) {
    while (instance != NO_ID && instance != ancestor)
        instance = order->instances.data[instance].creator;
    return instance == ancestor;
}

/* The one on the way from `ancestor` to `instance` that the ancestor created. */
static uint32_t child_towards(const struct order *order, uint32_t ancestor, uint32_t instance) {
    while (order->instances.data[instance].creator != ancestor)
        instance = order->instances.data[instance].creator;
    return instance;
}

/* Is the instance, or one that it came from, alive where its ancestor is at `place`? */
static bool is_alive(struct order *order, uint32_t instance, struct order_place place) {
    uint32_t ancestor = order_instance(order, place.context);
    uint32_t child = child_towards(order, ancestor, instance), over = instance;
    while (over != child && over != NO_ID)
        over = order->instances.data[over].ends_first ? order->instances.data[over].creator : NO_ID;
    struct avoid avoid = {over == NO_ID || order->instances.data[over].is_many
                              ? NULL
                              : &order->ending_calls.data[over]};
    struct order_place from = order_creation(order, child);
    from.is_after = true;
    return reaches(order, from, place, &avoid);
}

static uint32_t common_ancestor(const struct order *order, uint32_t a, uint32_t b) {
    while (a != NO_ID && !is_below(order, b, a))
        a = order->instances.data[a].creator;
    return a;
}

static bool is_parallel(struct order *order, struct order_place a, struct order_place b) {
    uint32_t x = order_instance(order, a.context), y = order_instance(order, b.context);
    uint32_t common = common_ancestor(order, x, y);
    if (common == NO_ID || order->instances.data[common].is_many)
        return true;
    if (x == y)
        return false;
    if (common == x)
        return is_alive(order, y, a);
    if (common == y)
        return is_alive(order, x, b);
    return is_alive(order, x, order_creation(order, child_towards(order, common, y))) ||
           is_alive(order, y, order_creation(order, child_towards(order, common, x)));
}

bool order_meets(struct order *order, struct order_place place, uint32_t instance) {
    uint32_t own = order_instance(order, place.context);
    if (own != instance && is_below(order, own, instance))
        return true; /* where it has created the one at the place, or an ancestor of that */
    return is_parallel(order, place,
                       (struct order_place){.context = order_root(order, instance), .at = NO_ID});
}

bool order_may_precede_by_creation(struct order *order, struct order_place a,
                                   struct order_place b) {
    uint32_t x = order_instance(order, a.context), y = order_instance(order, b.context);
    uint32_t common = common_ancestor(order, x, y);
    if (common == NO_ID || order->instances.data[common].is_many)
        return true;
    if (x == y)
        return reaches_freely(order, a, b);
    if (common == x) {
        struct order_place creation = order_creation(order, child_towards(order, x, y));
        bool is_creation = a.context == creation.context && a.at == creation.at;
        return is_creation || reaches_freely(order, a, creation) || is_alive(order, y, a);
    }
    if (common == y)
        return reaches_freely(order, order_creation(order, child_towards(order, y, x)), b);
    struct order_place before = order_creation(order, child_towards(order, common, x));
    struct order_place behind = order_creation(order, child_towards(order, common, y));
    return reaches_freely(order, before, behind) || is_parallel(order, a, b);
}

static bool may_precede(struct order *order, struct order_place a, struct order_place b) {
    const struct instance *x = &order->instances.data[order_instance(order, a.context)];
    const struct instance *y = &order->instances.data[order_instance(order, b.context)];
    return (!x->is_last || y->is_last) && order_may_precede_by_creation(order, a, b) &&
           !order_is_shut(order, a, b);
}

/* --- answers that are kept ----------------------------------------------------------------------
 */

static uint32_t place_id(struct order *order, struct order_place place) {
    uint64_t key = ((uint64_t)place.context + 1) << 33 | (uint64_t)place.at << 1 | place.is_after;
    uint32_t id = idmap_find(&order->place_ids, (const void *)(uintptr_t)key);
    if (id == IDMAP_NONE) {
        id = order->place_count++;
        idmap_set(&order->place_ids, (const void *)(uintptr_t)key, id);
    }
    return id;
}

static bool answer(struct order *order, struct order_place a, struct order_place b,
                   bool (*ask)(struct order *, struct order_place, struct order_place),
                   struct idmap *kept) {
    const void *key =
        (const void *)(uintptr_t)(((uint64_t)place_id(order, a) + 1) << 32 | place_id(order, b));
    uint32_t known = idmap_find(kept, key);
    if (known == IDMAP_NONE) {
        known = ask(order, a, b);
        idmap_set(kept, key, known);
    }
    return known;
}

bool order_may_precede(struct order *order, struct order_place a, struct order_place b) {
    return answer(order, a, b, may_precede, &order->answers[0]);
}

bool order_is_parallel(struct order *order, struct order_place a, struct order_place b) {
    return answer(order, a, b, is_parallel, &order->answers[1]);
}

/* --- which calls end an instance -----------------------------------------------------------------
 */

static const struct join *sure_join(const struct order *order, instruction_id at) {
    for (size_t i = 0; i < order->joins.count; i++)
        if (order->joins.data[i].at == at && order->joins.data[i].is_sure)
            return &order->joins.data[i];
    return NULL;
}

/* Is it the only instance that its call creates? */
static bool is_single(const struct order *order, uint32_t instance) {
    const struct instance *of = &order->instances.data[instance];
    uint32_t count = 0;
    for (size_t i = 0; i < order->instances.count; i++)
        count += order->instances.data[i].create == of->create;
    return of->create != NO_ID && !of->is_many && count == 1;
}

void order_spread_calls(struct order *order, struct bitset *calls) {
    const struct callgraph *graph = order->sdg->graph;
    if (bitset_is_empty(calls))
        return;
    struct bitset ending = {0}; /* functions; callees come first */
    for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
        struct range all = order->program->functions.data[graph->members[m]].instructions;
        for (uint32_t i = all.first; i < all.first + all.count; i++) {
            uint32_t count, ends = 0;
            const function_id *callees = effects_callees(order->sdg->effects, i, &count);
            for (uint32_t k = 0; k < count; k++)
                ends += bitset_has(&ending, callees[k]);
            if (count && ends == count && effects_is_direct(order->sdg->effects, i))
                bitset_add(calls, i);
        }
        if (!graph->is_recursive[graph->component[graph->members[m]]] &&
            !passes_through(order, graph->members[m], &(struct avoid){calls}))
            bitset_add(&ending, graph->members[m]);
    }
    bitset_deinit(&ending);
}

/* Joins, and calls of functions that cannot return without one. */
static void find_ending_calls(struct order *order, uint32_t instance) {
    struct bitset *calls = &order->ending_calls.data[instance];
    for (size_t i = 0; i < order->joins.count; i++) {
        const struct join *join = sure_join(order, order->joins.data[i].at);
        if (join && join->creators.data[0] == order->instances.data[instance].create)
            bitset_add(calls, join->at);
    }
    order_spread_calls(order, calls);
}

static void find_exits(struct order *order) {
    for (instruction_id i = 0; i < order->program->instructions.count; i++)
        if (order->program->instructions.data[i].flags & INSTRUCTION_CALL &&
            threads_is_exit(order->program, order->sdg->pta, i))
            bitset_add(&order->exits, order->program->instructions.data[i].block);
}

void order_find_ends(struct order *order) {
    find_exits(order);
    for (uint32_t t = 0; t < order->instances.count; t++)
        VEC_PUSH(&order->ending_calls, (struct bitset){0});
    for (uint32_t t = 0; t < order->instances.count; t++) {
        struct instance *instance = &order->instances.data[t];
        if (!is_single(order, t))
            continue;
        find_ending_calls(order, t);
        struct order_place end = {.context = order->instances.data[instance->creator].root,
                                  .at = NO_ID};
        instance->ends_first = !is_alive(order, t, end);
    }
}
