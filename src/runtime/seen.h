/*
 * Memory of libraries, for tests: what the program read there, and what libraries wrote in memory
 * of the program with no model that says so.  None of it is there when a test runs.
 *
 * A replay knows it, since `recut record` logs such loads (access.h).  All that is read between two
 * calls was there behind the first of them, unless the program wrote it itself: so a test gets it
 * when the first call is answered, and its loads are loads.  What is the same as before is not kept
 * again.
 *
 *     call of a library        ANSWER
 *     load 1, load 2           SEEN, if it is new
 *     store, load 3            not what the program itself stored
 *     call of a library        ANSWER
 *
 * In a test, pages at the old addresses stand for those of libraries.  Should this process have
 * something else there, as hardly any run does, the program starts once more, and is laid out in
 * another way.
 */
#ifndef RECUT_RUNTIME_SEEN_H
#define RECUT_RUNTIME_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/capture.h"

/* --- replay -------------------------------------------------------------------------------- */

/* Takes what is new of it. */
typedef void seen_write(const void *address, const unsigned char *bytes, size_t size);

/* A call is over: what is read from now on was there behind it. */
void __recut_seen_next(void);
/* The program read this of a library's. */
void __recut_seen_read(const void *address, const unsigned char *bytes, size_t size,
                       seen_write *write);
/* ... or this of its own, which is not what it has there. */
void __recut_seen_changed(const void *address, const unsigned char *bytes, size_t size,
                          seen_write *write);
/* It is about to write to a library's: a zero is taken there if nothing else is of that page, so
 * that it is there to be written. */
void __recut_seen_written(const void *address, size_t size, seen_write *write);

/* --- a test -------------------------------------------------------------------------------- */

/* Puts it there.  False if something else of this process is there. */
bool __recut_seen_put(uint64_t address, const void *bytes, size_t size);
/* Is this a place where a library had something? */
bool __recut_seen_is_put(const void *address);

#endif
