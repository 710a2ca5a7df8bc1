/*
 * Recording goes on in the programs that a recorded one becomes or starts, if they were
 * built with recut-cc, too: by exec(), posix_spawn(), system() and popen(), and by what those start
 * in turn, a shell or make.
 *
 * Who starts a program does not know what will come of it.  So all that is started finds an
 * invitation in its environment, two variables:
 *
 *     RECUT_TOOL=/usr/bin/recut
 *     RECUT_PARENT=4711:0:57:0:TRACE      process, thread and event that started it, how threads
 *                                         are recorded (format/log.h), and the trace of that
 * process
 *
 * Programs of others hand it on and know nothing of it.  One of ours becomes `recut record
 * --child` before its first constructor runs, which makes a trace for it, since it has
 * arguments and an executable of its own, and becomes the program again.
 */
#ifndef RECUT_RUNTIME_PROCESS_INVITE_H
#define RECUT_RUNTIME_PROCESS_INVITE_H

#include <stddef.h>

#include "runtime/env.h"

/* Record: where `recut` is; NULL: not known, and nobody is invited. */
void __recut_process_tool(const char *path);

/* Memory that lasts as long as the call that it is for; nothing if `at` is NULL. */
struct invitation {
    void *at;
    size_t size;
};
void __recut_invitation_end(struct invitation invitation);

/* Record: an environment with the invitation; as it was if there is none. */
struct invitation __recut_invite_environment(char *const *environment, char *const **ret);
/* Record, before calls of functions of libc's that start a program (effect.h). */
struct invitation __recut_invite_command(struct env_frame *frame);
struct invitation __recut_invite_spawn(struct env_frame *frame);

/* At the beginning of a program that nothing else is wanted of: comes back if it is not invited. */
void __recut_invitation_accept(char **argv, char **envp);

#endif
