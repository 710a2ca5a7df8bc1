/*
 * Crashes are part of a recording: the signal, where it struck, registers and
 * the machine stack go to the log, and then the program dies as it would have.
 * A replay comes to the same instruction and compares.
 */
#ifndef RECUT_RUNTIME_CRASH_H
#define RECUT_RUNTIME_CRASH_H

#include <signal.h>

#include "runtime/diverge.h"
#include "runtime/stack.h"

void __recut_crash_init(void);

/* While a run is recorded or replayed, signals that kill have a handler of the
 * runtime's.  The program does not see it: what sigaction() does for such a
 * signal.  False if it is none. */
bool __recut_crash_sigaction(int number, const struct sigaction *action, struct sigaction *old);
bool __recut_crash_owns(int number);

/* The program is about to die by this signal. */
void __recut_crash(int number, const siginfo_t *info, void *context, bool stack_overflow);

/* Around a handler of the program's for such a signal: a run that ends in there has failed, too.
 * The first handler that comes back tells that the program lives with faults: then no more is said.
 */
void __recut_crash_handled(int number, const siginfo_t *info, void *context, bool stack_overflow);
void __recut_crash_came_back(int number);
/* Such a handler is at work. */
extern bool __recut_crash_is_handled;

/* The program says that it failed, here (ucontext_t), or ends with a status that says so; it goes
 * on unless a replay or a test has seen what it wanted. */
void __recut_crash_told(const void *context, const char *why);

/* The machine stack that this is in, or has just run out of: the thread's own, as far as that is
 * known, or what the kernel has mapped there, as for threads that libc placed and for coroutines.
 */
struct stack_range __recut_crash_machine(uint64_t sp);

/* The text of /proc/self/maps, as far as there is room; returns how much it is. */
size_t __recut_crash_mappings(char *ret, size_t size);

/* Replay: the next event is a crash.  One by memory behind the end of a file needs such memory. */
void __recut_crash_expect(const struct log_reader *log);

/* Replay: the recorded run died inside this call of the environment. */
void __recut_crash_inside(struct log_reader *log, struct diverge_place now)
    __attribute__((noreturn));

#endif
