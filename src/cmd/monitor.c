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
#include "cmd/private_crash.h"
#include "cmd/run.h"
#include "cmd/second_chance.h"
#include "format/capture.h"
#include "format/variant.h"
#include "instrument/monitor.h"
#include "testgen/capture.h"
#include "testgen/secrets.h"
#include "trace/source.h"

static const char usage[] =
    "usage: recut monitor [OPTION]... [--] PROG [ARG...]\n"
    "       recut monitor --export FILE | --import FILE PROG\n"
    "\n"
    "Runs PROG, which must be built with recut-cc. Nothing is recorded; while it runs, a shadow\n"
    "stack has what its functions were called with. If it crashes, that and its memory go to\n"
    "a crash file, from which `recut test` makes unit tests.\n"
    "\n"
    "  -o, --output FILE     the crash file (default: NAME.crash, NAME that of PROG)\n"
    "      --copy HOW        what arguments lead to is kept as it was: reference (nothing), "
    "shallow\n"
    "                        (what they point to), depth:N (what N pointers lead to), deep\n"
    "      --used-fields     and what fields that the function uses point to, one level deeper;\n"
    "                        without either option: --copy=shallow --used-fields\n"
    "      --exit            exit() with a status other than 0 is a failure, too\n"
    "      --exclude NAME    do not monitor this function (can be repeated)\n"
    "      --redact NAME     keep this variable, parameter or TYPE.FIELD out of the crash file; a\n"
    "                        glob names several (can be repeated)\n"
    "      --second-chance   monitor nothing until PROG has crashed once, and then the functions\n"
    "                        that were running\n"
    "      --export FILE     write down which functions those are; PROG is not run\n"
    "      --import FILE     take them from such a file; PROG is not run\n"
    "  -q, --quiet           say nothing of it\n"
    "  -h, --help            this text\n"
    "\n"
    "The exit status is that of PROG.\n";

struct monitor_run {
    const char *program; /* path */
    char **argv;
    char *output, *shown; /* whole, and as it was given */
    bool quiet, has_second_chance, exits_fail;
    const char *copy; /* NULL: as usual */
    bool uses_fields;
    const char *export_path, *import_path;
    char *redact; /* testgen/secrets.h; NULL: nothing but what the program says */
    struct private_crash private;
    char *choices; /* instrument/monitor.h; NULL: nothing is monitored */
    char *image;
    struct second_chance known;
};

/* Older ones would be taken for those of this run. */
static struct error *prepare_output(struct monitor_run *run) {
    if (!run->output)
        run->output = mem_printf("%s.crash", source_base_name(run->program));
    if (unlink(run->output) != 0 && access(run->output, F_OK) == 0)
        return error_errno("cannot replace %s", run->output);
    bool is_gone = true;
    for (unsigned i = 2; is_gone; i++) {
        char *path CLEANUP_FREE = mem_printf("%s.%u", run->output, i);
        is_gone = unlink(path) == 0;
    }
    run->shown = mem_strdup(run->output);
    char *directory CLEANUP_FREE = realpath(".", NULL);
    if (directory && run->output[0] != '/') {
        char *relative CLEANUP_FREE = run->output;
        run->output = mem_printf("%s/%s", directory, relative);
    }
    return NULL;
}

static void add_word(char **words, const char *kind, const char *name) {
    char *before CLEANUP_FREE = *words;
    *words = mem_printf("%s%s%s ", before ? before : "", kind, name);
}

static void choose(struct monitor_run *run, const char *kind, const char *name) {
    add_word(&run->choices, kind, name);
}

static struct error *prepare_image(struct monitor_run *run) {
    if (!run->copy && !run->uses_fields)
        choose(run, MONITOR_DEFAULT, "");
    else
        choose(run, MONITOR_COPY, run->copy ? run->copy : "shallow");
    if (run->uses_fields)
        choose(run, MONITOR_USED_FIELDS, "");
    for (size_t i = 0; run->has_second_chance && i < run->known.functions.count; i++)
        choose(run, MONITOR_ONLY, run->known.functions.data[i]);
    if (run->has_second_chance && !run->known.functions.count) {
        free(run->choices);
        run->choices = NULL;
        return NULL;
    }
    return monitor_image(run->program, run->choices, &run->image);
}

static struct error *run_program(const struct monitor_run *run, int *ret_status) {
    const char *variables[7] = {MONITOR_ENV, run->private.path ? run->private.path : run->output};
    size_t count = 2;
    if (run->image) {
        variables[count++] = VARIANT_ENV;
        variables[count++] = run->image;
    }
    if (run->exits_fail) {
        variables[count++] = EXITS_ENV;
        variables[count++] = "1";
    }
    struct run_options options = {
        .program = run->program, .argv = run->argv, .variables = variables, .kept_fd = -1};
    int pid;
    struct error *err = run_start(&options, &pid);
    return err ? err : run_wait(pid, ret_status);
}

