/*
 * Processes that a recorded program makes.  The one that is recorded goes on; what
 * its children do is part of its environment, and recorded by themselves
 * (process_child.h).
 *
 * A child shares the log with its parent when it is born and lets go of it
 * before it runs any code of the program.  What it prints is not shown when its parent
 * is replayed.
 *
 * daemon() is the other way around: the parent ends inside libc and the child
 * is the recorded program from then on, with the same log.
 */
#include <unistd.h>

#include "runtime/echo.h"
#include "runtime/process_child.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"

static pid_t make_process(enum special special, uint64_t from) {
    int old = errno;
    __recut_env_shared_fork();
    if (__recut_env_mode == ENV_RECORD) {
        struct process_origin origin = __recut_process_origin();
        pid_t pid = fork();
        if (pid == 0) {
            if (!__recut_process_record(&origin))
                __recut_env_leave();
            errno = old;
            return 0;
        }
        unsigned char *p = __recut_special_write(special, from, old, 40);
        if (p) {
            p = __recut_special_result(p, pid, old);
            __recut_special_end(put_varint(p, 0));
        }
        return pid;
    }
    struct log_reader *log = __recut_special_read(special, from);
    pid_t pid = (pid_t)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    return pid > 0 ? __recut_process_replay(pid) : pid;
}

#define FORK(name)                                                                                 \
    pid_t __recut_special_##name(void);                                                            \
    pid_t __recut_special_##name(void) { return make_process(SPECIAL_##name, HERE); }
FORK(fork)
FORK(__fork)
FORK(_Fork)
/* The child of a vfork() would write into the log of its parent. */
FORK(vfork)
FORK(__vfork)

int __recut_special_daemon(int, int);
int __recut_special_daemon(int no_chdir, int no_close) {
    int old = errno, result;
    if (__recut_env_mode == ENV_RECORD) {
        result = REAL(daemon)(no_chdir, no_close);
        unsigned char *p = __recut_special_write(SPECIAL_daemon, HERE, old, 60);
        if (p) {
            p = put_svarint(put_svarint(p, no_chdir), no_close);
            p = __recut_special_result(p, result, old);
            __recut_special_end(put_varint(p, 0));
        }
    } else {
        struct log_reader *log = __recut_special_read(SPECIAL_daemon, HERE);
        __recut_special_input(log, "no_chdir", no_chdir);
        __recut_special_input(log, "no_close", no_close);
        result = (int)__recut_special_take_result(log);
        if (get_varint(log) != 0)
            log->damaged = true;
        __recut_special_done(log);
    }
    for (int fd = 0; fd < 3 && result == 0 && !no_close; fd++)
        __recut_echo_follow(MODEL_CLOSES, fd, 0); /* they lead to /dev/null now */
    return result;
}
