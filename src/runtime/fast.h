/*
 * Calls that are made so often that the general way (env_record.c) would be
 * felt: recorded by code of their own.  Their events are the same, and a replay
 * answers them in the general way.
 */
#ifndef RECUT_RUNTIME_FAST_H
#define RECUT_RUNTIME_FAST_H

#include <stdint.h>

/* What the slot of function `index` leads to in a recording, NULL if it is none
 * of these. A user's model of it wins. */
void *__recut_fast_find(const char *name, uint64_t index);

#endif
