/*
 * Processes that a recorded program makes.  The one that is recorded goes on;
 * what it starts is part of its environment and runs unrecorded.
 */
#include <unistd.h>

#include "runtime/special.h"
#include "runtime/stream.h"

static pid_t make_process(enum special special, uint64_t from) {
    int old = errno;
    if (__recut_env_mode == ENV_RECORD) {
        pid_t pid = fork();
        if (pid == 0) {
            __recut_env_leave();
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
    __recut_env_expected(log);
    __recut_env_answered(log);
    return pid;
}

pid_t __recut_special_fork(void), __recut_special_vfork(void);
pid_t __recut_special_fork(void) { return make_process(SPECIAL_fork, HERE); }

/* The child of a vfork() would write into the log of its parent. */
pid_t __recut_special_vfork(void) { return make_process(SPECIAL_vfork, HERE); }
