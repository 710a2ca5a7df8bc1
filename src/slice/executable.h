/*
 * Slices that run: they compute the same values at the criterion as the whole program.
 *
 * A slice leaves out what a call passes if that does not matter in this call, though
 * the function uses it in others.  To run, each call that is in the slice must pass all
 * that the function's part of the slice wants (Binkley, Precise executable
 * interprocedural slices, 1993).  Calls that end the program stay where the slice can come by, and
 * so do, in the functions that it enters, calls by which threads wait for each other.
 */
#ifndef RECUT_SLICE_EXECUTABLE_H
#define RECUT_SLICE_EXECUTABLE_H

#include "slice/slice.h"

struct executable {
    bool *keep;      /* by instruction */
    block_id *jumps; /* by block; see struct reduced of program.h */
};

/* Of a backward slice from these nodes; `order` as in struct slice_options. */
void executable_find(const struct sdg *sdg, struct order *order, const node_id *criteria,
                     size_t count, struct executable *ret);
void executable_deinit(struct executable *executable);

#endif
