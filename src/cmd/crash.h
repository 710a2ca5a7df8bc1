/*
 * A crash in words: what struck, where, and how the program came there.
 */
#ifndef RECUT_CMD_CRASH_H
#define RECUT_CMD_CRASH_H

#include <stdio.h>

/* Tells of the crash that a trace ends with; nothing if it does not. */
void crash_explain(FILE *out, const char *trace_path);

#endif
