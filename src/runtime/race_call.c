/*
 * What do calls out of the program have to do with races?  See race.h.
 *
 * A function of libc reads and writes memory of the program's, as its model says: that is
 * an access like any other, by the thread that calls it.  Of what is written up to the end
 * of a string, the first byte stands for all.
 *
 * Threads tell each other by descriptors, too (a pipe, a socket, an eventfd): who reads
 * from one comes after all who wrote to any before.
 */
#include <string.h>
#include <sys/uio.h>

#include "runtime/race.h"

static bool is_among(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool gives(const char *name) {
    static const char *const names[] = {
        "write",   "writev",   "pwrite",        "pwrite64", "send",  "sendto",
        "sendmsg", "sendmmsg", "eventfd_write", "close",    "kill",  "shutdown",
        "mq_send", "msgsnd",   "pthread_kill",  "sendfile", "splice"};
    return is_among(name, names, sizeof names / sizeof *names);
}

static bool gets(const char *name) {
    static const char *const names[] = {
        "read",        "readv",    "pread",        "pread64",    "recv",        "recvfrom",
        "recvmsg",     "recvmmsg", "eventfd_read", "accept",     "accept4",     "poll",
        "ppoll",       "select",   "pselect",      "epoll_wait", "msgrcv",      "mq_receive",
        "epoll_pwait", "sigwait",  "sigwaitinfo",  "splice",     "sigtimedwait"};
    return is_among(name, names, sizeof names / sizeof *names);
}

static const char descriptors; /* stands for all of them */

static void use_parts(const struct iovec *parts, uint64_t count, bool writes, uint64_t place) {
    for (uint64_t i = 0; i < count; i++)
        __recut_race_outside((uint64_t)parts[i].iov_base, parts[i].iov_len, writes, place);
}

/* What parameter `i` points to is read, if it is. */
static void use_input(const struct env_args *args, unsigned i, uint64_t place) {
    uint64_t at = args->value[i];
    switch (args->params[i].kind) {
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_INOUT_STRING:
        __recut_race_outside(at, __recut_env_string(args, i) + 1, false, place);
        break;
    case MODEL_PARAM_IN:
    case MODEL_PARAM_INOUT:
        __recut_race_outside(at, __recut_env_length(args, i, 0), false, place);
        break;
    case MODEL_PARAM_IN_IOVEC:
        use_parts((const struct iovec *)at, __recut_env_length(args, i, 0), false, place);
        break;
    default:
        break;
    }
}

static void use_output(const struct env_args *args, unsigned i, int64_t result, uint64_t place) {
    uint64_t at = args->value[i], size = __recut_env_length(args, i, result);
    switch (args->params[i].kind) {
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
        __recut_race_outside(at, size, true, place);
        break;
    case MODEL_PARAM_OUT_STRING:
    case MODEL_PARAM_INOUT_STRING:
        __recut_race_outside(at, 1, true, place);
        break;
    case MODEL_PARAM_OUT_IOVEC:
        use_parts((const struct iovec *)at, size, true, place);
        break;
    default:
        break;
    }
}

void __recut_race_call(const struct env_args *args, const char *name, uint64_t place) {
    if (args->model->flags & MODEL_ORDERS)
        return;
    for (unsigned i = 0; i < args->count; i++)
        if (args->value[i])
            use_input(args, i, place);
    if (gives(name))
        __recut_race_release(&descriptors);
}

void __recut_race_called(const struct env_args *args, const char *name, int64_t result,
                         uint64_t place) {
    if (args->model->flags & MODEL_ORDERS)
        return;
    if (gets(name))
        __recut_race_acquire(&descriptors);
    for (unsigned i = 0; i < args->count && !__recut_env_failed(args, result); i++)
        if (args->value[i])
            use_output(args, i, result, place);
}

void __recut_race_native(const struct env_frame *frame, const struct model_table *table,
                         const struct model_function *model) {
    static const char *const early[] = {"memchr", "wmemchr", "memccpy"}; /* may end before */
    struct env_args args;
    if (is_among(__recut_env_name(frame->index), early, sizeof early / sizeof *early))
        return;
    __recut_env_args(&args, frame, table, model);
    __recut_env_args_before(&args);
    for (unsigned i = 0; i < args.count; i++)
        if (args.value[i]) {
            use_input(&args, i, frame->return_address);
            use_output(&args, i, 0, frame->return_address);
        }
}
