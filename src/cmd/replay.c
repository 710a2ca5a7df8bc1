/*
 * recut replay: runs a recorded program again, with its environment from the
 * trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/replay_report.h"
#include "cmd/run.h"
#include "format/variant.h"
#include "program/embedded.h"
#include "trace/directory.h"
#include "trace/processes.h"
#include "trace/trace.h"

static const char usage[] =
    "usage: recut replay [OPTION]... [TRACE]\n"
    "\n"
    "Runs a recorded program again, exactly as it ran: same output, same crash. No file,\n"
    "no network and no other process is needed, only the trace, the executable and its\n"
    "libraries. TRACE is a directory, a packed trace or a name that `recut ls` shows; the\n"
    "last recording without one.\n"
    "\n"
    "  -g, --goto EVENT   stop at this event (`recut events` shows their numbers)\n"
    "  -p, --process PID  replay this child (`recut ps` lists them)\n"
    "      --gdb          replay in gdb\n"
    "      --verify       compare memory with the hashes that `recut record --hash` noted\n"
    "  -q, --quiet        no output of the program\n"
    "  -h, --help         this text\n"
    "\n"
    "The exit status is that of the recorded run; 1 if the replay left it, 65 if the\n"
    "trace is damaged or of another build.\n";

struct replay_run {
    const char *goto_event;
    bool gdb, verify, quiet, exec;
    uint64_t pid; /* of the child that is wanted; 0: the first process */
    char *follow; /* the way there, for the runtime */
    char *path;
    struct trace *trace;  /* of the first process */
    struct trace *wanted; /* of the one that is replayed; may be the same */
    const char *program;
};

/* "PID@THREAD:EVENT", from the first child on the way to the last. */
static char *follow_text(const struct trace_processes *processes,
                         const struct trace_process *process) {
    const struct trace_process *parent = process; /* before exec(): further up in the list */
    while (parent > processes->list && parent->pid != process->parent)
        parent--;
    char *before CLEANUP_FREE = parent->parent ? follow_text(processes, parent) : NULL;
    return mem_printf("%s%s%" PRIu64 "@%" PRIu64 ":%" PRIu64, before ? before : "",
                      before ? "+" : "", process->pid, process->thread, process->event);
}

/* To replay a child is to replay the first process up to there. */
static struct error *find_process(struct replay_run *run) {
    char *root CLEANUP_FREE = NULL;
    uint64_t pid;
    struct trace_processes processes = {0};
    struct error *err = trace_process_root(trace_path(run->trace), &root, &pid);
    run->pid = run->pid ? run->pid : pid;
    run->wanted = run->trace;
    if (err || !run->pid)
        return err;
    err = trace_processes_read(root, &processes);
    const struct trace_process *process = err ? NULL : trace_process_find(&processes, run->pid);
    if (!err && !process)
        err = error_new(ERROR_FAILED, "%s: has no process %" PRIu64 " (`recut ps` lists them)",
                        root, run->pid);
    if (!err) {
        struct trace *first = NULL, *wanted = NULL;
        err = trace_open(processes.list[process->root].path, &first);
        if (!err && process->parent)
            err = trace_open(process->path, &wanted);
        if (!err) {
            trace_close(run->trace);
            run->trace = first;
            run->wanted = wanted ? wanted : first;
            run->follow = process->parent ? follow_text(&processes, process) : NULL;
        }
    }
    trace_processes_free(&processes);
    return err;
}

static struct error *open_trace(struct replay_run *run, const char *argument) {
    struct error *err = trace_resolve(argument, &run->path);
    if (!err)
        err = trace_open(run->path, &run->trace);
    if (!err)
        err = find_process(run);
    if (err)
        return err;
    run->program = trace_program(run->trace);
    uint8_t build_id[BUILD_ID_SIZE];
    err = embedded_build_id(run->program, build_id);
    if (!err && memcmp(build_id, trace_info(run->trace)->build_id, BUILD_ID_SIZE) != 0)
        err = error_new(ERROR_INPUT, "%s was recorded with another build of %s", run->path,
                        run->program);
    return err;
}

