/* How is a trace replayed?  See replay_run.h. */
#include "cmd/replay_run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/run.h"
#include "format/capture.h"
#include "format/variant.h"
#include "program/embedded.h"
#include "trace/directory.h"

/* "PID@THREAD:EVENT", from the first child on the way to the last. */
static struct error *find_way(const struct trace_processes *processes,
                              const struct trace_process *process, char **ret) {
    if (process->wrong)
        return error_new(ERROR_INPUT, "%s: %s", process->path, process->wrong);
    const struct trace_process *root = &processes->list[process->root], *parent = process - 1;
    while (parent > root && (parent->pid != process->parent || parent->root != process->root))
        parent--;
    char *before CLEANUP_FREE = NULL;
    struct error *err = parent->is_child ? find_way(processes, parent, &before) : NULL;
    if (!err)
        *ret = mem_printf("%s%s%" PRIu64 "@%" PRIu64 ":%" PRIu64, before ? before : "",
                          before ? "+" : "", process->pid, process->thread, process->event);
    return err;
}

static void close_part(struct replay_run *run) {
    if (run->wanted != run->trace)
        trace_close(run->wanted);
    trace_close(run->trace);
    run->wanted = run->trace = NULL;
    free(run->follow);
    run->follow = NULL;
}

/* The runtime believes the layout of a log, and says less of what is wrong with it.  Events are
 * replayed up to the one that is damaged. */
static struct error *check_log(const struct trace *trace) {
    struct error *err = trace_check_layout(trace);
    return err ? error_in(err, "%s", trace_path(trace)) : NULL;
}

static struct error *check_program(const struct replay_run *run) {
    uint8_t build_id[BUILD_ID_SIZE];
    struct error *err = embedded_build_id(run->program, build_id);
    if (!err && memcmp(build_id, trace_info(run->trace)->build_id, BUILD_ID_SIZE) != 0)
        err = error_new(ERROR_INPUT, "%s was recorded with another build of %s", run->path,
                        run->program);
    return err;
}

/* To replay a child is to replay the first process up to there. */
static struct error *open_part(struct replay_run *run) {
    const struct trace_process *process = run->process;
    struct error *err = NULL;
    close_part(run);
    if (process->is_child)
        err = find_way(&run->processes, process, &run->follow);
    if (!err)
        err = trace_open(run->processes.list[process->root].path, &run->trace);
    run->wanted = run->trace;
    if (!err && process->is_child)
        err = trace_open(process->path, &run->wanted);
    if (!err)
        err = check_log(run->trace);
    if (!err && process->is_child)
        err = check_log(run->wanted);
    if (err)
        return err;
    run->program = trace_program(run->trace);
    return check_program(run);
}

static struct error *find_process(struct replay_run *run) {
    uint64_t pid;
    struct error *err = trace_process_root(trace_path(run->trace), &run->root, &pid);
    run->pid = run->pid ? run->pid : pid;
    if (!err)
        err = trace_processes_read(run->root, &run->processes);
    if (err)
        return err;
    run->process = run->pid ? trace_process_find(&run->processes, run->pid) : run->processes.list;
    if (!run->process)
        return error_new(ERROR_FAILED, "%s: has no process %" PRIu64 " (`recut ps` lists them)",
                         run->root, run->pid);
    const struct trace_process *next;
    for (run->part_number = 1; (run->is_last_part || run->part_number < run->part) &&
                               (next = trace_process_next(&run->processes, run->process));
         run->part_number++)
        run->process = next;
    if (run->part_number < run->part)
        return error_new(ERROR_FAILED, "%s: the process has %zu part%s, not %zu", run->root,
                         run->part_number, run->part_number == 1 ? "" : "s", run->part);
    return NULL;
}

