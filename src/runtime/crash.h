/*
 * Crashes are part of a recording: the signal, where it struck, registers and
 * the machine stack go to the log, and then the program dies as it would have.
 * A replay comes to the same instruction and compares.
 */
#ifndef RECUT_RUNTIME_CRASH_H
#define RECUT_RUNTIME_CRASH_H

#include <signal.h>

#include "runtime/diverge.h"

void __recut_crash_init(void);

/* The program is about to die by this signal. */
void __recut_crash(int number, const siginfo_t *info, void *context, bool stack_overflow);

/* Replay: the recorded run died inside this call of the environment. */
void __recut_crash_inside(struct log_reader *log, struct diverge_place now)
    __attribute__((noreturn));

#endif
