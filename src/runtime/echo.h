/*
 * Output of a replay: what went to the standard output or error of the
 * recorded run goes to those of the replay.
 *
 * Which descriptors lead there follows from the calls that open, duplicate and
 * close descriptors, the same way in both modes.
 */
#ifndef RECUT_RUNTIME_ECHO_H
#define RECUT_RUNTIME_ECHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/model.h"

/* 1 or 2 where descriptor `fd` leads to standard output or error, else 0. */
int __recut_echo_target(int fd);
/* After a call whose model speaks of descriptors. */
void __recut_echo_follow(enum model_descriptor what, int first, int result);
/* Nothing is shown at all. */
extern unsigned __recut_echo_quiet;
/* Writes to `target`; with 0 nothing happens. */
void __recut_echo(int target, const void *bytes, size_t count);

#endif
