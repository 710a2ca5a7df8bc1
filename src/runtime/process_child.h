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
 * The child has the memory that all threads of its parent left.  Serial mode (baton.h) knows
 * what they had done by then.  With threads side by side, fork() is an operation on everything that
 * orders them (order.h): what others did before it is done in a replay, and what they did
 * after it is not.  What no order says of (how far a thread is on its way from one operation to
 * the next) can only matter to a child that reads what others write at that moment: a data race.
 * So nothing is hashed in such a child.
 */
#ifndef RECUT_RUNTIME_PROCESS_CHILD_H
#define RECUT_RUNTIME_PROCESS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where a process comes from. */
struct process_origin {
    pid_t parent;    /* 0: nobody that is recorded */
    uint32_t thread; /* number of its stream */
    uint64_t event;  /* the call of fork(), or of what started its program */
};

/* Process.c: is there more than one thread, of a run that is recorded or replayed, and do they run
 * side by side? */
bool __recut_process_is_parallel(void);
/* In fork(), between the handlers of everybody else and the system call (thread.c). */
void __recut_process_before_fork(void);
void __recut_process_after_fork(void);

/* Record: says in the trace which process it is, and who started its program. */
void __recut_process_begin(const char *directory, const struct process_origin *origin);
/* Replay: as the process was when it began (inherited.h). */
void __recut_process_become(const char *directory);

/* Record, before a call: where what it makes will come from. */
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
