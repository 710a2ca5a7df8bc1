/* What getline() and its relatives read, for the functions of the heap that
 * return it. */
#ifndef RECUT_RUNTIME_STREAM_IN_H
#define RECUT_RUNTIME_STREAM_IN_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* As getdelim(), in any mode: the line is at *ret, without a NUL, until the
 * next call. `from` is where the program called from; `old` and `old_size` is what it has
 * at hand for the line. */
ssize_t __recut_stream_line(FILE *file, int delimiter, uint64_t from, const char *old,
                            size_t old_size, char **ret);

#endif
