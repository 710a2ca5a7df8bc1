/*
 * One thread of the program at a time: `recut record --threads=serial`.
 *
 * Who runs code of the program has the baton, which is the section of section.h: a
 * thread enters it when it begins and leaves it when it ends.  In between it gives
 * the baton away at two kinds of places only:
 *
 *   calls     while a call waits, as in every recording;
 *   ticks     the serial variant (src/instrument/ticks.c) counts loops and calls of the
 *             program's own functions; each time the count is used up, another thread
 *             that waits may go on.
 *
 * Both are places that a replay comes to in the same way, so that a replay that hands
 * the baton to the same threads does the same, whatever races the program has.  Locks
 * follow from that: a replay does not even take them (sync.c).
 *
 * With a seed (--chaos) the counts between ticks are drawn at random, and so is who
 * gets the baton.  The seed is in the trace.
 */
#ifndef RECUT_RUNTIME_BATON_H
#define RECUT_RUNTIME_BATON_H

#include <stdbool.h>
#include <stdint.h>

extern bool __recut_is_serial;

/* Serial mode from the first thread on; `seed` 0: no chaos. */
void __recut_baton_init(uint64_t seed);
/* The count of a thread begins; `number` is that of its stream. */
void __recut_baton_thread(uint32_t number);

/* The seed, 0 without chaos. */
uint64_t __recut_baton_seed(void);

/* Record. */
void __recut_baton_take(void);
void __recut_baton_give(void);
/* Waits until that many threads have begun, so that what they do does not depend on how
 * long the kernel takes to make them. */
void __recut_baton_await(uint32_t count);
/* In the child of a fork: nobody else is there. */
void __recut_baton_forked(void);
/* Recording is over: nobody waits any more. */
void __recut_baton_dissolve(void);

/* Called by tick.S when the count of the thread is used up; the place in the program. */
void __recut_ticked(uint64_t place, int32_t weight);
/* With chaos: an operation that orders threads may be a place to switch, too. */
void __recut_baton_chance(uint64_t place);

#endif