static char *runtime_options(const struct replay_run *run, int report_fd, int progress_fd) {
    char *report CLEANUP_FREE =
        report_fd >= 0 ? mem_printf("report=%d", report_fd) : mem_strdup("");
    char *progress CLEANUP_FREE =
        progress_fd >= 0 ? mem_printf(",progress=%d", progress_fd) : mem_strdup("");
    return mem_printf("%s%s%s%s%s%s%s%s", report, progress, run->verify ? ",verify" : "",
                      run->quiet ? ",quiet" : "", run->goto_event ? ",goto=" : "",
                      run->goto_event ? run->goto_event : "", run->follow ? ",follow=" : "",
                      run->follow ? run->follow : "");
}

/* The variant that was recorded with; NULL if none was. */
static char *variant_path(const struct replay_run *run) {
    char *path = mem_printf("%s/%s", trace_path(run->trace), TRACE_VARIANT_NAME);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* A packed trace brings its libraries along, and the loader that fits them. */
struct launch {
    char *loader, *libraries;
    VEC(char *) argv;
};

static void launch_init(struct launch *launch, const struct replay_run *run) {
    const struct trace_info *info = trace_info(run->trace);
    *launch = (struct launch){
        .loader =
            mem_printf("%s/%s/ld-linux-x86-64.so.2", trace_path(run->trace), TRACE_LIBRARY_NAME),
        .libraries = mem_printf("%s/%s", trace_path(run->trace), TRACE_LIBRARY_NAME),
    };
    const char *const head[] = {launch->loader,   "--argv0",         info->arguments[0],
                                "--library-path", launch->libraries, run->program};
    bool has_loader = access(launch->loader, X_OK) == 0;
    for (size_t i = 0; has_loader && i < sizeof head / sizeof *head; i++)
        VEC_PUSH(&launch->argv, (char *)head[i]);
    for (uint32_t i = has_loader ? 1 : 0; i <= info->argument_count; i++)
        VEC_PUSH(&launch->argv, (char *)info->arguments[i]);
    if (!has_loader) {
        free(launch->loader);
        launch->loader = mem_strdup(run->program);
    }
}

static void launch_deinit(struct launch *launch) {
    free(launch->loader);
    free(launch->libraries);
    VEC_DEINIT(&launch->argv);
}

/* How far the replay is, on a terminal: the runtime keeps the number of bytes of the
 * log that it read in shared memory. */
struct progress {
    int fd;
    volatile uint64_t *bytes;
    uint64_t all;
};

static void progress_init(struct progress *progress, const struct replay_run *run) {
    *progress = (struct progress){.fd = -1};
    char *path CLEANUP_FREE = mem_printf("%s/%s0", trace_path(run->trace), TRACE_LOG_PREFIX);
    struct stat log;
    if (!isatty(STDERR_FILENO) || stat(path, &log) != 0 || log.st_size == 0)
        return;
    progress->all = (uint64_t)log.st_size;
    progress->fd = memfd_create("recut-progress", 0);
    void *at = progress->fd >= 0 && ftruncate(progress->fd, 4096) == 0
                   ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, progress->fd, 0)
                   : MAP_FAILED;
    progress->bytes = at == MAP_FAILED ? NULL : at;
}

static void progress_show(void *data) {
    const struct progress *progress = data;
    if (progress->bytes)
        cmd_progress("replaying: %d %%", (int)(100 * *progress->bytes / progress->all));
}

static void progress_deinit(struct progress *progress) {
    cmd_progress(NULL);
    if (progress->bytes)
        munmap((void *)progress->bytes, 4096);
    if (progress->fd >= 0)
        close(progress->fd);
}

static struct error *replay(const struct replay_run *run, int *ret_status,
                            struct replay_report *report) {
    const struct trace_info *info = trace_info(run->trace);
    int pipe_fds[2];
    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return error_errno("cannot make a pipe");
    struct progress progress;
    progress_init(&progress, run);
    char *options CLEANUP_FREE = runtime_options(run, pipe_fds[1], progress.fd);
    char *variant CLEANUP_FREE = variant_path(run);
    const char *const variables[] = {REPLAY_ENV, trace_path(run->trace),       OPTIONS_ENV,
                                     options,    variant ? VARIANT_ENV : NULL, variant,
                                     NULL};
    struct launch launch;
    launch_init(&launch, run);
    struct run_options start = {.program = launch.loader,
                                .argv = launch.argv.data,
                                .environment = (char *const *)info->environment,
                                .variables = variables,
                                .kept_fd = pipe_fds[1]};
    int pid;
    struct error *err = run_start(&start, &pid);
    close(pipe_fds[1]);
    if (!err)
        replay_report_read(report, pipe_fds[0], progress_show, &progress);
    close(pipe_fds[0]);
    progress_deinit(&progress);
    launch_deinit(&launch);
    return err ? err : run_wait(pid, ret_status);
}

