/*
 * Which of two places in a program with threads can come first, and which can be at the same
 * time?
 *
 *     struct order *order = order_build(sdg);
 *     if (order && order_may_precede(order, a, b)) ...
 *
 * An instance is a thread as the program makes it: what one pthread_create() begins when it
 * is reached by one way of calls.  One that may be begun several times (in a loop, by
 * recursion, by another such) stands for many threads; so does a function that the
 * environment enters when it likes, as a handler of signals.
 *
 * A context is a call string (Krinke, definition 1): how an instance came into a function.
 * Functions that call each other in a circle are one (definition 8), so that there are
 * finitely many.  A place is a context and an instruction.
 *
 * The order is that of the flow within an instance (definition 1, "reaches"), and what
 * pthread_create() and pthread_join() give between two: an instance is there from the
 * former until the latter.  A join counts if what it waits for is known to be that instance.
 * Besides, what waiting for semaphores and barriers proves (order_wait.c).
 *
 * Cost: grows with the number of call strings; there are ORDER_MOST_CONTEXTS at most.
 */
#ifndef RECUT_ANALYSIS_ORDER_H
#define RECUT_ANALYSIS_ORDER_H

#include "analysis/locks.h"

enum { ORDER_MOST_CONTEXTS = 20000, ORDER_MOST_INSTANCES = 64 };

typedef uint32_t context_id;

struct order_place {
    context_id context;
    instruction_id at; /* NO_ID: the end of the function */
    bool is_after;     /* a call: when it has returned */
};

struct order;

/* NULL if the program has no threads, too many call strings, memory that is a hub, or uses
 * setjmp(); `sdg` must outlive it. */
struct order *order_build(const struct sdg *sdg);
void order_free(struct order *order);

/* Instances; the first is main's. */
uint32_t order_instance_count(const struct order *order);
bool order_is_many(const struct order *order, uint32_t instance);
/* The function that it begins in. */
function_id order_entry(const struct order *order, uint32_t instance);
/* The call that creates an instance; NO_ID in `at` if it is none's. */
struct order_place order_creation(const struct order *order, uint32_t instance);
/* Does the call, made there, create this instance? */
bool order_creates(const struct order *order, context_id context, instruction_id call,
                   uint32_t instance);
/* May the call wait for the end of this instance? */
bool order_joins(const struct order *order, instruction_id join, uint32_t instance);

/* Is the instance over for sure when the call returns? */
bool order_ends(const struct order *order, instruction_id call, uint32_t instance);

/* Contexts of a function, over all instances. */
const context_id *order_contexts(const struct order *order, function_id function,
                                 uint32_t *ret_count);
uint32_t order_instance(const struct order *order, context_id context);
/* The call that it came by, and from where; NO_ID where the instance begins. */
instruction_id order_call(const struct order *order, context_id context);
context_id order_caller(const struct order *order, context_id context);
/* Where the instance begins. */
context_id order_root(const struct order *order, uint32_t instance);
/* The same for another function that runs before or after that of a root, in one thread: a
 * constructor, main().  NO_ID if the context is none. */
context_id order_root_of(const struct order *order, context_id context, function_id function);
/* The context of a function that a call enters; NO_ID if it does not. */
context_id order_enter(const struct order *order, context_id context, instruction_id call,
                       function_id callee);
/* Are two functions in one circle of calls? */
bool order_is_folded(const struct order *order, function_id a, function_id b);

/* Can there be an execution in which `a` comes before `b`?  Of one instance that is not many:
 * is `b` reachable from `a`? */
bool order_may_precede(struct order *order, struct order_place a, struct order_place b);
/* Can what one instruction writes never be what another reads that is in another thread, since
 * both hold a lock? */
bool order_is_hidden(struct order *order, instruction_id write, instruction_id read);
/* Can both be at the same time? */
bool order_is_parallel(struct order *order, struct order_place a, struct order_place b);
/* Can this instance be anywhere when another, or another thread of the same, is at the place? */
bool order_meets(struct order *order, struct order_place place, uint32_t instance);

#endif
