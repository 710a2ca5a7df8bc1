/*
 * Instances of threads, and the contexts of each: all ways of calls from where it begins;
 * order.h.
 */
#include "analysis/order_impl.h"

#include <stdlib.h>

/* Numbers that are small enough to be one: there are few contexts. */
static const void *key_of(context_id caller, instruction_id call, uint32_t component) {
    enum { component_bits = 20, call_bits = 26 };
    BUG_IF(component >> component_bits || call >> call_bits);
    return (const void *)(uintptr_t)(((uint64_t)caller + 1) << (component_bits + call_bits) |
                                     (uint64_t)call << component_bits | component);
}

static uint32_t component_of(const struct order *order, function_id function) {
    return order->sdg->graph->component[function];
}

static context_id add_context(struct order *order, struct context context) {
    context_id id = (context_id)order->contexts.count;
    VEC_PUSH(&order->contexts, context);
    VEC_PUSH(&order->of_component[context.component], id);
    order->is_too_large |= order->contexts.count > ORDER_MOST_CONTEXTS;
    return id;
}

/* --- instances -------------------------------------------------------------------------- */

/* Is the context there more than once, in one thread: by a loop or by recursion? */
static bool is_repeated(struct order *order, context_id at, instruction_id call) {
    for (; at != NO_ID; at = order->contexts.data[at].caller) {
        const struct context *context = &order->contexts.data[at];
        if (order->sdg->graph->is_recursive[context->component] || order_flows(order, call, call))
            return true;
        call = context->call;
    }
    return false;
}

/* One that is created by itself, over and over, is one that stands for many. */
static uint32_t find_ancestor(struct order *order, uint32_t from, instruction_id create,
                              function_id entry) {
    for (; from != NO_ID; from = order->instances.data[from].creator)
        if (order->instances.data[from].create == create &&
            order->instances.data[from].entry == entry)
            return from;
    return NO_ID;
}

static void add_instance(struct order *order, struct instance instance) {
    uint32_t number = (uint32_t)order->instances.count;
    instance.is_last = threads_is_last(order->sdg->threads, instance.entry);
    instance.root =
        add_context(order, (struct context){.instance = number,
                                            .caller = NO_ID,
                                            .call = NO_ID,
                                            .component = component_of(order, instance.entry),
                                            .entered = instance.entry});
    VEC_PUSH(&order->instances, instance);
    order->is_too_large |= order->instances.count > ORDER_MOST_INSTANCES;
}

static void create(struct order *order, context_id context, instruction_id call,
                   function_id entry) {
    uint32_t creator = order->contexts.data[context].instance;
    uint32_t ancestor = find_ancestor(order, creator, call, entry);
    if (ancestor != NO_ID) {
        order->instances.data[ancestor].is_many = true;
        return;
    }
    add_instance(order, (struct instance){.creator = creator,
                                          .created = context,
                                          .create = call,
                                          .entry = entry,
                                          .is_many = order->instances.data[creator].is_many ||
                                                     is_repeated(order, context, call) ||
                                                     threads_is_registration(
                                                         order->program, order->sdg->pta, call)});
}

/* --- contexts ---------------------------------------------------------------------------- */

static void follow_call(struct order *order, context_id from, instruction_id call) {
    uint32_t count;
    const function_id *callees = effects_callees(order->sdg->effects, call, &count);
    bool creates = count && threads_creates(order->sdg->threads, call);
    for (uint32_t i = 0; i < count && !order->is_too_large; i++) {
        uint32_t component = component_of(order, callees[i]);
        if (creates) {
            create(order, from, call, callees[i]);
            continue;
        }
        const void *key = key_of(from, call, component);
        if (component == order->contexts.data[from].component ||
            idmap_find(&order->children, key) != IDMAP_NONE)
            continue;
        context_id child =
            add_context(order, (struct context){.instance = order->contexts.data[from].instance,
                                                .caller = from,
                                                .call = call,
                                                .component = component,
                                                .entered = callees[i]});
        idmap_set(&order->children, key, child);
    }
}

