/*
 * A replay as a child process: what `recut replay` and `recut races` share.
 *
 *     struct replay_run run = {.quiet = true, .races_fd = -1};
 *     struct error *err = replay_open(&run, argument);
 *     if (!err)
 *         err = replay_run(&run, &status, &report);
 *     replay_close(&run);
 *
 * A process that became other programs by exec() has a part for each, with a trace of its own.
 * They are replayed one after the other: replay_open_next() goes on to the next.
 */
#ifndef RECUT_CMD_REPLAY_RUN_H
#define RECUT_CMD_REPLAY_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "cmd/replay_report.h"
#include "trace/processes.h"
#include "trace/trace.h"

struct replay_run {
    const char *goto_event; /* of the last part that is wanted; NULL: to the end */
    bool verify, quiet;
    const char *variant; /* image that is run; NULL: the one that was recorded with, if any */
    const char *over;    /* an image that lies over it (format/variant.h), or NULL */
    int races_fd;        /* a file that the program tells of races, or -1 */
    int capture_fd;      /* a file that the program tells of its frames, or 0 (format/capture.h) */
    const char *entries; /* the frames that are wanted; NULL: it is to be found out */
    bool exits_fail;     /* exit() with another status than 0 is what is looked for */
    bool more_stack;     /* the frames of the variant may be larger than those that were recorded */
    uint64_t pid;        /* of the child that is wanted; 0: the first process */
    size_t part;         /* that is wanted alone, from 1 on; 0: all */
    bool is_last_part;   /* only the last is */
    /* By replay_open(). */
    char *path;
    char *root; /* directory of all processes */
    struct trace_processes processes;
    const struct trace_process *process; /* the present part, and its number */
    size_t part_number;
    char *follow;         /* the way to that child, for the runtime */
    struct trace *trace;  /* of the process that the replay begins with */
    struct trace *wanted; /* of the one that is replayed; may be the same */
    const char *program;
};

/* `argument` is what the user calls the trace; NULL for the last one.  Opens the first part that
 * is wanted. */
struct error *replay_open(struct replay_run *run, const char *argument);
/* Is there another part that is wanted?  Then opens it instead. */
bool replay_has_next(const struct replay_run *run);
struct error *replay_open_next(struct replay_run *run);
void replay_close(struct replay_run *run);

/* The variant that was recorded with; NULL if none was. The caller frees. */
char *replay_variant(const struct replay_run *run);

struct error *replay_run(const struct replay_run *run, int *ret_status,
                         struct replay_report *report);

/* For gdb, whose shell and terminal would otherwise change the environment: becomes the
 * program. Returns if it cannot. */
struct error *replay_become(const struct replay_run *run);

#endif
