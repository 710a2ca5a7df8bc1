/*
 * Memory that a function can reach when it begins, copied as deep as was asked for (ReCrash,
 * section 2.2.1): what the monitor variant calls where its own small copies are not enough.
 *
 * C has no sizes of objects.  That of a heap block is the pool's; of a variable, the list of them
 * says; elsewhere it is that of the type that the caller tells, or a few words.  More is copied
 * than is there, never less, and that does no harm: all of it is what was there.  Any aligned word
 * that leads to memory of the program is taken for a pointer.  Circles end at what was copied
 * already; a wild pointer leads nowhere, or to a fault that is none; of a huge object, and of very
 * many, the first.
 *
 * The copies of a thread are a stack of blocks, one for each call, in memory of their own:
 *
 *     | struct copies_block | struct shadow_copy, bytes | ... | struct copies_block | ...
 *
 * Nothing is done when a function returns: the next call drops the blocks of frames that are below
 * it on the same stack, and so are gone.
 */
#ifndef RECUT_RUNTIME_COPIES_H
#define RECUT_RUNTIME_COPIES_H

#include <stdint.h>

struct capture_writer;

/* Called by the variant: for the call of this function whose return address is there; from each
 * root; the end. */
void __recut_copies_begin(void *slot, uint64_t function);
void __recut_copies_add(void *base, int64_t field, uint64_t size, uint64_t depth);
void __recut_copies_end(void);

/* Those of this thread, for `recut test`. */
void __recut_copies_write(struct capture_writer *writer);

#endif