/* Contexts that are new get their turn behind. */
static void follow_all(struct order *order) {
    const struct callgraph *graph = order->sdg->graph;
    for (; order->followed < order->contexts.count && !order->is_too_large; order->followed++) {
        context_id c = order->followed;
        uint32_t component = order->contexts.data[c].component;
        for (uint32_t m = graph->start[component]; m < graph->start[component + 1]; m++) {
            struct range all = order->program->functions.data[graph->members[m]].instructions;
            for (uint32_t i = all.first; i < all.first + all.count && !order->is_too_large; i++)
                if (order->program->instructions.data[i].flags & INSTRUCTION_CALL)
                    follow_call(order, c, i);
        }
    }
}

static bool is_created(const struct order *order, function_id entry) {
    for (size_t i = 0; i < order->instances.count; i++)
        if (order->instances.data[i].entry == entry && order->instances.data[i].create != NO_ID)
            return true;
    return false;
}

/* main() and what runs before it are one thread, with several roots. */
static void begin_main(struct order *order) {
    const struct threads *threads = order->sdg->threads;
    for (function_id f = 0; f < order->program->functions.count; f++) {
        if (!threads_is_main(threads, f) || component_of(order, f) == NO_ID)
            continue;
        if (!order->instances.count)
            add_instance(order, (struct instance){.creator = NO_ID, .create = NO_ID, .entry = f});
        else
            add_context(order, (struct context){.caller = NO_ID,
                                                .call = NO_ID,
                                                .component = component_of(order, f),
                                                .entered = f});
    }
}

/* A longjmp() goes where no flow leads. */
static bool has_jumps(const struct program *program) {
    for (instruction_id i = 0; i < program->instructions.count; i++)
        if (program->instructions.data[i].flags & INSTRUCTION_RETURNS_TWICE)
            return true;
    return false;
}

struct order *order_build(const struct sdg *sdg) {
    if (threads_count(sdg->threads) == 1 || parts_hub_count(sdg->parts) || has_jumps(sdg->program))
        return NULL;
    struct order *order = mem_zalloc(1, sizeof *order);
    order->sdg = sdg;
    order->program = sdg->program;
    order->of_component = mem_zalloc(sdg->graph->count + 1, sizeof *order->of_component);
    order->after = mem_zalloc(sdg->program->blocks.count + 1, sizeof *order->after);
    order->is_after_known =
        mem_zalloc(sdg->program->blocks.count + 1, sizeof *order->is_after_known);
    begin_main(order);
    if (order->instances.count)
        follow_all(order);
    /* What only the environment enters. */
    for (uint32_t t = 1; t < threads_count(sdg->threads) && order->instances.count; t++)
        if (!is_created(order, threads_entry(sdg->threads, t)))
            add_instance(order, (struct instance){.creator = NO_ID,
                                                  .create = NO_ID,
                                                  .entry = threads_entry(sdg->threads, t),
                                                  .is_many = true});
    if (order->instances.count)
        follow_all(order);
    if (order->is_too_large || !order->instances.count) {
        order_free(order);
        return NULL;
    }
    order_find_joins(order);
    order_find_ends(order);
    order_find_gates(order);
    order->locks = locks_build(sdg);
    return order;
}

void order_free(struct order *order) {
    if (!order)
        return;
    for (uint32_t c = 0; c < order->sdg->graph->count; c++)
        VEC_DEINIT(&order->of_component[c]);
    for (size_t b = 0; b < order->program->blocks.count; b++)
        bitset_deinit(&order->after[b]);
    for (size_t i = 0; i < order->ending_calls.count; i++)
        bitset_deinit(&order->ending_calls.data[i]);
    for (size_t i = 0; i < order->joins.count; i++)
        VEC_DEINIT(&order->joins.data[i].creators);
    for (size_t i = 0; i < order->gates.count; i++)
        gate_deinit(&order->gates.data[i]);
    bitset_deinit(&order->exits);
    locks_free(order->locks);
    free(order->of_component);
    free(order->after);
    free(order->is_after_known);
    idmap_deinit(&order->children);
    idmap_deinit(&order->place_ids);
    idmap_deinit(&order->passed_ids);
    idmap_deinit(&order->answers[0]);
    idmap_deinit(&order->answers[1]);
    VEC_DEINIT(&order->gates);
    VEC_DEINIT(&order->passed);
    VEC_DEINIT(&order->joins);
    VEC_DEINIT(&order->ending_calls);
    VEC_DEINIT(&order->contexts);
    VEC_DEINIT(&order->instances);
    free(order);
}

