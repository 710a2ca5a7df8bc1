/*
 * Blocks that a lock protects (Krinke, section 4.1).
 *
 * While a thread holds a lock, another that needs the same one sees nothing of what happens in
 * between: of what is written, what is still there when the lock is given back; and what a block
 * reads that it has written itself does not come from others.
 *
 *     struct locks *locks = locks_build(sdg);
 *     if (locks_hide(locks, store, load)) ...        no interference dependence (definition 9)
 *
 * A lock is a mutex, a spin lock or a reader-writer lock that is one object of which there is
 * one: a global, or a local of main().  It is held at a place if it is on all ways there, over all
 * calls.  What is tried, or waited for with a time, is not counted.
 */
#ifndef RECUT_ANALYSIS_LOCKS_H
#define RECUT_ANALYSIS_LOCKS_H

#include "analysis/sdg.h"

struct locks;

/* `sdg` must outlive it. */
struct locks *locks_build(const struct sdg *sdg);
void locks_free(struct locks *locks);

/* Can what `store` writes never be what `load` reads, if they are in different threads? */
bool locks_hide(struct locks *locks, instruction_id store, instruction_id load);

#endif
