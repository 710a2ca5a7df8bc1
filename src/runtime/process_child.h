/*
 * Children of a recorded program, made by fork(), are recorded as well.
 *
 * Each has a directory in the trace of the program that `recut record` started, with
 * streams of its own, and a file that says where it comes from (format/log.h):
 *
 *     TRACE/pid.4711/process     pid 4711, parent 4700, thread 0, event 57
 *     TRACE/pid.4711/log.0       what it did after that
 *
 * To replay a child its parent is replayed up to the fork(), which is a real one then:
 * the child goes on with its own log, and the parent waits for it and ends as it did.
 *
 * In a program with threads only serial mode (baton.h) knows what all other threads had
 * done when the child was made; else children of such a program are not recorded.
 */
#ifndef RECUT_RUNTIME_PROCESS_CHILD_H
#define RECUT_RUNTIME_PROCESS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Record: says in the trace which process it is. */
void __recut_process_begin(const char *directory);
/* Replay: as the process was when it began (inherited.h). */
void __recut_process_become(const char *directory);

struct process_origin {
    pid_t parent;
    uint32_t thread; /* number of its stream */
    uint64_t event;  /* the call of fork() */
};

/* Record, before the fork: where the child will come from. */
struct process_origin __recut_process_origin(void);
/* Record, in the child: it has a log of its own from here on. False: it is not recorded. */
bool __recut_process_record(const struct process_origin *origin);

/* Replay: which children are to be followed: "PID@THREAD:EVENT+...", NULL for none, and the event
 * of the last of them to stop at, 0 for none. */
void __recut_process_follow(const char *path, uint64_t stop_at);
/* Replay, at the end of the program or of its log: such a child should have been made. */
void __recut_process_check(void);
/* Replay, at a fork() that made `pid`: is it one of them?  Then forks; in the child the
 * result is 0, the parent does not come back. */
pid_t __recut_process_replay(pid_t pid);

#endif
