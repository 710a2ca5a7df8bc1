/*
 * recut record: runs a program and records what it gets from its environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/crash.h"
#include "cmd/record_cut.h"
#include "cmd/run.h"
#include "cmd/variant_cache.h"
#include "format/program_section.h"
#include "format/variant.h"
#include "models/models.h"
#include "program/embedded.h"
#include "trace/directory.h"
#include "trace/finish.h"
#include "trace/header.h"
#include "trace/processes.h"

static const char usage[] =
    "usage: recut record [OPTION]... [--] PROG [ARG...]\n"
    "       recut PROG [ARG...]\n"
    "\n"
    "Runs PROG, which was built with recut-cc, and records what it gets from its\n"
    "environment, so that `recut replay` can run it again exactly as it ran.\n"
    "\n"
    "  -o, --output DIR   the trace goes to this new directory (default: a new one in\n"
    "                     $RECUT_TRACE_DIR, or ~/.local/share/recut)\n"
    "      --hash N       note a hash of all memory every N events and at the end, for\n"
    "                     `recut replay --verify`\n"
    "      --model FILE   models of functions that recut does not know (docs/models.md);\n"
    "                     may be repeated\n"
    "      --shared       record all that is read from memory that other processes may write,\n"
    "                     also where it cannot be told from the program that it maps such;\n"
    "                     and what functions of plugins do that have no model\n"
    "      --threads=MODE causal: threads run in parallel, and what orders them is recorded\n"
    "                     (default); serial: one at a time, so that data races replay, too\n"
    "      --chaos[=SEED] serial, with switches between threads at random places\n"
    "      --cut FILE     record what crosses this cut of the program (`recut cut`), and nothing\n"
    "                     else; with --hash 1 also hashes of what functions are given, load\n"
    "                     and return\n"
    "      --argv0 NAME   what the program gets as its own name (default: PROG)\n"
    "  -q, --quiet        say nothing, also not about a crash\n"
    "  -h, --help         this text\n"
    "\n"
    "The exit status is that of PROG.\n";

struct record_run {
    const char *output;
    const char *hash;
    const char *name; /* argv[0], if it is to be another */
    VEC(const char *) models;
    const char *cut; /* file of the cut that is recorded; NULL: the whole program */
    bool quiet;
    bool becomes;       /* the program, in this very process, which a recorded one started ... */
    char *origin;       /* ... for the runtime, unless it is the same process */
    bool is_analysed;   /* loads from memory of the environment are found and logged */
    bool has_atomics;   /* of a program with threads */
    bool is_unseen;     /* what some instructions of it get is not recorded */
    bool is_serial;     /* one thread at a time ... */
    uint64_t chaos;     /* ... with this seed, if not 0 */
    bool is_unmodelled; /* of functions that nothing is known of, too */
    char *program;      /* absolute */
    char **argv;
    char *trace;
    char *inside; /* `output`, if it is another trace's */
    int hold_fd;
};

/* What steers the runtime is no part of the environment that is recorded. */
static char **clean_environment(uint32_t *ret_count) {
    VEC(char *) kept = {0};
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "RECUT_", 6) != 0)
            VEC_PUSH(&kept, *at);
    *ret_count = (uint32_t)kept.count;
    VEC_PUSH(&kept, NULL);
    return kept.data;
}

static bool is_hashed(const struct record_run *run) {
    return run->hash && strtoull(run->hash, NULL, 10) > 0;
}

static struct error *write_header(struct record_run *run) {
    struct trace_info info = {.program = run->program};
    struct error *err = embedded_build_id(run->program, info.build_id);
    if (!err)
        err = trace_describe_machine(&info);
    if (err)
        return err;
    char *directory CLEANUP_FREE = getcwd(NULL, 0);
    info.directory = directory ? directory : "";
    info.serial = run->is_serial ? 1 + run->chaos : 0;
    if (run->cut)
        info.cut = TRACE_CUT | (is_hashed(run) ? TRACE_CUT_HASHED : 0);
    info.arguments = (const char *const *)run->argv;
    while (run->argv[info.argument_count])
        info.argument_count++;
    char **environment CLEANUP_FREE = clean_environment(&info.environment_count);
    info.environment = (const char *const *)environment;
    return trace_write_header(run->trace, &info);
}

static struct error *write_models(const struct record_run *run, const struct model_table *table) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", run->trace, TRACE_MODELS_NAME);
    return io_write_file(path, table, table->size);
}

/* What the program does that models alone do not answer. */
static struct error *look_at_names(struct record_run *run, const struct model_table *table) {
    char *names CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = embedded_environment(run->program, &names, &size);
    for (size_t at = 0; !err && at < size; at += strlen(names + at) + 1) {
        if (!names[at] || model_table_find(table, names + at))
            continue;
        if (strcmp(names + at, NAMES_ATOMICS) == 0) {
            run->has_atomics = true;
            continue;
        }
        if (strcmp(names + at, NAMES_UNSEEN) == 0) {
            run->is_unseen = true;
            continue;
        }
        run->is_analysed = true;
        run->is_unmodelled |= strcmp(names + at, NAMES_SHARED) != 0;
    }
    return err;
}

