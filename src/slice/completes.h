/*
 * Can control come from the beginning of a statement to what stands behind it?
 *
 * A statement that nothing of a slice is in can be left out of a source if it can: then what
 * stands behind it is on some way from it, and were there on another way, by a jump, something
 * else of the slice, what decides between them would be in the slice.  One that always jumps
 * away hides what stands behind it, and must stay with its jumps (the problem that Ball and
 * Horwitz, Slicing programs with arbitrary control flow, 1993, solve by pseudo-predicates).
 *
 * The answer is no where it is not sure.
 */
#ifndef RECUT_SLICE_COMPLETES_H
#define RECUT_SLICE_COMPLETES_H

#include "syntax/tree.h"

struct completes_facts {
    const bool *branches; /* by statement: its own code has a branch; else a constant decides */
    const bool *ends;     /* by statement: a call in it does not come back */
};

bool completes(const struct syntax_tree *tree, const struct completes_facts *facts, uint32_t id);

#endif
