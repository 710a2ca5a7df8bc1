/*
 * What waiting says about the order; order.h (Krinke, section 4.2).
 *
 * A call that has returned may prove that another thread has been somewhere:
 *
 *     sem_wait()               somebody has posted, if the semaphore begins with 0
 *     pthread_barrier_wait()   all threads have arrived, if there are no more than it is for
 *     pthread_once()           the function has run, and will not run again
 *
 * A gate is a set of such calls with the places that one of which was passed before.  What comes
 * behind a gate on all ways cannot come before what comes before all of its places.  Loops,
 * several posters and any number of waits are all the same to that.
 *
 * Nothing is taken from waits with a time, or that only try; from sem_wait() in a program with
 * handlers of signals, which end it early; from conditions, which may wake up for nothing: that
 * what they wait for is there says the variable that is looked at, not the condition.
 *
 * Cost: gates times calls once; each place is looked at once for each gate.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/order_impl.h"

enum { MOST_GATES = 64, ENDLESS = UINT32_MAX };

/* --- objects that are waited for ---------------------------------------------------------------
 */

static value_id operand(const struct order *order, instruction_id call, uint32_t number) {
    struct range operands = order->program->instructions.data[call].operands;
    return number < operands.count ? order->program->operands.data[operands.first + number] : NO_ID;
}

static bool is_number(const struct order *order, value_id value, uint64_t number) {
    const struct value *of = value == NO_ID ? NULL : &order->program->values.data[value];
    return of && of->kind == VALUE_INT && !of->text && of->number == number;
}

/* Calls of one function, and those of them that enter nothing else and have the object as their
 * first argument. */
struct uses {
    struct bitset may, sure;
};

static void find_uses(const struct order *order, const char *name, uint64_t key,
                      struct uses *ret_uses) {
    const struct pta *pta = order->sdg->pta;
    const char *const names[] = {name, NULL};
    for (instruction_id i = 0; i < order->program->instructions.count; i++) {
        if (!threads_calls(order->program, pta, i, names))
            continue;
        value_id first = operand(order, i, 0);
        if (first == NO_ID || !pta_may_point_to(pta, first, (uint32_t)(key >> 32)))
            continue;
        uint64_t single = threads_single_object(order->program, pta, first);
        if (single != THREADS_NO_OBJECT && single != key)
            continue;
        bitset_add(&ret_uses->may, i);
        if (single == key && threads_only_calls(order->program, pta, i, names))
            bitset_add(&ret_uses->sure, i);
    }
}

static void uses_deinit(struct uses *uses) {
    bitset_deinit(&uses->may);
    bitset_deinit(&uses->sure);
}

/* Objects that are the first argument of calls of a function, each once. */
typedef VEC(uint64_t) key_vec;

static void find_objects(const struct order *order, const char *name, key_vec *ret_keys) {
    const char *const names[] = {name, NULL};
    for (instruction_id i = 0; i < order->program->instructions.count; i++) {
        value_id first = operand(order, i, 0);
        if (first == NO_ID || !threads_calls(order->program, order->sdg->pta, i, names))
            continue;
        uint64_t key = threads_single_object(order->program, order->sdg->pta, first);
        bool is_known =
            key == THREADS_NO_OBJECT ||
            pta_object(order->sdg->pta, (uint32_t)(key >> 32)).flags & (PTA_ESCAPED | PTA_SHARED);
        for (size_t k = 0; k < ret_keys->count && !is_known; k++)
            is_known = ret_keys->data[k] == key;
        if (!is_known)
            VEC_PUSH(ret_keys, key);
    }
}

/* Might something else do the same, where no call is seen? */
static bool is_address_taken(const struct order *order, const char *name) {
    for (function_id f = 0; f < order->program->functions.count; f++)
        if (order->program->functions.data[f].flags & FUNCTION_ADDRESS_TAKEN &&
            strcmp(threads_plain_name(order->program, f), name) == 0)
            return true;
    return false;
}