/* The logging variant goes into the trace. */
static struct error *prepare_variant(const struct record_run *run,
                                     const uint8_t build_id[BUILD_ID_SIZE],
                                     const struct model_table *table) {
    char *models CLEANUP_FREE = mem_printf("%s/%s", run->trace, TRACE_MODELS_NAME);
    char *copy CLEANUP_FREE = mem_printf("%s/%s", run->trace, TRACE_VARIANT_NAME);
    struct variant_request request = {
        .program = run->program,
        .models = models,
        .build_id = build_id,
        .models_hash = table->hash,
        .features = (run->is_analysed ? VARIANT_LOADS : 0) |
                    (run->has_atomics && !run->is_serial ? VARIANT_ATOMICS : 0) |
                    (run->is_serial ? VARIANT_TICKS : 0) | (run->chaos ? VARIANT_ACCESSES : 0),
        .doing = "analysing",
        .own = copy,
    };
    char *image CLEANUP_FREE = NULL;
    struct error *err = variant_cache_get(&request, &image);
    return err || !image || strcmp(image, copy) == 0 ? err : io_share_program(image, copy);
}

/*
 * Where the trace of a program goes that a recorded one became or started: what PARENT_ENV says
 * (runtime/process_invite.h).
 */
static struct error *find_place(struct record_run *run, const char *parent) {
    uint64_t pid, thread, event, serial;
    int length = 0;
    if (sscanf(parent, "%" SCNu64 ":%" SCNu64 ":%" SCNu64 ":%" SCNu64 ":%n", &pid, &thread, &event,
               &serial, &length) != 4 ||
        !length)
        return error_new(ERROR_FAILED, "--child is for recorded programs, not %s", parent);
    const char *directory = parent + length;
    run->is_serial = serial != 0;
    run->chaos = serial ? serial - 1 : 0;
    if (pid == (uint64_t)getpid()) {
        run->output = run->inside = mem_printf("%s/%s", directory, TRACE_EXEC_NAME);
        return NULL;
    }
    char *root CLEANUP_FREE = NULL;
    uint64_t forked;
    struct error *err = trace_process_root(directory, &root, &forked);
    if (err)
        return err;
    run->output = run->inside = mem_printf("%s/%s%ld", root, TRACE_CHILD_PREFIX, (long)getpid());
    run->origin =
        mem_printf(",parent=%" PRIu64 ",thread=%" PRIu64 ",event=%" PRIu64, pid, thread, event);
    return NULL;
}

/* In the trace of the program that became this one, or started it. */
static struct error *create_inside(const char *path, char **ret) {
    if (mkdir(path, 0700) != 0)
        return error_errno("cannot create %s", path);
    *ret = mem_strdup(path);
    return NULL;
}

static struct error *prepare(struct record_run *run) {
    uint8_t build_id[BUILD_ID_SIZE];
    struct error *err = embedded_build_id(run->program, build_id);
    struct model_table *table CLEANUP_FREE = NULL;
    if (!err)
        err = models_load(run->models.data, run->models.count, &table);
    if (!err)
        err = look_at_names(run, table);
    if (!err)
        err = run->becomes ? create_inside(run->output, &run->trace)
                           : trace_create(run->program, run->output, &run->trace);
    if (!err)
        err = write_models(run, table);
    if (!err && run->cut) {
        err = record_cut_variant(&(struct record_cut){.path = run->cut,
                                                      .program = run->program,
                                                      .trace = run->trace,
                                                      .build_id = build_id,
                                                      .models_hash = table->hash,
                                                      .hashes = is_hashed(run)});
        if (err) /* nothing was run */
            io_remove_tree(run->trace);
    } else if (!err && (run->is_analysed || run->has_atomics || run->is_serial)) {
        err = prepare_variant(run, build_id, table);
    }
    if (!err)
        err = write_header(run);
    return err ? err : trace_hold(run->trace, &run->hold_fd);
}

