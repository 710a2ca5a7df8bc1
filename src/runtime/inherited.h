/*
 * What a process has from who started it, besides arguments, environment and files: signals
 * that are ignored (nohup) or blocked.  A program can ask for both, and a replay answers as
 * the recorded run did, whoever started it.
 */
#ifndef RECUT_RUNTIME_INHERITED_H
#define RECUT_RUNTIME_INHERITED_H

#include <stdint.h>

/* A bit for each signal, that of 1 being the lowest. */
struct inherited {
    uint64_t ignored, blocked;
};

struct inherited __recut_inherited(void);
/* Replay: as it was then. */
void __recut_inherit(struct inherited inherited);

#endif
