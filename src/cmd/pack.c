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
    "Writes one file with the trace (the latest, unless told), its executable and the\n"
    "executable's shared libraries. Wherever recut takes a TRACE, it takes such a file,\n"
    "on another machine too.\n"
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

static struct error *pack(const char *argument, const char *output) {
    char *path CLEANUP_FREE = NULL, *name CLEANUP_FREE = NULL;
    struct trace *trace = NULL;
    struct error *err = trace_resolve(argument, &path);
    if (!err)
        err = trace_open(path, &trace);
    if (!err) {
        name = output ? mem_strdup(output) : default_name(path);
        cmd_progress("packing %s ...", name);
        err = trace_check(trace);
        if (err)
            err = error_in(err, "%s", path);
    }
    if (!err)
        err = pack_write(trace, name);
    cmd_progress(NULL);
    if (!err && !output)
        puts(name);
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
    struct error *err = pack(argv[optind], output);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
