/*
 * The variant of a program that `recut monitor` runs, and by which `recut test` reads what it left.
 */
#ifndef RECUT_CMD_MONITOR_IMAGE_H
#define RECUT_CMD_MONITOR_IMAGE_H

#include "base/error.h"

/* Its path, from the cache or built now, with these choices (instrument/monitor.h).  The caller
 * frees. */
struct error *monitor_image(const char *program, const char *choices, char **ret);

/* Runs `recut arm` with these arguments, up to NULL (arm.c), and returns what it prints, which the
 * caller frees; that may be NULL. */
struct error *monitor_arm(const char *const *arguments, char **ret_said);

#endif
