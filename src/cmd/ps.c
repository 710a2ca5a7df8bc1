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

/* One process, as far as it can be read. */
struct row {
    struct trace *trace; /* NULL: not at all */
    struct trace_summary summary;
    bool is_known;       /* summary */
    struct error *wrong; /* the first thing that is, NULL if nothing; to be told */
};

static struct row read_row(const struct trace_process *process) {
    struct row row = {0};
    struct error *err = trace_open(process->path, &row.trace);
    if (!err) {
        err = trace_summarise(row.trace, &row.summary);
        row.is_known = !err;
    }
    if (!err && !(row.summary.end == TRACE_RECORDING && !row.summary.threads))
        err = trace_find_missing(row.trace);
    if (err && row.trace)
        err = error_in(err, "%s", process->path);
    if (!err && process->wrong)
        err = error_new(ERROR_INPUT, "%s: %s", process->path, process->wrong);
    row.wrong = err;
    return row;
}

static void print_end(const struct row *row) {
    if (!row->is_known) {
        printf("%sdamaged%s", cmd_colour(stdout, COLOUR_RED), cmd_colour(stdout, COLOUR_OFF));
        return;
    }
    bool is_bad = row->summary.end == TRACE_CRASHED;
    printf("%" PRIu64 " event%s, ", row->summary.calls, row->summary.calls == 1 ? "" : "s");
    fputs(is_bad ? cmd_colour(stdout, COLOUR_RED) : "", stdout);
    trace_text_end(stdout, &row->summary);
    fputs(is_bad ? cmd_colour(stdout, COLOUR_OFF) : "", stdout);
}

static void print_process(const struct trace_processes *processes, size_t at,
                          const struct row *row) {
    const struct trace_process *process = &processes->list[at];
    print_branch(processes, at);
    printf("%s%" PRIu64 "%s  ", cmd_colour(stdout, COLOUR_BOLD), process->pid,
           cmd_colour(stdout, COLOUR_OFF));
    print_end(row);
    bool is_made = process->depth && process->parent;
    if (is_made)
        printf(", %s by event %" PRIu64, process->is_child ? "made" : "started", process->event);
    if (is_made && process->thread)
        printf(" of thread %" PRIu64, process->thread);
    if (!process->is_child) {
        fputs(process->depth && !is_made ? ", after exec" : "", stdout);
        fputs(row->trace ? ": " : "", stdout);
        trace_text_clean(stdout, row->trace ? trace_info(row->trace)->program : "");
    }
    putchar('\n');
}

static void add_json(cJSON *list, const struct trace_process *process, const struct row *row) {
    cJSON *object = cJSON_CreateObject();
    trace_json_number(object, "pid", process->pid);
    if (process->parent) {
        trace_json_number(object, "parent", process->parent);
        trace_json_number(object, "thread", process->thread);
        trace_json_number(object, "event", process->event);
    }
    if (row->is_known) {
        trace_json_number(object, "events", row->summary.calls);
        trace_json_end(object, &row->summary);
    }
    if (row->wrong)
        trace_json_string(object, "error", row->wrong->message);
    cJSON_AddItemToArray(list, object);
}

/* Goes on where one is damaged; the exit code. */
static int print_all(const struct trace_processes *processes, bool is_json, const char *command) {
    cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateArray();
    int code = 0;
    cJSON_AddStringToObject(root, "format", "recut-processes");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddItemToObject(root, "processes", list);
    for (size_t i = 0; i < processes->count; i++) {
        struct row row = read_row(&processes->list[i]);
        if (is_json)
            add_json(list, &processes->list[i], &row);
        else
            print_process(processes, i, &row);
        fflush(stdout);
        if (row.wrong)
            code = cmd_fail(command, row.wrong);
        trace_close(row.trace);
    }
    if (is_json) {
        char *text = cJSON_Print(root);
        puts(text);
        cJSON_free(text);
    }
    cJSON_Delete(root);
    return code;
}

static int ps(const char *argument, bool is_json, const char *command) {
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
    int code = err ? cmd_fail(command, err) : print_all(&processes, is_json, command);
    trace_processes_free(&processes);
    trace_close(trace);
    if (code)
        return code;
    return cmd_finish(command);
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
    return ps(argv[optind], is_json, argv[0]);
}
