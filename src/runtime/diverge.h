/*
 * When a replay is not what was recorded: says so, and ends the process.
 *
 * `recut replay` gives a descriptor (RECUT_OPTIONS report=FD) and turns the
 * report into words and source lines; without one it goes to stderr as it is.
 * The report is lines of "key value".
 */
#ifndef RECUT_RUNTIME_DIVERGE_H
#define RECUT_RUNTIME_DIVERGE_H

#include <stdint.h>

#include "runtime/log_read.h"

/* Where this run and the recorded one are. */
struct diverge_place {
    const char *function;
    uint64_t return_address;
};

/* The program asked for something that the log does not hold next. `what`
 * names the value that differs ("call", "fd", "path"). */
void __recut_diverge(struct log_reader *log, const char *what, const char *recorded,
                     const char *actual, struct diverge_place now) __attribute__((noreturn));
/* The same for two numbers. */
void __recut_diverge_number(struct log_reader *log, const char *what, int64_t recorded,
                            int64_t actual, struct diverge_place now) __attribute__((noreturn));

/* The log ends before the program does: what was recorded was replayed. */
void __recut_replay_ends(struct log_reader *log, struct diverge_place now)
    __attribute__((noreturn));
void __recut_replay_damaged(struct log_reader *log) __attribute__((noreturn));

/* The event that `recut replay -g` wants to stop at was reached: tells so and ends.
 * In a debugger it stops there, and goes on when that says so. */
void __recut_replay_stop(struct log_reader *log, struct diverge_place now);

/* The replay came to its end and compared this many hashes of memory. */
void __recut_replay_verified(struct log_reader *log, uint64_t count);

/* The replay crashed as the recorded run did; the caller lets it die. */
void __recut_replay_crashed(struct log_reader *log, int number);

extern int __recut_report_fd;

#endif
