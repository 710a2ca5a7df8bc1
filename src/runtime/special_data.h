/*
 * What functions with code of their own put into the log besides numbers:
 * strings that they get, objects that they make.
 *
 * An object is a block of the pool, filled with what the environment gave, with
 * all pointers in it leading into it.  The pool gives the replay the same block,
 * so its bytes are all that the log needs:
 *
 *     record                                replay
 *     size  = how large the copy gets
 *     block = owned_malloc(size)            block = __recut_special_take_block(log)
 *     copy into block, log its bytes          (allocates, and fills it from the log)
 *
 * Record: the real function is called by way of __recut_special_real(), not by
 * its name, so that a static executable is not linked with what it never calls.
 */
#ifndef RECUT_RUNTIME_SPECIAL_DATA_H
#define RECUT_RUNTIME_SPECIAL_DATA_H

#include "runtime/special.h"

/* The real function behind a special that the program uses. */
void *__recut_special_real(enum special special);
#define REAL(name) ((__typeof__(&name))__recut_special_real(SPECIAL_##name))

/* --- inputs ------------------------------------------------------------------------- */

size_t __recut_special_text_bound(const char *text);
unsigned char *__recut_special_put_text(unsigned char *p, const char *text);
/* Replay: the string is the one of the recorded run. */
void __recut_special_text(struct log_reader *log, const char *name, const char *text);

/* Memory that is read, of which a hash is kept; NULL is allowed. */
unsigned char *__recut_special_put_hash(unsigned char *p, const void *memory, size_t size);
void __recut_special_hash(struct log_reader *log, const char *name, const void *memory,
                          size_t size);
/* The same in two steps, for memory that the call changes. */
uint32_t __recut_special_hash_of(const void *memory, size_t size);
void __recut_special_hash_is(struct log_reader *log, const char *name, uint32_t hash);

/* --- outputs ------------------------------------------------------------------------ */

/* The only output: an object, or none if `object` is NULL. */
unsigned char *__recut_special_put_object(unsigned char *p, const void *object, size_t size);
/* Replay: its bytes, in the log; NULL if there is none. */
const unsigned char *__recut_special_take_object(struct log_reader *log, size_t *ret_size);
/* Replay: the same as a block of the pool. */
void *__recut_special_take_block(struct log_reader *log);
/* Replay: the event was read; its effects are there. */
void __recut_special_done(struct log_reader *log);

/* --- calls that a special answers in parts ------------------------------------------ */

/* nftw() calls the program for each file.  What it tells is an event of its
 * own, before the one of the call: it looks like that of a function without a
 * model, with a number as its result and an object. */
void __recut_special_part(enum special special, uint64_t from, int64_t number, const void *object,
                          size_t size);
/* Replay: is the next event that of a call of this function? */
bool __recut_special_is_next(enum special special);
/* Replay: is the next event such a part?  If so its number and object. */
bool __recut_special_take_part(enum special special, uint64_t from, int64_t *ret_number,
                               const unsigned char **ret_object, size_t *ret_size);

#endif
