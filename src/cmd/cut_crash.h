/*
 * Targets from a crash: `recut cut PROG --target crash:TRACE`.
 */
#ifndef RECUT_CMD_CUT_CRASH_H
#define RECUT_CMD_CUT_CRASH_H

#include "analysis/pta.h"
#include "base/bitset.h"

/* Does a target ask for that? */
bool cut_crash_is(const char *target);
/* Adds the functions that have to do with the crash a trace of the program ends with. */
struct error *cut_crash_targets(const struct pta *pta, const char *target,
                                struct bitset *functions);

#endif
