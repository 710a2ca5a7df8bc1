/*
 * A monitored run (`recut monitor`): nothing is recorded, and when the program fails, a crash file
 * is written (format/capture.h), from the handler of the signal, on its own stack.
 */
#ifndef RECUT_RUNTIME_MONITOR_H
#define RECUT_RUNTIME_MONITOR_H

#include <stdbool.h>

#include "format/log.h"

/* Is one wanted?  Then crashes are waited for. */
void __recut_monitor_init(char **argv, char **envp);

extern bool __recut_monitor_is_on;
/* The program dies like this, or `why` it failed if it is no crash. */
void __recut_monitor_failed(const struct crash_event *event, const char *why);
/* It does not: there is no crash file. */
void __recut_monitor_withdraw(void);

#endif
