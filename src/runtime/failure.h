/*
 * Failures that are not crashes: the program says so (include/recut.h), or ends by exit() with a
 * status that is not 0, if that counts.
 */
#ifndef RECUT_RUNTIME_FAILURE_H
#define RECUT_RUNTIME_FAILURE_H

#include <stdbool.h>

/* Called by the program; weak there. */
void __recut_failure(const char *why);

/* Do ends by exit() count? */
extern bool __recut_failure_by_exit;
/* The program ends by exit() with this status, on whose stack this is called. */
void __recut_failure_exits(int status);

#endif
