/*
 * The environment's variables, where a library changes them: setenv() of libc itself, called by
 * code that is not recorded.
 *
 * What the call left is an output of it: for each variable either where it stood in the list
 * before, or its text.  Both runs make the same list of that.
 */
#ifndef RECUT_RUNTIME_ENVIRON_H
#define RECUT_RUNTIME_ENVIRON_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/log_read.h"

/* Record, around a call without a model. */
void __recut_environ_before(void);
bool __recut_environ_changed(size_t *bound);
unsigned char *__recut_environ_put(unsigned char *p);
/* Replay: false if it is damaged. */
bool __recut_environ_take(struct log_reader *body);

#endif
