/*
 * exec(): the recorded process becomes another program.
 *
 * If it works this recording ends there (another may begin: process_invite.h), and that has to be
 * in the log before; if it fails the call is one like any other.  So an event that says that the
 * recording ends is written first, and taken back when the function returns.
 * The functions with a list of arguments are turned into those with a vector.
 */
#include <stdarg.h>
#include <unistd.h>

#include "runtime/careful.h"
#include "runtime/process_invite.h"
#include "runtime/raw.h"
#include "runtime/special_data.h"

struct exec {
    enum special special;
    uint64_t from;
    int fd; /* fexecve, execveat */
    bool has_fd, has_flags;
    int flags;
    const char *path; /* NULL: fexecve */
    char *const *arguments, *const *environment;
    bool is_list; /* the model has the path and the first argument */
};

/* --- the event that the recording ends ------------------------------------------------- */

static const char reason[] = "another program took its place (exec)";

struct promise {
    uint64_t skipped;
    uint32_t path;
    bool made;
};

static struct promise promise_end(struct log_writer *log) {
    struct promise promise = {log->skipped, log->path, false};
    unsigned char *p = log_begin(log, EVENT_LOST, sizeof reason + 20);
    if (p) {
        log_end(log, put_bytes(p, reason, sizeof reason - 1));
        promise.made = true;
    }
    return promise;
}

static void take_back(struct log_writer *log, struct promise promise) {
    if (!promise.made)
        return;
    log->cursor = log->event;
    log->skipped = promise.skipped;
    log->path = promise.path;
    log->chunk->used = (uint32_t)(log->cursor - (unsigned char *)(log->chunk + 1));
}

/* --- inputs, by the models ---------------------------------------------------------------- */

static size_t vector_bound(char *const *vector) {
    size_t bound = 10;
    for (; vector && *vector; vector++)
        bound += __recut_special_text_bound(*vector);
    return bound;
}

static unsigned char *put_vector(unsigned char *p, char *const *vector) {
    size_t count = 0;
    while (vector && vector[count])
        count++;
    p = put_varint(p, vector ? 1 + count : 0);
    for (size_t i = 0; i < count; i++)
        p = put_bytes(p, vector[i], strlen(vector[i]));
    return p;
}

static bool has_environment(const struct exec *exec) {
    return !exec->is_list && exec->special != SPECIAL_execv && exec->special != SPECIAL_execvp;
}

static void record_failure(const struct exec *exec, int old) {
    size_t bound = 100 + vector_bound(exec->arguments) + vector_bound(exec->environment);
    unsigned char *p = __recut_special_write(exec->special, exec->from, old,
                                             bound + __recut_special_text_bound(exec->path));
    if (!p)
        return;
    if (exec->has_fd)
        p = put_svarint(p, exec->fd);
    if (exec->path)
        p = __recut_special_put_text(p, exec->path);
    if (exec->is_list)
        p = __recut_special_put_text(p, exec->arguments[0]);
    else
        p = put_vector(p, exec->arguments);
    if (has_environment(exec))
        p = put_vector(p, exec->environment);
    if (exec->has_flags)
        p = put_svarint(p, exec->flags);
    p = __recut_special_result(p, -1, old);
    __recut_special_end(put_varint(p, 0));
}

static void skip_vector(struct log_reader *log) {
    uint64_t count = get_varint(log);
    for (uint64_t i = 1; i < count && !log->damaged; i++) {
        size_t size;
        get_bytes(log, &size);
    }
}

/* Comes back only if the recorded call did. */
static int replay(const struct exec *exec) {
    struct log_reader *log = __recut_special_read(exec->special, exec->from);
    if (exec->has_fd)
        __recut_special_input(log, "fd", exec->fd);
    if (exec->path)
        __recut_special_text(log, "path", exec->path);
    if (exec->is_list)
        __recut_special_text(log, "argument", exec->arguments[0]);
    else
        skip_vector(log);
    if (has_environment(exec))
        skip_vector(log);
    if (exec->has_flags)
        __recut_special_input(log, "flags", exec->flags);
    int result = (int)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    return result;
}

static char *const nothing[] = {NULL};

/* --- the calls ------------------------------------------------------------------------------ */

static bool takes_environment(const struct exec *exec) {
    return has_environment(exec) || exec->special == SPECIAL_execle;
}

