/*
 * Code that tells the runtime of each access to memory that other threads may see, for
 * `recut races` (runtime/race.h).
 *
 *     %v = load T, %p     ->  call @__recut_race_read(%p, sizeof T)
 *                             %v = load T, %p
 *     store, memcpy, memset, atomic operations and fences in the same way
 *
 *     a local that others may have the address of, when the function begins:
 *                         ->  call @__recut_race_local(%local, size)
 *
 * The code that other parts of the variant add, and the memory that it uses, is none of
 * the program's: accesses are found before anything is added to a function, and told of
 * after.  Functions have frame pointers, by which the runtime finds stacks.
 */
#ifndef RECUT_INSTRUMENT_RACES_H
#define RECUT_INSTRUMENT_RACES_H

#include "instrument/variant.h"

struct races {
    VEC(struct races_access) accesses;
    VEC(struct races_local) locals;
};

void races_find(const struct variant *variant, LLVMValueRef function, struct races *ret);
/* Also frees what was found. */
void races_add(struct variant *variant, LLVMValueRef function, struct races *races);

#endif
