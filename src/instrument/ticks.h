/*
 * Code that counts how far a thread has come, for `recut record --threads=serial`
 * (runtime/baton.h).
 *
 * A count goes down by one at each beginning of a function with calls of its own, and each
 * time a loop goes back; `dense`: at each access to memory that other threads may see, too.
 * It takes two instructions:
 *
 *     decl %fs:ticks
 *     js   (call __recut_tick, which changes no register)
 *
 * Where the code allows it, a loop has a register that goes down instead, and takes
 * TICKS_OF_LOOP off the count when that is used up: memory would be what a short loop waits
 * for.  What is left when the loop ends is forgotten, in both runs.
 */
#ifndef RECUT_INSTRUMENT_TICKS_H
#define RECUT_INSTRUMENT_TICKS_H

#include "instrument/variant.h"

void ticks_add(struct variant *variant, LLVMValueRef function, bool dense);

#endif
