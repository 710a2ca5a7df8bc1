/*
 * One number for the whole of replay space: variables, thread-locals, the
 * live part of the data stack, the heap and the program's mappings.  Equal in a recorded run and
 * its replay at the same event, or the replay is not exact.
 */
#ifndef RECUT_RUNTIME_STATE_H
#define RECUT_RUNTIME_STATE_H

#include <stdint.h>

#include "runtime/diverge.h"
#include "runtime/log_write.h"

uint64_t __recut_state_hash(void);

/* Calls `visit` for all memory that the program can have put something into, the arguments and the
 * unused part of its data stack among it; variables of libraries that it uses; and the tables of
 * its heap. */
void __recut_state_visit(void (*visit)(const void *memory, size_t size, void *data), void *data);

/* What is mapped there and can be read, as the kernel tells; false if nothing is. */
/* The variable that holds an address; false if none does. */
bool __recut_state_find_variable(uint64_t address, uint64_t *ret_start, uint64_t *ret_size);
bool __recut_state_find_mapping(uint64_t address, uint64_t *ret_low, uint64_t *ret_high);

/* Is there a moment at which no other thread is at work on memory? */
bool __recut_state_stands_still(void);
/* Record: others were when this process was made, and nobody can tell how far they were. */
extern bool __recut_state_is_vague;

/* What libc keeps in locks and the like is its own affair, and differs: such an object has
 * no part in hashes from here on. */
void __recut_state_leave_out(const void *object, size_t size);

/* Record: a HASH event. */
void __recut_state_note(struct log_writer *log);
extern uint64_t __recut_state_every; /* events from hash to hash; 0: none but the last */

/* Replay: compares, when that was asked for. */
void __recut_state_verify(struct log_reader *log, uint64_t recorded, struct diverge_place now);
extern bool __recut_state_verifies;
extern uint64_t __recut_state_verified; /* how often it did */

static inline bool state_is_hashed(void) { return __recut_state_every || __recut_state_verifies; }

#endif
