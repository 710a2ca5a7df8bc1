/*
 * recut monitor: runs a program with a shadow stack, and has it leave a crash file when it fails
 * (ReCrash, section 2.1).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/monitor_image.h"
#include "cmd/run.h"
#include "format/capture.h"
#include "format/variant.h"
#include "testgen/capture.h"
#include "trace/source.h"

static const char usage[] =
    "usage: recut monitor [OPTION]... [--] PROG [ARG...]\n"
    "\n"
    "Runs PROG, which must be built with recut-cc. Nothing is recorded; while it runs, a shadow\n"
    "stack has what its functions were called with. If it crashes, that and its memory go to\n"
    "a crash file, from which `recut test` makes unit tests.\n"
    "\n"
    "  -o, --output FILE   the crash file (default: NAME.crash, NAME that of PROG)\n"
    "  -q, --quiet         say nothing of it\n"
    "  -h, --help          this text\n"
    "\n"
    "The exit status is that of PROG.\n";

struct monitor_run {
    const char *program; /* path */
    char **argv;
    char *output;
    bool quiet;
    char *image;
};

/* An older one would be taken for that of this run. */
static struct error *prepare_output(struct monitor_run *run) {
    if (!run->output)
        run->output = mem_printf("%s.crash", source_base_name(run->program));
    if (unlink(run->output) != 0 && access(run->output, F_OK) == 0)
        return error_errno("cannot replace %s", run->output);
    char *directory CLEANUP_FREE = realpath(".", NULL);
    if (directory && run->output[0] != '/') {
        char *relative CLEANUP_FREE = run->output;
        run->output = mem_printf("%s/%s", directory, relative);
    }
    return NULL;
}

static struct error *run_program(const struct monitor_run *run, int *ret_status) {
    const char *const variables[] = {VARIANT_ENV, run->image, MONITOR_ENV, run->output, NULL};
    struct run_options options = {
        .program = run->program, .argv = run->argv, .variables = variables, .kept_fd = -1};
    int pid;
    struct error *err = run_start(&options, &pid);
    return err ? err : run_wait(pid, ret_status);
}

static struct error *finish(const struct monitor_run *run) {
    if (access(run->output, F_OK) != 0)
        return NULL;
    struct error *err = capture_pack(run->output);
    if (!err && !run->quiet)
        fprintf(stderr, "recut: crashed: `recut test %s` makes tests of it\n", run->output);
    return err;
}

int cmd_monitor(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"quiet", no_argument, NULL, 'q'},
        CMD_OPTION_HELP,
        {0},
    };
    struct monitor_run run = {0};
    int option, status = 0;
    while ((option = getopt_long(argc, argv, "+" CMD_SHORT_HELP "o:q", options, NULL)) != -1)
        switch (option) {
        case 'o':
            run.output = mem_strdup(optarg);
            break;
        case 'q':
            run.quiet = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind == argc)
        return cmd_usage(argv[0], "which program?");
    char *program CLEANUP_FREE = run_find_program(argv[optind]);
    if (!program)
        return cmd_fail(argv[0], error_new(ERROR_FAILED, "%s: no such program", argv[optind]));
    run.program = program;
    run.argv = argv + optind;
    struct error *err = prepare_output(&run);
    if (!err)
        err = monitor_image(run.program, &run.image);
    if (!err)
        err = run_program(&run, &status);
    if (!err)
        err = finish(&run);
    free(run.output);
    free(run.image);
    return err ? cmd_fail(argv[0], err) : run_end_like(status);
}