/* For gdb, whose shell and terminal would otherwise change the environment: becomes
 * the program. */
static struct error *become_program(const struct replay_run *run) {
    const struct trace_info *info = trace_info(run->trace);
    char *options CLEANUP_FREE = runtime_options(run, -1, -1);
    environ = (char **)info->environment;
    setenv(REPLAY_ENV, trace_path(run->trace), 1);
    setenv(OPTIONS_ENV, options, 1);
    char *variant CLEANUP_FREE = variant_path(run);
    if (variant)
        setenv(VARIANT_ENV, variant, 1);
    struct launch launch;
    launch_init(&launch, run);
    execv(launch.loader, launch.argv.data);
    return error_errno("cannot start %s", launch.loader);
}

static struct error *run_gdb(const struct replay_run *run) {
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return error_errno("cannot find this program");
    self[length] = '\0';
    char *wrapper CLEANUP_FREE =
        mem_printf("set exec-wrapper '%s' replay --exec%s%s%s '%s' --", self,
                   run->verify ? " --verify" : "", run->goto_event ? " -g " : "",
                   run->goto_event ? run->goto_event : "", trace_path(run->trace));
    char *argv[] = {
        (char *)"gdb", (char *)"-q", (char *)"-iex",       (char *)"set startup-with-shell on",
        (char *)"-ex", wrapper,      (char *)run->program, NULL};
    execvp("gdb", argv);
    return error_errno("cannot start gdb");
}

int cmd_replay(int argc, char **argv) {
    static const struct option options[] = {
        {"goto", required_argument, NULL, 'g'},
        {"gdb", no_argument, NULL, 'G'},
        {"verify", no_argument, NULL, 'v'},
        {"process", required_argument, NULL, 'p'},
        {"quiet", no_argument, NULL, 'q'},
        {"exec", no_argument, NULL, 'x'},
        CMD_OPTION_HELP,
        {0},
    };
    struct replay_run run = {0};
    int option;
    while ((option = getopt_long(argc, argv, "+:g:p:qh", options, NULL)) != -1)
        switch (option) {
        case 'g':
            if (!cmd_is_count(optarg))
                return cmd_usage(argv[0], "--goto wants the number of an event, not %s", optarg);
            run.goto_event = optarg;
            break;
        case 'p':
            if (!cmd_is_count(optarg) || strtoull(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--process wants a process id, not %s", optarg);
            run.pid = strtoull(optarg, NULL, 10);
            break;
        case 'G':
            run.gdb = true;
            break;
        case 'v':
            run.verify = true;
            break;
        case 'q':
            run.quiet = true;
            break;
        case 'x':
            run.exec = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc && !run.exec)
        return cmd_usage(argv[0], "one trace at a time");
    struct error *err = open_trace(&run, argv[optind]);
    int status = 0, code = 0;
    struct replay_report report = {0};
    if (!err && run.exec)
        err = become_program(&run);
    else if (!err && run.gdb)
        err = run_gdb(&run);
    else if (!err)
        err = replay(&run, &status, &report);
    if (!err)
        code = replay_report_print(&report, run.wanted, run.program);
    if (!err && code < 0 && run.goto_event) {
        struct trace_summary summary = {0};
        err = trace_summarise(run.wanted, &summary);
        if (!err)
            err = error_new(ERROR_FAILED, "event %s never came: the recording has %" PRIu64,
                            run.goto_event, summary.calls);
    }
    replay_report_deinit(&report);
    if (run.wanted != run.trace)
        trace_close(run.wanted);
    trace_close(run.trace);
    free(run.follow);
    free(run.path);
    if (err)
        return cmd_fail(argv[0], err);
    return code < 0 ? run_end_like(status) : code;
}
