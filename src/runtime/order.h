/*
 * The order in which threads do things that matter to each other, while a run is
 * recorded or replayed (iTarget §2.3, §4.3).
 *
 * Each object that orders threads (a lock, a semaphore, the runtime itself) has a
 * counter.  An operation takes the next number; the thread remembers, for each
 * counter, the number after its own last one.  If it gets that one again, no
 * other thread was there in between, and nothing is logged but that the operation
 * took place (env_skip).  Else the log has an ORDER event with the difference.
 *
 * In a replay an operation waits until its counter has come to its number:
 *
 *     record                              replay
 *       pthread_mutex_lock(m)               __recut_order_wait(object, place)
 *       __recut_order_note(object, place)   pthread_mutex_lock(m)
 *                                           __recut_order_done(object)
 *
 * The number is taken at a moment at which the operation has happened and nobody
 * can have seen it yet, or before it begins, if it only gives (a semaphore is
 * posted).  So all operations of a recorded run stand in an order of time that
 * agrees with all counters: a replay that keeps to the numbers never waits for
 * what waits for it.
 *
 * Objects share counters by a hash of their addresses, which orders more than need
 * be and harms nobody.
 *
 * None of it is used before the program makes its first thread.
 */
#ifndef RECUT_RUNTIME_ORDER_H
#define RECUT_RUNTIME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ORDER_RUNTIME = 0, /* section.h */
    ORDER_POOL = 1,    /* blocks that others free, ranges that all share */
    order_first_object = 16,
    order_count = 4096,
};

/* The counter of an object. */
static inline unsigned order_of(const void *object) {
    uint64_t hash = ((uint64_t)object >> 3) * 0x9e3779b97f4a7c15ULL;
    return order_first_object + (unsigned)(hash >> 32) % (order_count - order_first_object);
}

/* Record: the operation has its number.  `place`: where the program called from. */
void __recut_order_note(unsigned counter, uint64_t place);
/* The same for a call that enters the runtime. True if nothing was logged but the count of
 * such; the log may be told later. */
bool __recut_order_note_entry(uint64_t place);
void __recut_order_tell_entry(void);
/* The same for a call that comes back into it; nothing is counted, since the call is in
 * the log. */
void __recut_order_note_return(void);

/* Record: an operation that one thread at a time does, and that gets its number. */
void __recut_order_lock(unsigned counter, uint64_t place);
void __recut_order_unlock(unsigned counter);
/* The same for one that is always in the log. */
void __recut_order_lock_told(unsigned counter);
/* Record, locked: the operation is about to change something; how often one was. */
void __recut_order_write(unsigned counter);
uint64_t __recut_order_writes(unsigned counter);

/*
 * Record: an operation on everything at once, a fork(): it has a number of each counter, but
 * that of the runtime, in which it is.  No other thread does an operation meanwhile: one
 * that has a later number already goes no further before all go on.
 */
void __recut_order_stop(void);
void __recut_order_go_on(void);

/* Record, in the child that was made meanwhile: numbers that others took after that of the fork()
 * are for operations that this process never sees. */
void __recut_order_stopped_child(void);

/* Replay: waits for the turn of the operation; the turn is over. */
void __recut_order_wait(unsigned counter, uint64_t place);
/* The same if the next event says so; else false at once. */
bool __recut_order_wait_told(unsigned counter, uint64_t place);
void __recut_order_wait_entry(uint64_t place);
void __recut_order_wait_return(uint64_t place);
void __recut_order_done(unsigned counter);
/* The same of an operation on everything. */
void __recut_order_wait_all(uint64_t place);
void __recut_order_done_all(void);
/* Replay, during its turn: until all other threads have done what they can do before it is
 * over.  False if one of them does not come to an end with that. */
bool __recut_order_await_rest(void);
/* Record: how far a counter is; replay: waits until it is as far. */
uint64_t __recut_order_now(unsigned counter);
void __recut_order_reach(unsigned counter, uint64_t number);

/* Replay: around what may block for another thread; when all threads are blocked, the
 * recording ends here. */
void __recut_order_block(void);
void __recut_order_block_on(uint32_t slot); /* for the end of that thread */
void __recut_order_unblock(void);
/* Replay: the log of the thread is at its end, that of the run is not: waits for that. */
void __recut_order_park(void) __attribute__((noreturn));

/* In the child of a fork: nobody else is there. */
void __recut_order_forked(void);
/* A thread begins, or is over; is there none but this one?  In a replay some may be about
 * to end: waits for them. */
void __recut_order_thread(int more);
bool __recut_order_is_alone(void);
void __recut_order_await_others(void);

#endif
