/*
 * Slices that run: they compute the same values at the criterion as the whole program.
 *
 * A slice leaves out what a call passes if that does not matter in this call, though
 * the function uses it in others.  To run, each call that is in the slice must pass all
 * that the function's part of the slice wants (Binkley, Precise executable
 * interprocedural slices, 1993).  Calls that end the program stay where the slice can come by, and
 * so do, in the functions that it enters, calls by which threads wait for each other; a loop that
 * nothing else leaves keeps all by which the program may end in it.
 */
#ifndef RECUT_SLICE_EXECUTABLE_H
#define RECUT_SLICE_EXECUTABLE_H

#include "slice/criterion.h"
#include "slice/slice.h"

struct executable {
    bool *keep;      /* by instruction */
    block_id *jumps; /* by block; see struct reduced of program.h */
};

struct executable_options {
    struct order *order; /* as in struct slice_options */
    /* What else has to stay with a slice: adds to `more` what it lacks.  It is asked until it adds
     * nothing; NULL: nobody is asked. */
    void (*complete)(void *data, const struct slice *slice, node_vec *more);
    void *data;
};

/* Of a backward slice from these nodes. */
void executable_find(const struct sdg *sdg, const node_vec *criteria,
                     const struct executable_options *options, struct executable *ret);
void executable_deinit(struct executable *executable);

#endif
