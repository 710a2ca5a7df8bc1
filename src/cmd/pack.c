/*
 * recut pack: a trace and all it needs, in one file.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "trace/directory.h"
#include "trace/pack.h"
#include "trace/trace.h"

static const char help[] =
    "usage: recut pack [-o FILE] [TRACE]\n"
    "\n"
    "Writes one file with the trace (the latest, unless told), with all of its processes,\n"
    "their executables and the shared libraries of those. Wherever recut takes a TRACE, it\n"
    "takes such a file, on another machine too.\n"
    "\n"
    "The file holds what the program read, its arguments and its environment: think of\n"
    "secrets in them before you give it away.\n"
    "\n"
    "  -o, --output FILE  instead of NAME.recut in this directory\n"
    "  -h, --help         this text\n";

static char *default_name(const char *path) {
    char *real CLEANUP_FREE = realpath(path, NULL);
    const char *whole = real ? real : path, *slash = strrchr(whole, '/');
    return mem_printf("%s.recut", slash ? slash + 1 : whole);
}

/* What is damaged is not passed on.  Programs that were started by others may be gone: they are
 * left out, and can then not be replayed elsewhere. */
static struct error *check_process(const struct trace_process *process, bool is_first,
                                   const char *command) {
    struct trace *trace = NULL;
    struct error *err = trace_open(process->path, &trace);
    if (err)
        return err;
    if (process->wrong)
        err = error_new(ERROR_INPUT, "%s", process->wrong);
    if (!err)
        err = trace_check(trace);
    if (!err)
        err = trace_find_missing(trace);
    if (err)
        err = error_in(err, "%s", process->path);
    struct error *no_program = err || process->is_child ? NULL : pack_check_program(trace);
    trace_close(trace);
    if (!no_program)
        return err;
    if (is_first)
        return no_program;
    cmd_progress(NULL);
    cmd_fail(command, error_in(no_program, "a program is left out"));
    return NULL;
}

static struct error *write_checked(const struct trace_processes *processes, const char *name,
                                   const char *command) {
    struct error *err = NULL;
    cmd_progress("packing %s ...", name);
    for (size_t i = 0; !err && i < processes->count; i++)
        err = check_process(&processes->list[i], i == 0, command);
    if (!err)
        err = pack_write(processes, name);
    cmd_progress(NULL);
    return err;
}

/* A process cannot be replayed without those that made it: all are packed. */
static struct error *pack(const char *argument, const char *output, const char *command) {
    char *path CLEANUP_FREE = NULL, *root CLEANUP_FREE = NULL, *name CLEANUP_FREE = NULL;
    struct trace *trace = NULL;
    struct trace_processes processes = {0};
    uint64_t pid = 0;
    struct error *err = trace_resolve(argument, &path);
    if (!err)
        err = trace_open(path, &trace);
    if (!err)
        err = trace_process_root(trace_path(trace), &root, &pid);
    if (!err)
        err = trace_processes_read(root, &processes);
    if (!err) {
        name = output ? mem_strdup(output) : default_name(pid ? root : path);
        err = write_checked(&processes, name, command);
    }
    if (!err && !output)
        puts(name);
    trace_processes_free(&processes);
    trace_close(trace);
    return err;
}

int cmd_pack(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        CMD_OPTION_HELP,
        {0},
    };
    const char *output = NULL;
    int option;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1)
        switch (option) {
        case 'o':
            output = optarg;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc)
        return cmd_usage(argv[0], "one trace at a time");
    struct error *err = pack(argv[optind], output, argv[0]);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
