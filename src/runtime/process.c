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

#include "runtime/baton.h"
#include "runtime/echo.h"
#include "runtime/process_child.h"
#include "runtime/process_handlers.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"

/* --- fork() ------------------------------------------------------------------------------ */

static const struct env_thread *stops_others; /* while this one is in fork(); in a section */

/* With threads side by side: what they had done when the child was made has to be known
 * (process_child.h). */
bool __recut_process_is_parallel(void) {
    return __recut_env_mode != ENV_OFF && __recut_is_threaded && !__recut_is_serial;
}

/* Between the handlers of everybody else and the system call (thread.c). */
void __recut_process_before_fork(void) {
    if (stops_others && stops_others == env_thread())
        __recut_order_stop();
}

void __recut_process_after_fork(void) {
    if (stops_others && stops_others == env_thread())
        __recut_order_go_on();
}

static pid_t record_fork(enum special special, uint64_t from, int old) {
    if (__recut_process_is_parallel()) {
        __recut_section_tell();
        stops_others = env_thread();
    }
    struct process_origin origin = __recut_process_origin();
    pid_t pid = fork();
    stops_others = NULL;
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

static pid_t replay_fork(enum special special, uint64_t from) {
    bool has_order = __recut_process_is_parallel();
    if (has_order)
        __recut_order_wait_all(from);
    struct log_reader *log = __recut_special_read(special, from);
    pid_t pid = (pid_t)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    if (pid > 0)
        pid = __recut_process_replay(pid);
    if (has_order)
        __recut_order_done_all();
    return pid;
}

/* Not recorded, but a cut may be: that the child is one is noticed by recut's own handlers. */
static pid_t plain_fork(bool has_handlers) {
    __recut_handlers_rest(!has_handlers);
    pid_t pid = fork();
    __recut_handlers_rest(false);
    return pid;
}

static pid_t make_process(enum special special, uint64_t from, bool has_handlers) {
    if (!env_thread() || __recut_env_mode == ENV_OFF || !env_is_from_program(from))
        return plain_fork(has_handlers);
    pid_t pid;
    if (has_handlers)
        __recut_handlers_prepare();
    {
        SECTION(from);
        __recut_env_shared_fork();
        __recut_handlers_rest(true);
        pid = __recut_env_mode == ENV_RECORD ? record_fork(special, from, errno)
                                             : replay_fork(special, from);
        __recut_handlers_rest(false);
    }
    int failed = errno;
    if (has_handlers && pid == 0)
        __recut_handlers_child();
    else if (has_handlers)
        __recut_handlers_parent();
    if (pid < 0)
        errno = failed;
    return pid;
}

#define FORK(name, has_handlers)                                                                   \
    pid_t __recut_special_##name(void);                                                            \
    pid_t __recut_special_##name(void) { return make_process(SPECIAL_##name, HERE, has_handlers); }
FORK(fork, true)
FORK(__fork, true)
FORK(_Fork, false)
/* The child of a vfork() would write into the log of its parent. */
FORK(vfork, false)
FORK(__vfork, false)

/* --- daemon() ---------------------------------------------------------------------------- */

static int record_daemon(uint64_t from, int no_chdir, int no_close) {
    int old = errno, result = REAL(daemon)(no_chdir, no_close);
    unsigned char *p = __recut_special_write(SPECIAL_daemon, from, old, 60);
    if (p) {
        p = put_svarint(put_svarint(p, no_chdir), no_close);
        p = __recut_special_result(p, result, old);
        __recut_special_end(put_varint(p, 0));
    }
    return result;
}

static int replay_daemon(uint64_t from, int no_chdir, int no_close) {
    struct log_reader *log = __recut_special_read(SPECIAL_daemon, from);
    __recut_special_input(log, "no_chdir", no_chdir);
    __recut_special_input(log, "no_close", no_close);
    int result = (int)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    return result;
}

/* The parent ends at once, without its handlers. */
int __recut_special_daemon(int, int);
int __recut_special_daemon(int no_chdir, int no_close) {
    uint64_t from = HERE;
    int result;
    if (!env_thread() || __recut_env_mode == ENV_OFF || !env_is_from_program(from))
        return REAL(daemon)(no_chdir, no_close);
    __recut_handlers_prepare();
    {
        SECTION(from);
        __recut_handlers_rest(true);
        result = __recut_env_mode == ENV_RECORD ? record_daemon(from, no_chdir, no_close)
                                                : replay_daemon(from, no_chdir, no_close);
        __recut_handlers_rest(false);
        for (int fd = 0; fd < 3 && result == 0 && !no_close; fd++)
            __recut_echo_follow(MODEL_CLOSES, fd, 0); /* they lead to /dev/null now */
    }
    int failed = errno;
    if (result == 0)
        __recut_handlers_child();
    else
        __recut_handlers_parent();
    if (result != 0)
        errno = failed;
    return result;
}
