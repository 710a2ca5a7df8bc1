/*
 * Going through the processes of a trace, or through one of them, and on where one is damaged:
 * what `recut events` and `recut dump` share.
 *
 *     struct process_walk walk = {.command = argv[0], .pid = pid};
 *     struct error *err = process_walk_open(&walk, argument);
 *     while (!err && process_walk_next(&walk)) {
 *         ... walk.process, walk.view ...
 *         process_walk_fail(&walk, ...);
 *     }
 *     process_walk_close(&walk);
 *     return err ? cmd_fail(argv[0], err) : walk.code;
 */
#ifndef RECUT_CMD_PROCESS_WALK_H
#define RECUT_CMD_PROCESS_WALK_H

#include <stdbool.h>

#include "cmd/trace_view.h"
#include "trace/processes.h"

struct process_walk {
    const char *command; /* that tells what is wrong */
    uint64_t pid;        /* this process only, all programs that it was; 0: all of them */
    bool is_first_only;  /* of those */
    /* By process_walk_next(). */
    const struct trace_process *process;
    struct trace_view view;
    /* By process_walk_open(). */
    struct trace_processes processes;
    char *path;
    struct trace *trace;
    size_t next;
    int code; /* that of the last error; 0: nothing is wrong */
};

/* Fails if the trace has no such process. */
struct error *process_walk_open(struct process_walk *walk, const char *argument);
void process_walk_close(struct process_walk *walk);

/* The next one that can be opened; tells what is missing from each. */
bool process_walk_next(struct process_walk *walk);

/* Tells what is wrong with the present process; nothing for NULL. */
void process_walk_fail(struct process_walk *walk, struct error *err);

#endif