static void call(const struct exec *exec) {
    char *const *environment = takes_environment(exec) ? exec->environment : environ;
    struct invitation invitation = {0};
    if (!environment || __recut_can_read_strings(environment))
        invitation = __recut_invite_environment(environment, &environment);
    switch (exec->special) {
    case SPECIAL_execvp:
    case SPECIAL_execlp:
    case SPECIAL_execvpe:
        execvpe(exec->path, exec->arguments, environment);
        break;
    case SPECIAL_fexecve:
        fexecve(exec->fd, exec->arguments, environment);
        break;
    case SPECIAL_execveat:
        execveat(exec->fd, exec->path, exec->arguments, environment, exec->flags);
        break;
    default:
        execve(exec->path, exec->arguments, environment);
    }
    int wrong = errno;
    __recut_invitation_end(invitation);
    errno = wrong;
}

/* For the log: the kernel says EFAULT to the others. */
static struct exec readable(struct exec exec) {
    if (!__recut_can_read_string(exec.path))
        exec.path = exec.special == SPECIAL_fexecve ? NULL : "";
    if (!__recut_can_read_strings(exec.arguments))
        exec.arguments = nothing;
    if (!__recut_can_read_strings(exec.environment))
        exec.environment = NULL;
    return exec;
}

static int execute(const struct exec *asked) {
    struct exec can_be_read = readable(*asked);
    const struct exec *exec = &can_be_read;
    if (__recut_env_mode == ENV_REPLAY)
        return replay(exec);
    struct log_writer *log = &env_thread()->out;
    int old = errno;
    struct promise promise = promise_end(log);
    call(asked);
    take_back(log, promise);
    record_failure(exec, old);
    return -1;
}

int __recut_special_execve(const char *, char *const *, char *const *),
    __recut_special_execvpe(const char *, char *const *, char *const *),
    __recut_special_execv(const char *, char *const *),
    __recut_special_execvp(const char *, char *const *),
    __recut_special_fexecve(int, char *const *, char *const *),
    __recut_special_execveat(int, const char *, char *const *, char *const *, int);

#define EXEC(name, ...)                                                                            \
    execute(&(struct exec){.special = SPECIAL_##name,                                              \
                           .from = HERE,                                                           \
                           .path = path,                                                           \
                           .arguments = arguments,                                                 \
                           __VA_ARGS__})

int __recut_special_execve(const char *path, char *const *arguments, char *const *environment) {
    return EXEC(execve, .environment = environment);
}

int __recut_special_execvpe(const char *path, char *const *arguments, char *const *environment) {
    return EXEC(execvpe, .environment = environment);
}

int __recut_special_execv(const char *path, char *const *arguments) {
    return EXEC(execv, .environment = NULL);
}

int __recut_special_execvp(const char *path, char *const *arguments) {
    return EXEC(execvp, .environment = NULL);
}

int __recut_special_fexecve(int fd, char *const *arguments, char *const *environment) {
    const char *path = NULL;
    return EXEC(fexecve, .environment = environment, .fd = fd, .has_fd = true);
}

int __recut_special_execveat(int fd, const char *path, char *const *arguments,
                             char *const *environment, int flags) {
    return EXEC(execveat, .environment = environment, .fd = fd, .has_fd = true, .flags = flags,
                .has_flags = true);
}

enum { most_arguments = 4096 };

/* The vector that a list of arguments makes; `ret_last` is what follows its NULL. */
static size_t gather(char **vector, const char *first, va_list list, char *const **ret_last) {
    size_t count = 0;
    vector[count++] = (char *)(uintptr_t)first;
    while (vector[count - 1] && count < most_arguments)
        vector[count++] = va_arg(list, char *);
    vector[count - 1] = NULL;
    if (ret_last)
        *ret_last = va_arg(list, char *const *);
    return count;
}

#define EXEC_LIST(name, has_last)                                                                  \
    int __recut_special_##name(const char *, const char *, ...);                                   \
    int __recut_special_##name(const char *path, const char *first, ...) {                         \
        static char *arguments[most_arguments];                                                    \
        char *const *environment = NULL;                                                           \
        va_list list;                                                                              \
        va_start(list, first);                                                                     \
        gather(arguments, first, list, has_last ? &environment : NULL);                            \
        va_end(list);                                                                              \
        return EXEC(name, .environment = environment, .is_list = true);                            \
    }
EXEC_LIST(execl, false)
EXEC_LIST(execlp, false)
EXEC_LIST(execle, true)
