/*
 * recut ps: which processes does a trace have, and how did they end?
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/trace_view.h"
#include "trace/directory.h"
#include "trace/processes.h"

static const char help[] =
    "usage: recut ps [OPTION]... [TRACE]\n"
    "\n"
    "Lists the processes of a trace (the latest, unless told): the program and the children\n"
    "that it and they made, with the number of their events, how they ended and which call\n"
    "made them. `recut replay -p PID` replays one, `recut events -p PID` shows its events.\n"
    "\n"
    "      --json  as JSON (docs/formats.md)\n"
    "  -h, --help  this text\n";

/* Is there another child of the same parent further down? */
static bool has_next(const struct trace_processes *processes, size_t at, size_t depth) {
    for (size_t i = at + 1; i < processes->count && processes->list[i].depth >= depth; i++)
        if (processes->list[i].depth == depth)
            return true;
    return false;
}

static void print_branch(const struct trace_processes *processes, size_t at) {
    const struct trace_process *process = &processes->list[at];
    for (size_t depth = 1; depth < process->depth; depth++)
        fputs(has_next(processes, at, depth) ? "│ " : "  ", stdout);
    if (process->depth)
        fputs(has_next(processes, at, process->depth) ? "├ " : "└ ", stdout);
}

static struct error *print_process(const struct trace_processes *processes, size_t at) {
    const struct trace_process *process = &processes->list[at];
    struct trace *trace = NULL;
    struct trace_summary summary;
    struct error *err = trace_open(process->path, &trace);
    if (!err)
        err = trace_summarise(trace, &summary);
    if (err) {
        trace_close(trace);
        return err;
    }
    print_branch(processes, at);
    printf("%s%" PRIu64 "%s  %" PRIu64 " event%s, ", cmd_colour(stdout, COLOUR_BOLD), process->pid,
           cmd_colour(stdout, COLOUR_OFF), summary.calls, summary.calls == 1 ? "" : "s");
    bool is_bad = summary.end == TRACE_CRASHED;
    fputs(is_bad ? cmd_colour(stdout, COLOUR_RED) : "", stdout);
    trace_text_end(stdout, &summary);
    fputs(is_bad ? cmd_colour(stdout, COLOUR_OFF) : "", stdout);
    if (!process->parent) {
        fputs(process->depth ? ", after exec: " : ": ", stdout);
        trace_text_clean(stdout, trace_info(trace)->program);
    }
    if (process->parent)
        printf(", made by event %" PRIu64 "%s", process->event,
               process->thread ? " of thread " : "");
    if (process->thread)
        printf("%" PRIu64, process->thread);
    putchar('\n');
    trace_close(trace);
    return NULL;
}

static struct error *add_json(cJSON *list, const struct trace_process *process) {
    struct trace *trace = NULL;
    struct trace_summary summary;
    struct error *err = trace_open(process->path, &trace);
    if (!err)
        err = trace_summarise(trace, &summary);
    if (!err) {
        cJSON *object = cJSON_CreateObject();
        trace_json_number(object, "pid", process->pid);
        if (process->parent) {
            trace_json_number(object, "parent", process->parent);
            trace_json_number(object, "thread", process->thread);
            trace_json_number(object, "event", process->event);
        }
        trace_json_number(object, "events", summary.calls);
        trace_json_end(object, &summary);
        cJSON_AddItemToArray(list, object);
    }
    trace_close(trace);
    return err;
}

static struct error *print_json(const struct trace_processes *processes) {
    cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateArray();
    struct error *err = NULL;
    cJSON_AddStringToObject(root, "format", "recut-processes");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddItemToObject(root, "processes", list);
    for (size_t i = 0; !err && i < processes->count; i++)
        err = add_json(list, &processes->list[i]);
    if (!err) {
        char *text = cJSON_Print(root);
        puts(text);
        cJSON_free(text);
    }
    cJSON_Delete(root);
    return err;
}

static struct error *ps(const char *argument, bool is_json) {
    char *path CLEANUP_FREE = NULL, *root CLEANUP_FREE = NULL;
    struct trace_processes processes = {0};
    uint64_t pid;
    struct error *err = trace_resolve(argument, &path);
    struct trace *trace = NULL;
    if (!err)
        err = trace_open(path, &trace); /* a packed one is unpacked now */
    if (!err)
        err = trace_process_root(trace_path(trace), &root, &pid);
    if (!err)
        err = trace_processes_read(root, &processes);
    if (!err && is_json)
        err = print_json(&processes);
    for (size_t i = 0; !err && !is_json && i < processes.count; i++)
        err = print_process(&processes, i);
    trace_processes_free(&processes);
    trace_close(trace);
    return err;
}

int cmd_ps(int argc, char **argv) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        CMD_OPTION_HELP,
        {0},
    };
    bool is_json = false;
    int option;
    while ((option = getopt_long(argc, argv, "+:h", options, NULL)) != -1)
        switch (option) {
        case 'j':
            is_json = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc)
        return cmd_usage(argv[0], "one trace at a time");
    struct error *err = ps(argv[optind], is_json);
    return err ? cmd_fail(argv[0], err) : 0;
}
