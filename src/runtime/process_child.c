/* How is a child recorded, and replayed?  See process_child.h. */
#include "runtime/process_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/baton.h"
#include "runtime/echo.h"
#include "runtime/env_thread.h"
#include "runtime/inherited.h"
#include "runtime/raw.h"
#include "runtime/state.h"
#include "runtime/thread_recorded.h"

/* --- record ------------------------------------------------------------------------------- */

static char *append(char *to, const char *text) { return stpcpy(to, text); }

static char *append_number(char *to, const char *name, uint64_t number) {
    char digits[24];
    to = append(append(to, name), __recut_decimal(number, digits));
    return append(to, "\n");
}

static bool write_file(const char *directory, const char *text) {
    char path[4096 + 32];
    strcat(strcpy(path, directory), "/process");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    size_t length = strlen(text);
    bool done = write(fd, text, length) == (ssize_t)length;
    close(fd);
    return done;
}

static char *append_process(char *to, const struct process_origin *origin) {
    to = append_number(to, "pid ", (uint64_t)getpid());
    if (!origin->parent)
        return to;
    to = append_number(to, "parent ", (uint64_t)origin->parent);
    to = append_number(to, "thread ", origin->thread);
    return append_number(to, "event ", origin->event);
}

void __recut_process_begin(const char *directory, const struct process_origin *origin) {
    char text[240];
    struct inherited inherited = __recut_inherited();
    char *at = append_process(text, origin);
    at = append_number(at, "ignored ", inherited.ignored);
    append_number(at, "blocked ", inherited.blocked);
    write_file(directory, text);
}

static uint64_t number_of(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

void __recut_process_become(const char *directory) {
    char path[4096 + 32], text[256];
    if (strlen(directory) >= 4096)
        return;
    strcat(strcpy(path, directory), "/process");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (length < 0)
        return;
    text[length] = '\0';
    if (strstr(text, "ignored "))
        __recut_inherit(
            (struct inherited){number_of(text, "ignored "), number_of(text, "blocked ")});
}

struct process_origin __recut_process_origin(void) {
    struct env_thread *thread = env_thread();
    /* That the call began is no event of its own, if it was counted. */
    uint64_t event = thread->out.events + 1 - thread->section.is_counted;
    return (struct process_origin){getpid(), __recut_thread_recorded_number(), event};
}

/* What a trace has once stays where it is, above. */
static bool make_directory(char *directory) {
    char digits[24];
    if (strlen(__recut_env_root()) + 40 >= 4096)
        return false;
    strcat(strcat(strcpy(directory, __recut_env_root()), "/pid."),
           __recut_decimal((uint64_t)getpid(), digits));
    return mkdir(directory, 0700) == 0;
}

bool __recut_process_record(const struct process_origin *origin) {
    struct env_thread *thread = env_thread();
    char directory[4096], text[160];
    if (thread->entered_count || !make_directory(directory))
        return false;
    append_process(text, origin);
    if (!write_file(directory, text))
        return false;
    __recut_state_is_vague = !__recut_state_stands_still();
    __recut_log_drop(&thread->out);
    __recut_order_forked();
    if (__recut_process_is_parallel())
        __recut_order_stopped_child();
    __recut_thread_recorded_forked();
    __recut_thread_recorded_first();
    __recut_baton_forked();
    if (!__recut_env_move(thread, directory))
        return false;
    thread->section.went_out = thread->section.is_counted = false;
    __recut_async_forked();
    return true;
}

/* --- replay ------------------------------------------------------------------------------- */

static const char *wanted; /* what is left of the path to the process that is wanted */
static uint64_t wanted_event;

void __recut_process_follow(const char *path, uint64_t stop_at) {
    wanted = path;
    __recut_echo_quiet += wanted != NULL;
    if (wanted)
        wanted_event = stop_at;
    else
        env_thread()->in.stop_at = stop_at;
}

void __recut_process_check(void) {
    if (!wanted)
        return;
    __recut_say("cannot replay: no process is made where the trace says, at ", wanted, NULL);
    raw_syscall3(SYS_exit_group, 65, 0, 0);
}

/* Ends as the child ended. */
static void wait_and_end(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status)) {
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        sigset_t none;
        sigemptyset(&none);
        sigaction(WTERMSIG(status), &fallback, NULL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        raw_syscall3(SYS_kill, getpid(), WTERMSIG(status), 0);
    }
    _exit(WEXITSTATUS(status));
}

pid_t __recut_process_replay(pid_t pid) {
    struct env_thread *thread = env_thread();
    char *end, directory[4096], digits[24];
    if (!wanted)
        return pid;
    /* As it calls itself: in a namespace of its own it has another number for its parent. */
    uint64_t own = strtoull(wanted, &end, 10);
    if (*end != '@' || strtoull(end + 1, &end, 10) != __recut_thread_recorded_number() ||
        *end != ':' || strtoull(end + 1, &end, 10) != thread->in.events)
        return pid;
    if (__recut_process_is_parallel() && !__recut_order_await_rest()) {
        __recut_say("cannot replay: a thread that was there when the process was made never waits "
                    "for anything; --threads=serial records such a program",
                    NULL);
        raw_syscall3(SYS_exit_group, 70, 0, 0);
    }
    pid_t child = fork();
    if (child < 0) {
        __recut_say("cannot replay: a process cannot be made: ", strerror(errno), NULL);
        _exit(70);
    }
    if (child > 0)
        wait_and_end(child);
    wanted = *end == '+' ? end + 1 : NULL;
    __recut_echo_quiet -= !wanted;
    strcat(strcat(strcpy(directory, __recut_env_root()), "/pid."), __recut_decimal(own, digits));
    __recut_log_unmap(&thread->in);
    __recut_order_forked();
    __recut_thread_recorded_first();
    if (!__recut_env_move(thread, directory)) {
        __recut_say("cannot replay ", directory, ": its log is missing or damaged", NULL);
        _exit(65);
    }
    if (!wanted)
        thread->in.stop_at = wanted_event;
    return 0;
}
