/*
 * Starting the user's program from a command, and ending as it ended.
 */
#ifndef RECUT_CMD_RUN_H
#define RECUT_CMD_RUN_H

#include <stdbool.h>

#include "base/error.h"

/* The executable of that name, as a shell would find it; NULL if there is none.
 * The caller frees. */
char *run_find_program(const char *name);

struct run_options {
    const char *program;
    char *const *argv;
    char *const *environment; /* NULL: that of this process */
    /* NAME, value, NAME, value ... NULL: added to the environment. */
    const char *const *variables;
    int kept_fd;     /* a descriptor that the program inherits, or -1 */
    bool more_stack; /* than a program gets otherwise */
};

/* Starts the program. Interrupts from the keyboard are its from then on, not ours,
 * until run_wait(), and what ends or wakes us by kill() is sent on to it. */
struct error *run_start(const struct run_options *options, int *ret_pid);
struct error *run_wait(int pid, int *ret_status);

/* Becomes the program; comes back only if that cannot be. */
struct error *run_become(const struct run_options *options);

/* The exit code that goes with a wait status; dies by the same signal. */
int run_end_like(int status);

#endif