static struct error *record(struct record_run *run, int *ret_status) {
    /* A trace holds what the program read: it is nobody else's business. */
    mode_t mask = umask(077);
    struct error *err = prepare(run);
    umask(mask);
    if (err)
        return err;
    if (run->is_unseen && !run->quiet && !run->becomes)
        fputs("recut: the program has system calls in assembly, or reads a counter or random "
              "numbers of the processor: these are not recorded, and a replay may differ\n",
              stderr);
    fcntl(run->hold_fd, F_SETFD, FD_CLOEXEC);
    /* What functions without a model write is right when it is read, not before. */
    const char *hash = run->hash && !run->is_unmodelled ? run->hash : "0";
    char *self CLEANUP_FREE = realpath("/proc/self/exe", NULL);
    char *options CLEANUP_FREE =
        mem_printf("hash=%s,analysed=%d%s%s%s", hash, run->is_analysed,
                   run->origin ? run->origin : "", self ? ",tool=" : "", self ? self : "");
    char *variant CLEANUP_FREE = mem_printf("%s/%s", run->trace, TRACE_VARIANT_NAME);
    bool has_variant = access(variant, R_OK) == 0;
    const char *const variables[] = {
        RECORD_ENV, run->trace, OPTIONS_ENV, options, has_variant ? VARIANT_ENV : NULL,
        variant,    NULL};
    uint32_t count;
    char **environment CLEANUP_FREE = clean_environment(&count);
    struct run_options start = {.program = run->program,
                                .argv = run->argv,
                                .environment = environment,
                                .variables = variables,
                                .kept_fd = -1};
    if (run->becomes)
        return run_become(&start);
    int pid;
    err = run_start(&start, &pid);
    if (!err)
        err = run_wait(pid, ret_status);
    if (err)
        return err;
    /* The program ran, whatever becomes of its trace. */
    struct trace_processes processes = {0};
    struct error *unfinished = trace_processes_read(run->trace, &processes);
    for (size_t i = 0; i < processes.count && !unfinished; i++)
        unfinished = trace_finish(processes.list[i].path);
    trace_processes_free(&processes);
    if (unfinished)
        cmd_fail("record", unfinished);
    return NULL;
}

static void report(const struct record_run *run, int status) {
    if (run->quiet)
        return;
    if (WIFSIGNALED(status))
        crash_explain(stderr, run->trace);
    else if (isatty(STDERR_FILENO))
        fprintf(stderr, "recut: recorded in %s\n", run->trace);
}

/* Small enough to be said again. */
static uint64_t random_seed(void) {
    uint32_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint32_t)getpid();
    return 1 + seed % 1000000;
}

int cmd_record(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"hash", required_argument, NULL, 'H'},
        {"argv0", required_argument, NULL, 'A'},
        {"model", required_argument, NULL, 'm'},
        {"shared", no_argument, NULL, 'S'},
        {"threads", required_argument, NULL, 't'},
        {"chaos", optional_argument, NULL, 'c'},
        {"cut", required_argument, NULL, 'u'},
        {"quiet", no_argument, NULL, 'q'},
        {"child", required_argument, NULL, 'C'}, /* by the runtime alone */
        CMD_OPTION_HELP,
        {0},
    };
    struct record_run run = {.hold_fd = -1};
    const char *child = NULL;
    bool is_chaotic = false;
    int option;
    while ((option = getopt_long(argc, argv, "+:o:qh", options, NULL)) != -1)
        switch (option) {
        case 'o':
            run.output = optarg;
            break;
        case 'H':
            if (!cmd_is_count(optarg))
                return cmd_usage(argv[0], "--hash wants a number of events, not %s", optarg);
            run.hash = optarg;
            break;
        case 'A':
            run.name = optarg;
            break;
        case 'C':
            child = optarg;
            run.becomes = true;
            break;
        case 'm':
            VEC_PUSH(&run.models, optarg);
            break;
        case 'S':
            run.is_analysed = true;
            break;
        case 't':
            if (strcmp(optarg, "causal") != 0 && strcmp(optarg, "serial") != 0)
                return cmd_usage(argv[0], "--threads is causal or serial, not %s", optarg);
            run.is_serial = strcmp(optarg, "serial") == 0;
            break;
        case 'c':
            if (optarg && (!cmd_is_count(optarg) || strtoull(optarg, NULL, 10) == 0))
                return cmd_usage(argv[0], "--chaos wants a number from 1 on, not %s", optarg);
            is_chaotic = true;
            run.chaos = optarg ? strtoull(optarg, NULL, 10) : random_seed();
            break;
        case 'u':
            run.cut = optarg;
            break;
        case 'q':
            run.quiet = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    run.is_serial |= is_chaotic;
    if (run.cut && run.is_serial)
        return cmd_usage(argv[0], "--cut records threads as they run: not with --threads=serial");
    if (optind == argc)
        return cmd_usage(argv[0], "no program given");
    char *found CLEANUP_FREE = run_find_program(argv[optind]);
    run.program = found ? realpath(found, NULL) : NULL;
    if (!run.program)
        return cmd_fail(argv[0], error_new(ERROR_FAILED, "%s: no such program", argv[optind]));
    run.argv = argv + optind;
    if (run.name)
        run.argv[0] = (char *)run.name;
    int status = 0;
    struct error *err = child ? find_place(&run, child) : NULL;
    if (!err)
        err = record(&run, &status);
    if (run.becomes) { /* it would have run without us, too */
        if (run.trace)
            io_remove_tree(run.trace);
        execv(run.program, run.argv);
    }
    if (!err)
        report(&run, status);
    if (run.hold_fd >= 0)
        close(run.hold_fd);
    VEC_DEINIT(&run.models);
    free(run.program);
    free(run.trace);
    free(run.inside);
    free(run.origin);
    return err ? cmd_fail(argv[0], err) : run_end_like(status);
}