struct error *replay_open(struct replay_run *run, const char *argument) {
    struct error *err = trace_resolve(argument, &run->path);
    if (!err)
        err = trace_open(run->path, &run->trace); /* a packed one is unpacked now */
    run->wanted = run->trace;
    if (!err)
        err = find_process(run);
    return err ? err : open_part(run);
}

bool replay_has_next(const struct replay_run *run) {
    return !run->part && trace_process_next(&run->processes, run->process);
}

struct error *replay_open_next(struct replay_run *run) {
    run->process = trace_process_next(&run->processes, run->process);
    run->part_number++;
    return open_part(run);
}

void replay_close(struct replay_run *run) {
    close_part(run);
    trace_processes_free(&run->processes);
    free(run->root);
    free(run->path);
}

static char *runtime_options(const struct replay_run *run, int report_fd, int progress_fd) {
    char *report CLEANUP_FREE =
        report_fd >= 0 ? mem_printf("report=%d", report_fd) : mem_strdup("");
    char *progress CLEANUP_FREE =
        progress_fd >= 0 ? mem_printf(",progress=%d", progress_fd) : mem_strdup("");
    char *races CLEANUP_FREE =
        run->races_fd >= 0 ? mem_printf(",races=%d", run->races_fd) : mem_strdup("");
    char *capture CLEANUP_FREE = run->capture_fd > 0
                                     ? mem_printf("," CAPTURE_OPTION "=%d", run->capture_fd)
                                     : mem_strdup("");
    const char *event = replay_has_next(run) ? NULL : run->goto_event;
    return mem_printf(
        "%s%s%s%s%s%s%s%s%s%s%s%s%s", report, progress, races, capture,
        run->verify ? ",verify" : "", run->quiet ? ",quiet" : "", event ? ",goto=" : "",
        event ? event : "", run->exits_fail ? "," CAPTURE_EXITS_OPTION "=1" : "",
        run->entries ? "," CAPTURE_ENTRIES_OPTION : "", run->entries ? run->entries : "",
        run->follow ? ",follow=" : "", run->follow ? run->follow : "");
}

char *replay_variant(const struct replay_run *run) {
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

struct error *replay_run(const struct replay_run *run, int *ret_status,
                         struct replay_report *report) {
    const struct trace_info *info = trace_info(run->trace);
    int pipe_fds[2];
    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return error_errno("cannot make a pipe");
    struct progress progress;
    progress_init(&progress, run);
    char *options CLEANUP_FREE = runtime_options(run, pipe_fds[1], progress.fd);
    char *variant CLEANUP_FREE = run->variant ? mem_strdup(run->variant) : replay_variant(run);
    const char *variables[] = {
        REPLAY_ENV, trace_path(run->trace), OPTIONS_ENV, options, NULL, NULL, NULL, NULL, NULL};
    size_t count = 4;
    if (variant) {
        variables[count++] = VARIANT_ENV;
        variables[count++] = variant;
    }
    if (run->over) {
        variables[count++] = VARIANT_OVER_ENV;
        variables[count++] = run->over;
    }
    struct launch launch;
    launch_init(&launch, run);
    struct run_options start = {.program = launch.loader,
                                .argv = launch.argv.data,
                                .environment = (char *const *)info->environment,
                                .variables = variables,
                                .kept_fd = pipe_fds[1],
                                .more_stack = run->more_stack};
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

struct error *replay_become(const struct replay_run *run) {
    const struct trace_info *info = trace_info(run->trace);
    char *options CLEANUP_FREE = runtime_options(run, -1, -1);
    environ = (char **)info->environment;
    setenv(REPLAY_ENV, trace_path(run->trace), 1);
    setenv(OPTIONS_ENV, options, 1);
    char *variant CLEANUP_FREE = run->variant ? mem_strdup(run->variant) : replay_variant(run);
    if (variant)
        setenv(VARIANT_ENV, variant, 1);
    struct launch launch;
    launch_init(&launch, run);
    execv(launch.loader, launch.argv.data);
    return error_errno("cannot start %s", launch.loader);
}
