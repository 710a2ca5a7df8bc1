/*
 * Streams in memory: open_memstream, open_wmemstream, fmemopen.
 *
 * libc writes to the program's memory when such a stream is flushed or closed.
 * The log holds what is there afterwards, as an output of the call that did it.
 * The buffer of open_memstream() is libc's own and grows; the program gets its
 * contents in a block of the pool, which it frees as it would free libc's.
 */
#ifndef RECUT_RUNTIME_STREAM_MEMORY_H
#define RECUT_RUNTIME_STREAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Is the stream one whose flushing the program sees? */
bool __recut_memory_has(const FILE *file);

/* Record: after a call that flushed `file`, or all streams with NULL. The number of
 * outputs, and how many bytes they need more. */
unsigned __recut_memory_outputs(const FILE *file, size_t *bound);
unsigned char *__recut_memory_put(unsigned char *p, const FILE *file);
/* Replay: takes such an output; false if it is none, or damaged. */
bool __recut_memory_take(uint64_t tag, const unsigned char *bytes, size_t size);

/* No recording any more: the same for the program, after such a call. */
void __recut_memory_sync(const FILE *file);

/* Any mode: the stream was closed. */
void __recut_memory_forget(const FILE *file);

#endif
