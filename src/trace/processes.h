/*
 * The processes of a trace: the program that was recorded, and the children that it and they
 * made (runtime/process_child.h).
 *
 * Each is a trace by itself, in a directory of its own: ROOT for the first, ROOT/pid.PID for
 * the others.  A process that became another program built with recut-cc has that in
 * a directory `exec` in its own, which is a ROOT in turn; and so is ROOT/pid.PID of one that
 * something else started (runtime/process_invite.h): it has a header.  A trace that was recorded
 * before there were any has one process without a pid.
 *
 * Of a damaged trace the list has every process whose directory is there, with what is wrong
 * about it.
 */
#ifndef RECUT_TRACE_PROCESSES_H
#define RECUT_TRACE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct trace_process {
    char *path;
    bool is_child;   /* made by fork(): it is replayed by way of its parent */
    uint64_t pid;    /* 0: unknown */
    uint64_t parent; /* who made it, or started its program; 0: nobody, or unknown */
    uint64_t thread; /* stream of its parent that did so ... */
    uint64_t event;  /* ... by this call */
    size_t depth;    /* children between it and the first */
    size_t root;     /* the one in the list that it is replayed from: the first, or a program
                        that was started; that is no child */
    char *wrong;     /* why nothing leads to it, of a child, or its pid is not known; NULL
                        if nothing is */
};

struct trace_processes {
    struct trace_process *list; /* a child comes after its parent; in order of birth */
    size_t count;
};

struct error *trace_processes_read(const char *root, struct trace_processes *ret);
void trace_processes_free(struct trace_processes *processes);

/* By pid, as it began; NULL if there is none. */
const struct trace_process *trace_process_find(const struct trace_processes *processes,
                                               uint64_t pid);

/* What it became by exec(); NULL if it did not, or if that is not recorded. */
const struct trace_process *trace_process_next(const struct trace_processes *processes,
                                               const struct trace_process *process);

/* The trace that a directory belongs to, and whose process it is: both are the same for the
 * first, whose pid is given as 0.  The caller frees. */
struct error *trace_process_root(const char *path, char **ret_root, uint64_t *ret_pid);

#endif