/* --- questions ---------------------------------------------------------------------------- */

uint32_t order_instance_count(const struct order *order) {
    return (uint32_t)order->instances.count;
}

bool order_is_many(const struct order *order, uint32_t instance) {
    return order->instances.data[instance].is_many;
}

function_id order_entry(const struct order *order, uint32_t instance) {
    return order->instances.data[instance].entry;
}

struct order_place order_creation(const struct order *order, uint32_t instance) {
    const struct instance *of = &order->instances.data[instance];
    return (struct order_place){.context = of->created, .at = of->create};
}

/* One that stands for many may be created at other places, too: by itself. */
bool order_creates(const struct order *order, context_id context, instruction_id call,
                   uint32_t instance) {
    const struct instance *of = &order->instances.data[instance];
    if (of->create != call)
        return false;
    uint32_t creator = order->contexts.data[context].instance;
    return of->created == context || (of->is_many && order->instances.data[creator].is_many);
}

bool order_joins(const struct order *order, instruction_id join, uint32_t instance) {
    for (size_t i = 0; i < order->joins.count; i++) {
        const struct join *of = &order->joins.data[i];
        if (of->at != join)
            continue;
        for (size_t k = 0; k < of->creators.count && of->is_known; k++)
            if (of->creators.data[k] == order->instances.data[instance].create)
                return true;
        return !of->is_known;
    }
    return true;
}

bool order_ends(const struct order *order, instruction_id call, uint32_t instance) {
    return bitset_has(&order->ending_calls.data[instance], call);
}

const context_id *order_contexts(const struct order *order, function_id function,
                                 uint32_t *ret_count) {
    uint32_t component = component_of(order, function);
    *ret_count = component == NO_ID ? 0 : (uint32_t)order->of_component[component].count;
    return *ret_count ? order->of_component[component].data : NULL;
}

uint32_t order_instance(const struct order *order, context_id context) {
    return order->contexts.data[context].instance;
}

instruction_id order_call(const struct order *order, context_id context) {
    return order->contexts.data[context].call;
}

context_id order_caller(const struct order *order, context_id context) {
    return order->contexts.data[context].caller;
}

context_id order_root(const struct order *order, uint32_t instance) {
    return order->instances.data[instance].root;
}

context_id order_root_of(const struct order *order, context_id context, function_id function) {
    const struct context *from = &order->contexts.data[context];
    uint32_t count;
    const context_id *contexts = order_contexts(order, function, &count);
    for (uint32_t i = 0; from->caller == NO_ID && i < count; i++)
        if (order->contexts.data[contexts[i]].caller == NO_ID &&
            order->contexts.data[contexts[i]].instance == from->instance)
            return contexts[i];
    return NO_ID;
}

context_id order_enter(const struct order *order, context_id context, instruction_id call,
                       function_id callee) {
    uint32_t component = component_of(order, callee);
    if (component == order->contexts.data[context].component)
        return context;
    uint32_t child = idmap_find(&order->children, key_of(context, call, component));
    return child == IDMAP_NONE ? NO_ID : child;
}

bool order_is_hidden(struct order *order, instruction_id write, instruction_id read) {
    return locks_hide(order->locks, write, read);
}

bool order_is_folded(const struct order *order, function_id a, function_id b) {
    return component_of(order, a) == component_of(order, b);
}
