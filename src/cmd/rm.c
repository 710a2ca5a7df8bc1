/*
 * recut rm: removes traces, and nothing else.
 *
 * A trace is a directory with a header of recut's, a directory with the name of
 * one where traces live (its header may be what is damaged), or a packed trace.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "trace/directory.h"
#include "trace/pack.h"
#include "trace/trace.h"

static const char help[] = "usage: recut rm [--all] [TRACE]...\n"
                           "\n"
                           "Removes traces: names as `recut ls` prints them, paths of trace\n"
                           "directories, or packed traces. What is not a trace stays.\n"
                           "\n"
                           "      --all   all that `recut ls` lists\n"
                           "  -h, --help  this text\n";

/* Does a path lie where traces live, under a name of one? */
static bool is_listed(const char *path) {
    char *directory CLEANUP_FREE = NULL, *real CLEANUP_FREE = realpath(path, NULL);
    char **names = NULL;
    struct error *err CLEANUP_ERROR = trace_directory(&directory);
    if (err || !real)
        return false;
    struct error *unlisted CLEANUP_ERROR = trace_names(&names);
    bool is_found = false;
    for (size_t i = 0; names && names[i] && !is_found; i++) {
        char *listed CLEANUP_FREE = mem_printf("%s/%s", directory, names[i]);
        char *there CLEANUP_FREE = realpath(listed, NULL);
        is_found = there && strcmp(there, real) == 0;
    }
    trace_names_free(names);
    return is_found;
}

static bool is_recording(const char *path) {
    struct trace *trace = NULL;
    struct trace_summary summary = {0};
    struct error *err CLEANUP_ERROR = trace_open(path, &trace);
    struct error *unclear CLEANUP_ERROR = err ? NULL : trace_summarise(trace, &summary);
    trace_close(trace);
    return !err && !unclear && summary.end == TRACE_RECORDING;
}

static struct error *remove_pack(const char *path) {
    struct error *err = pack_forget(path);
    if (!err && unlink(path) != 0)
        err = error_errno("cannot remove %s", path);
    return err;
}

static struct error *remove_trace(const char *argument) {
    char *path CLEANUP_FREE = NULL, *real CLEANUP_FREE = NULL;
    struct error *err = trace_resolve(argument, &path);
    if (err)
        return err;
    if (access(path, F_OK) != 0)
        return error_errno("cannot open %s", path);
    if (pack_is_at(path))
        return remove_pack(path);
    if (!trace_is_at(path) && !is_listed(path))
        return error_new(ERROR_INPUT, "%s: is not a trace", path);
    if (is_recording(path))
        return error_new(ERROR_FAILED, "%s: is still being recorded", path);
    /* latest-trace and the like: what they point to. */
    real = realpath(path, NULL);
    if (!real)
        return error_errno("cannot find %s", path);
    io_remove_tree(real);
    if (access(real, F_OK) == 0)
        return error_new(ERROR_FAILED, "cannot remove all of %s", real);
    return NULL;
}

/* One that cannot be removed does not keep the others; the first decides the exit
 * code. */
static int remove_each(const char *command, char *const *arguments) {
    int code = 0;
    for (; *arguments; arguments++) {
        struct error *err = remove_trace(*arguments);
        int failed = err ? cmd_fail(command, err) : 0;
        code = code ? code : failed;
    }
    struct error *err = trace_repair_latest();
    int failed = err ? cmd_fail(command, err) : 0;
    return code ? code : failed;
}

static int remove_all(const char *command) {
    char *directory CLEANUP_FREE = NULL;
    char **names = NULL;
    struct error *err = trace_directory(&directory);
    if (!err)
        err = trace_names(&names);
    if (err)
        return cmd_fail(command, err);
    for (size_t i = 0; names[i]; i++) {
        char *path = mem_printf("%s/%s", directory, names[i]);
        free(names[i]);
        names[i] = path;
    }
    int code = remove_each(command, names);
    trace_names_free(names);
    return code;
}

int cmd_rm(int argc, char **argv) {
    static const struct option options[] = {
        {"all", no_argument, NULL, 'a'},
        CMD_OPTION_HELP,
        {0},
    };
    bool is_all = false;
    int option;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP, options, NULL)) != -1)
        switch (option) {
        case 'a':
            is_all = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (is_all && optind != argc)
        return cmd_usage(argv[0], "--all, or which traces?");
    if (!is_all && optind == argc)
        return cmd_usage(argv[0], "which trace?");
    return is_all ? remove_all(argv[0]) : remove_each(argv[0], argv + optind);
}