/* Those that were running have their chance from now on. */
static struct error *remember(struct monitor_run *run) {
    char *said CLEANUP_FREE = NULL;
    struct error *err = monitor_arm(
        (const char *const[]){"crash", run->output, run->program, run->image, NULL}, &said);
    char *rest = said;
    for (const char *line; !err && (line = strsep(&rest, "\n"));)
        if (*line)
            second_chance_add(&run->known, line);
    return err ? err : second_chance_save(&run->known);
}

/* A failure that is no crash may be followed by others, each of which has its file. */
static struct error *pack(const struct monitor_run *run) {
    struct error *err = capture_pack(run->output, run->choices);
    for (unsigned i = 2; !err; i++) {
        char *path CLEANUP_FREE = mem_printf("%s.%u", run->output, i);
        if (access(path, F_OK) != 0)
            break;
        err = capture_pack(path, run->choices);
    }
    return err;
}

static struct error *finish(struct monitor_run *run) {
    struct error *err = NULL;
    if (run->private.directory)
        err = private_crash_end(&run->private, run->program, run->image, run->redact, run->choices,
                                run->output);
    if (err || access(run->output, F_OK) != 0)
        return err;
    if (!run->private.directory)
        err = pack(run);
    if (!err && run->has_second_chance)
        err = remember(run);
    if (err || run->quiet)
        return err;
    if (run->choices)
        fprintf(stderr, "recut: failed: `recut test %s` makes tests of it\n", run->shown);
    else
        fprintf(stderr,
                "recut: failed: %zu functions that were running are monitored from now on\n",
                run->known.functions.count);
    return NULL;
}

/* Lists are carried from site to site, so that one's crash arms the others. */
static struct error *carry(struct monitor_run *run) {
    struct error *err =
        run->import_path ? second_chance_import(&run->known, run->import_path) : NULL;
    if (!err && run->import_path)
        err = second_chance_save(&run->known);
    if (!err && run->export_path)
        err = second_chance_export(&run->known, run->export_path);
    return err;
}

static struct error *monitor(struct monitor_run *run, int *ret_status) {
    struct error *err = NULL;
    bool carries = run->export_path || run->import_path;
    if (carries || run->has_second_chance)
        err = second_chance_load(run->program, &run->known);
    if (!err && carries)
        return carry(run);
    if (!err)
        err = prepare_output(run);
    if (!err)
        err = prepare_image(run);
    if (!err)
        err = private_crash_begin(run->program, run->redact, &run->private);
    if (!err)
        err = run_program(run, ret_status);
    if (!err)
        err = finish(run);
    return err;
}

int cmd_monitor(int argc, char **argv) {
    enum { copy = 256, used_fields, exits, exclude, redact, second_chance, export, import };
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"copy", required_argument, NULL, copy},
        {"used-fields", no_argument, NULL, used_fields},
        {"exit", no_argument, NULL, exits},
        {"exclude", required_argument, NULL, exclude},
        {"redact", required_argument, NULL, redact},
        {"second-chance", no_argument, NULL, second_chance},
        {"export", required_argument, NULL, export},
        {"import", required_argument, NULL, import},
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
        case copy:
            if (!monitor_is_copy(optarg))
                return cmd_usage(argv[0], "--copy is reference, shallow, depth:N or deep, not %s",
                                 optarg);
            run.copy = optarg;
            break;
        case used_fields:
            run.uses_fields = true;
            break;
        case exits:
            run.exits_fail = true;
            break;
        case exclude:
            if (!*optarg || strpbrk(optarg, " \t\n"))
                return cmd_usage(argv[0], "--exclude wants the name of a function");
            choose(&run, MONITOR_EXCLUDE, optarg);
            break;
        case redact:
            if (!*optarg || strpbrk(optarg, " \t\n"))
                return cmd_usage(argv[0], "--redact wants the name of a variable or field");
            add_word(&run.redact, SECRETS_REDACT, optarg);
            break;
        case second_chance:
            run.has_second_chance = true;
            break;
        case export:
            run.export_path = optarg;
            break;
        case import:
            run.import_path = optarg;
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
    if (run.uses_fields && run.copy && strcmp(run.copy, "reference") == 0)
        return cmd_usage(argv[0], "--used-fields copies, and --copy=reference does not");
    char *program CLEANUP_FREE = run_find_program(argv[optind]);
    if (!program)
        return cmd_fail(argv[0], error_new(ERROR_FAILED, "%s: no such program", argv[optind]));
    run.program = program;
    run.argv = argv + optind;
    struct error *err = monitor(&run, &status);
    second_chance_deinit(&run.known);
    free(run.output);
    free(run.shown);
    private_crash_deinit(&run.private);
    free(run.redact);
    free(run.choices);
    free(run.image);
    return err ? cmd_fail(argv[0], err) : run_end_like(status);
}