/* --- gates -------------------------------------------------------------------------------------
 */

static void add_places(const struct order *order, instruction_id at, struct order_places *places) {
    uint32_t count;
    const context_id *contexts =
        order_contexts(order, program_function_of(order->program, at), &count);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(places, (struct order_place){.context = contexts[i], .at = at});
}

/* Takes what is in the gate. */
static void add_gate(struct order *order, struct gate gate) {
    if (order->gates.count == MOST_GATES || bitset_is_empty(&gate.calls) ||
        (!gate.places.count && bitset_is_empty(&gate.once))) {
        gate_deinit(&gate);
        return;
    }
    order_spread_calls(order, &gate.calls);
    VEC_PUSH(&order->gates, gate);
}

/* --- semaphores --------------------------------------------------------------------------------
 */

/* Is each of these a sem_init(&s, 0, 0)? */
static bool begins_with_none(const struct order *order, const struct uses *inits) {
    bool is_so = !bitset_is_empty(&inits->may) && bitset_includes(&inits->sure, &inits->may);
    BITSET_EACH(i, &inits->may)
    is_so &= is_number(order, operand(order, i, 1), 0) && is_number(order, operand(order, i, 2), 0);
    return is_so;
}

static void add_semaphore(struct order *order, uint64_t key) {
    struct uses inits = {0}, posts = {0}, waits = {0};
    find_uses(order, "sem_init", key, &inits);
    find_uses(order, "sem_post", key, &posts);
    find_uses(order, "sem_wait", key, &waits);
    if (begins_with_none(order, &inits)) {
        struct gate gate = {.calls = bitset_take(&waits.sure)};
        BITSET_EACH(i, &posts.may)
        add_places(order, i, &gate.places);
        add_gate(order, gate);
    }
    uses_deinit(&inits);
    uses_deinit(&posts);
    uses_deinit(&waits);
}

/* Does anything run when a signal comes? */
static bool has_handlers(const struct order *order) {
    for (size_t t = 1; t < order->instances.count; t++)
        if (order->instances.data[t].create == NO_ID ||
            threads_is_handler(order->program, order->sdg->pta, order->instances.data[t].create))
            return true;
    return false;
}

/* --- barriers ----------------------------------------------------------------------------------
 */

/* A place where a thread arrives at a barrier: the how manieth time that may be. */
struct arrival {
    struct order_place place;
    uint32_t instance, low, high;
};
typedef VEC(struct arrival) arrival_vec;

static bool is_alone(const arrival_vec *arrivals, const struct arrival *arrival) {
    for (size_t i = 0; i < arrivals->count; i++) {
        const struct arrival *other = &arrivals->data[i];
        if (other != arrival && other->instance == arrival->instance &&
            other->place.at == arrival->place.at)
            return false;
    }
    return true;
}

static bool is_surely_before(struct order *order, const struct arrival *a,
                             const struct arrival *b) {
    struct bitset calls = {0};
    bitset_add(&calls, a->place.at);
    order_spread_calls(order, &calls);
    bool is_sure = order_is_behind(order, b->place, &calls);
    bitset_deinit(&calls);
    return is_sure;
}

static void count_arrivals(struct order *order, arrival_vec *arrivals) {
    for (size_t i = 0; i < arrivals->count; i++) {
        struct arrival *at = &arrivals->data[i];
        at->low = at->high = 1;
        if (order_reaches(order, at->place, at->place))
            at->high = ENDLESS;
        for (size_t k = 0; k < arrivals->count; k++) {
            const struct arrival *other = &arrivals->data[k];
            if (k == i || other->instance != at->instance)
                continue;
            if (is_alone(arrivals, other) && is_surely_before(order, other, at))
                at->low++;
            if (!order_reaches(order, other->place, at->place))
                continue;
            bool is_once = !order_reaches(order, other->place, other->place);
            at->high = is_once && at->high != ENDLESS ? at->high + 1 : ENDLESS;
        }
    }
}

