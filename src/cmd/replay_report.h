/*
 * What the runtime reports at the end of a replay (runtime/diverge.c), and what
 * a person is told of it.
 */
#ifndef RECUT_CMD_REPLAY_REPORT_H
#define RECUT_CMD_REPLAY_REPORT_H

#include "base/mem.h"
#include "trace/trace.h"

struct replay_report {
    VEC(char) text; /* lines of "key value" */
};

/* Reads until the program has closed its end. `meanwhile` is called every now and
 * then until there is something to read. */
void replay_report_read(struct replay_report *report, int fd, void (*meanwhile)(void *data),
                        void *data);
void replay_report_deinit(struct replay_report *report);

/* Prints it on stderr. The exit code, or -1: that of the program. */
int replay_report_print(const struct replay_report *report, const struct trace *trace,
                        const char *program);

/* Did the replay crash as the recorded run did, come to where the recording ends before the
 * program does, or leave the recording? */
bool replay_report_crashed(const struct replay_report *report);
bool replay_report_ended(const struct replay_report *report, const struct trace *trace);
bool replay_report_left(const struct replay_report *report, const struct trace *trace);

#endif
