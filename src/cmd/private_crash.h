/*
 * Crash files of programs with something private (testgen/secrets.h): the running program writes
 * them into memory, what is private is taken out, and what is left goes where it was wanted.
 */
#ifndef RECUT_CMD_PRIVATE_CRASH_H
#define RECUT_CMD_PRIVATE_CRASH_H

#include <stdbool.h>

#include "base/error.h"

struct private_crash {
    char *directory; /* NULL: nothing is private, and all is as without this */
    char *path;      /* of the crash file as the program writes it */
};

/* `redact`: words, as in testgen/secrets.h, or NULL. */
struct error *private_crash_begin(const char *program, const char *redact,
                                  struct private_crash *ret);

/* Puts each crash file that was left, those of children too, where it belongs: next to `output`,
 * with the same ending.  Without an `image` nothing was monitored, and no memory is left. */
struct error *private_crash_end(struct private_crash *crash, const char *program, const char *image,
                                const char *redact, const char *choices, const char *output);

/* The folder in memory is gone, with all that was left in it. */
void private_crash_deinit(struct private_crash *crash);

#endif
