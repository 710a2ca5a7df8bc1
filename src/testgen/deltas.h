/*
 * Memory of a crash file as differences, before it is compressed.
 *
 * A stack that ran over, and a heap of many like objects, are the same words again and again, at
 * one distance, but for pointers that grow.  Each word of such a record is stored as its difference
 * from the word that is so far in front of it; the distance is in the upper half of the record's
 * kind. The hash is that of the bytes as they were.
 */
#ifndef RECUT_TESTGEN_DELTAS_H
#define RECUT_TESTGEN_DELTAS_H

#include <stdbool.h>
#include <stddef.h>

/* All records of a crash file, in place; both leave what is damaged as it is. */
void deltas_take(char *data, size_t size);
void deltas_undo(char *data, size_t size);

#endif