/* At least how many times was it waited when the call has returned? */
static uint32_t times_waited(const arrival_vec *arrivals, instruction_id call) {
    uint32_t times = ENDLESS;
    for (size_t i = 0; i < arrivals->count; i++)
        if (arrivals->data[i].place.at == call && arrivals->data[i].low < times)
            times = arrivals->data[i].low;
    return times == ENDLESS ? 0 : times;
}

/* When somebody has waited `times` times, so has each of the threads. */
static void add_round(struct order *order, const arrival_vec *arrivals, const struct bitset *sure,
                      const struct bitset *threads, uint32_t times) {
    BITSET_EACH(thread, threads) {
        struct gate gate = {0};
        BITSET_EACH(call, sure)
        if (times_waited(arrivals, call) >= times)
            bitset_add(&gate.calls, call);
        for (size_t i = 0; i < arrivals->count; i++)
            if (arrivals->data[i].instance == thread && arrivals->data[i].low <= times &&
                times <= arrivals->data[i].high)
                VEC_PUSH(&gate.places, arrivals->data[i].place);
        add_gate(order, gate);
    }
}

/* All that arrive are threads that are there once, and no more than the barrier is for. */
static bool is_for_all(const struct order *order, const struct uses *inits,
                       const struct bitset *threads) {
    bool is_so = bitset_count(&inits->may) == 1 && bitset_count(&inits->sure) == 1;
    BITSET_EACH(i, &inits->may) {
        value_id count = operand(order, i, 2);
        is_so &= count != NO_ID && order->program->values.data[count].kind == VALUE_INT &&
                 bitset_count(threads) <= order->program->values.data[count].number;
    }
    BITSET_EACH(thread, threads)
    is_so &= !order_is_many(order, thread);
    return is_so;
}

static void add_barrier(struct order *order, uint64_t key) {
    struct uses inits = {0}, waits = {0};
    struct order_places places = {0};
    struct bitset threads = {0};
    arrival_vec arrivals = {0};
    find_uses(order, "pthread_barrier_init", key, &inits);
    find_uses(order, "pthread_barrier_wait", key, &waits);
    BITSET_EACH(i, &waits.may)
    add_places(order, i, &places);
    for (size_t i = 0; i < places.count; i++) {
        uint32_t instance = order_instance(order, places.data[i].context);
        bitset_add(&threads, instance);
        VEC_PUSH(&arrivals, (struct arrival){.place = places.data[i], .instance = instance});
    }
    if (is_for_all(order, &inits, &threads)) {
        count_arrivals(order, &arrivals);
        uint32_t most = 0;
        BITSET_EACH(call, &waits.sure) {
            uint32_t times = times_waited(&arrivals, call);
            most = times > most ? times : most;
        }
        for (uint32_t times = 1; times <= most; times++)
            add_round(order, &arrivals, &waits.sure, &threads, times);
    }
    uses_deinit(&inits);
    uses_deinit(&waits);
    bitset_deinit(&threads);
    VEC_DEINIT(&places);
    VEC_DEINIT(&arrivals);
}

/* --- once --------------------------------------------------------------------------------------
 */

/* Nobody makes it new. */
static bool is_written(const struct order *order, uint32_t object) {
    for (instruction_id i = 0; i < order->program->instructions.count; i++) {
        value_id at = order->program->instructions.data[i].written_at;
        if (at != NO_ID && pta_may_point_to(order->sdg->pta, at, object))
            return true;
    }
    return false;
}

static void add_once(struct order *order, const char *name, uint64_t key) {
    struct uses uses = {0};
    find_uses(order, name, key, &uses);
    struct gate gate = {0};
    if (!is_written(order, (uint32_t)(key >> 32))) {
        bitset_union(&gate.calls, &uses.sure);
        bitset_union(&gate.once, &uses.sure);
    }
    add_gate(order, gate);
    uses_deinit(&uses);
}

