/* How is the user's program run from here?  See run.h. */
#include "cmd/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

char *run_find_program(const char *name) {
    if (strchr(name, '/'))
        return access(name, F_OK) == 0 ? mem_strdup(name) : NULL;
    const char *path = getenv("PATH");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        char *file = mem_printf("%.*s/%s", (int)strcspn(path, ":"), path, name);
        if (access(file, X_OK) == 0)
            return file;
        free(file);
    }
    return NULL;
}

/* Meant for the program, though sent to us: `timeout recut record ...`.  What comes from the
 * keyboard the program gets by itself. */
static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
enum { passed_on_count = sizeof passed_on / sizeof *passed_on };
static struct sigaction old_passed_on[passed_on_count];
static volatile pid_t child;

static void pass_on(int number, siginfo_t *info, void *context) {
    (void)context;
    bool is_sent = info->si_code <= 0;
    if (is_sent || (number != SIGINT && number != SIGQUIT))
        kill(child, number);
}

static void block_passed_on(sigset_t *ret_old) {
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < passed_on_count; i++)
        sigaddset(&all, passed_on[i]);
    sigprocmask(SIG_BLOCK, &all, ret_old);
}

static void begin_passing_on(pid_t pid) {
    child = pid;
    for (size_t i = 0; i < passed_on_count; i++) {
        struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
        sigaction(passed_on[i], NULL, &old_passed_on[i]);
        if (old_passed_on[i].sa_handler != SIG_IGN) /* nohup, a background job */
            sigaction(passed_on[i], &action, NULL);
    }
}

static void set_environment(const struct run_options *options) {
    if (options->environment)
        environ = (char **)options->environment;
    for (const char *const *v = options->variables; v && v[0]; v += 2)
        setenv(v[0], v[1], 1);
}

/* Several times as much as it would have, or as much as it may: of a small function the frame is
 * little more than a return address, and one with a record is that many times as large. */
static void give_stack(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    rlim_t wanted = 4 * limit.rlim_cur;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
}

static __attribute__((noreturn)) void become(const struct run_options *options, int report,
                                             const sigset_t *mask) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (options->kept_fd >= 0)
        fcntl(options->kept_fd, F_SETFD, 0);
    if (options->more_stack)
        give_stack();
    set_environment(options);
    execv(options->program, options->argv);
    int reason = errno;
    ssize_t written = write(report, &reason, sizeof reason);
    _exit(written == sizeof reason ? 127 : 126);
}

struct error *run_become(const struct run_options *options) {
    char **old = environ;
    set_environment(options);
    execv(options->program, options->argv);
    struct error *err = error_errno("cannot start %s", options->program);
    environ = old;
    return err;
}

struct error *run_start(const struct run_options *options, int *ret_pid) {
    int report[2], reason;
    fflush(NULL);
    if (pipe2(report, O_CLOEXEC) != 0)
        return error_errno("cannot make a pipe");
    sigset_t mask;
    block_passed_on(&mask);
    pid_t pid = fork();
    if (pid == 0)
        become(options, report[1], &mask);
    if (pid > 0)
        begin_passing_on(pid);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(report[1]);
    if (pid < 0) {
        close(report[0]);
        return error_errno("cannot start %s", options->program);
    }
    ssize_t got;
    do
        got = read(report[0], &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    if (got == (ssize_t)sizeof reason) {
        waitpid(pid, NULL, 0);
        errno = reason;
        return error_errno("cannot start %s", options->program);
    }
    *ret_pid = pid;
    return NULL;
}

struct error *run_wait(int pid, int *ret_status) {
    struct error *err = NULL;
    while (!err && waitpid(pid, ret_status, 0) < 0)
        if (errno != EINTR)
            err = error_errno("cannot wait for the program");
    for (size_t i = 0; i < passed_on_count; i++)
        sigaction(passed_on[i], &old_passed_on[i], NULL);
    return err;
}

int run_end_like(int status) {
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}
