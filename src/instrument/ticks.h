/*
 * Code that counts how far a thread has come, for `recut record --threads=serial`
 * (runtime/baton.h).
 *
 * A count goes down by one at each beginning of a function that can come back to itself
 * (one with loops, or calls of its own), and each time a loop goes back; `dense`: at each
 * access to memory that other threads may see, too.  It takes two instructions:
 *
 *     decl %fs:ticks
 *     js   (call __recut_tick, which changes no register)
 */
#ifndef RECUT_INSTRUMENT_TICKS_H
#define RECUT_INSTRUMENT_TICKS_H

#include "instrument/variant.h"

void ticks_add(struct variant *variant, LLVMValueRef function, bool dense);

#endif