void order_find_gates(struct order *order) {
    static const struct {
        const char *name; /* of a function that has the object */
        void (*add)(struct order *order, uint64_t key);
    } kinds[] = {{"sem_wait", add_semaphore}, {"pthread_barrier_wait", add_barrier}};
    static const char *const once[] = {"pthread_once", "call_once"};
    key_vec keys = {0};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool is_semaphore = kinds[k].add == add_semaphore;
        if (is_semaphore && (has_handlers(order) || is_address_taken(order, "sem_post")))
            continue;
        if (!is_semaphore && is_address_taken(order, kinds[k].name))
            continue;
        keys.count = 0;
        find_objects(order, kinds[k].name, &keys);
        for (size_t i = 0; i < keys.count; i++)
            kinds[k].add(order, keys.data[i]);
    }
    for (size_t k = 0; k < sizeof once / sizeof *once; k++) {
        keys.count = 0;
        find_objects(order, once[k], &keys);
        for (size_t i = 0; i < keys.count; i++)
            add_once(order, once[k], keys.data[i]);
    }
    VEC_DEINIT(&keys);
}

void gate_deinit(struct gate *gate) {
    bitset_deinit(&gate->calls);
    bitset_deinit(&gate->once);
    VEC_DEINIT(&gate->places);
}

/* --- the question ------------------------------------------------------------------------------
 */

/* Gates that were passed before a place, by the thread or by those that it came from. */
static uint64_t gates_before(struct order *order, struct order_place place) {
    const void *key =
        (const void *)(uintptr_t)(((uint64_t)place.context + 1) << 33 | (uint64_t)place.at << 1);
    uint32_t known = idmap_find(&order->passed_ids, key);
    if (known != IDMAP_NONE)
        return order->passed.data[known];
    uint64_t passed = 0;
    for (struct order_place at = place; at.context != NO_ID;) {
        for (size_t g = 0; g < order->gates.count; g++)
            if (order_is_behind(order, at, &order->gates.data[g].calls))
                passed |= 1ULL << g;
        uint32_t instance = order_instance(order, at.context);
        if (order->instances.data[instance].creator == NO_ID)
            break;
        at = order_creation(order, instance);
    }
    idmap_set(&order->passed_ids, key, (uint32_t)order->passed.count);
    VEC_PUSH(&order->passed, passed);
    return passed;
}

/* Is the place in what pthread_once() runs there? */
static bool is_run_once(const struct order *order, struct order_place place,
                        const struct bitset *once) {
    for (context_id c = place.context; c != NO_ID; c = order->contexts.data[c].caller)
        if (order->contexts.data[c].call != NO_ID && bitset_has(once, order->contexts.data[c].call))
            return true;
    return false;
}

/* Can none of the gate's places come before this one? */
static bool is_before_all(struct order *order, const struct gate *gate, struct order_place place) {
    for (size_t i = 0; i < gate->places.count; i++)
        if (order_may_precede_by_creation(order, gate->places.data[i], place))
            return false;
    return gate->places.count > 0;
}

bool order_is_shut(struct order *order, struct order_place behind, struct order_place before) {
    if (!order->gates.count)
        return false;
    uint64_t passed = gates_before(order, behind), done = 0;
    while (passed & ~done) {
        uint64_t next = passed & ~done & -(passed & ~done);
        done |= next;
        const struct gate *gate = &order->gates.data[__builtin_ctzll(next)];
        if (is_before_all(order, gate, before) || is_run_once(order, before, &gate->once))
            return true;
        /* What all of its places come behind, this does. */
        uint64_t all = gate->places.count ? UINT64_MAX : 0;
        for (size_t i = 0; i < gate->places.count; i++)
            all &= gates_before(order, gate->places.data[i]);
        passed |= all;
    }
    return false;
}
