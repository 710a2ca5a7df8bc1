/*
 * Reading memory of the program that may not be there.
 *
 * A program may give a call any pointer: the kernel answers EFAULT, or does not even look.  The
 * runtime looks at what goes into a call, and must not die of that.  A fault in what
 * __recut_carefully() calls ends that, and nothing else.
 */
#ifndef RECUT_RUNTIME_CAREFUL_H
#define RECUT_RUNTIME_CAREFUL_H

#include <stdbool.h>
#include <stddef.h>

/* False if there was a fault in it. */
bool __recut_carefully(void (*read)(void *data), void *data);

/* Are all bytes there?  NULL has none. */
bool __recut_can_read(const void *at, size_t size);
bool __recut_can_read_string(const char *at);
/* A vector that ends with NULL, and its strings. */
bool __recut_can_read_strings(char *const *at);

/* In a handler: was it such a fault?  Then the thread goes on behind it. */
bool __recut_careful_fault(void *context);

#endif
