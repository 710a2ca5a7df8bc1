/*
 * recut ls: which traces are there, newest last?
 *
 * Reads headers and the ends of logs, so that it is quick however much was
 * recorded.  A damaged trace is a line that says so, not the end of the list.
 */
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/trace_view.h"
#include "trace/directory.h"

static const char help[] =
    "usage: recut ls [OPTION]...\n"
    "\n"
    "Lists the traces in $RECUT_TRACE_DIR, else $XDG_DATA_HOME/recut, else\n"
    "~/.local/share/recut, newest last: name, when it was recorded, program, events\n"
    "(calls out of the program and into it), size on disk, and how the run ended.\n"
    "\n"
    "  -l, --long  also threads, working directory and command line\n"
    "      --json  as JSON (docs/formats.md)\n"
    "  -h, --help  this text\n";

struct row {
    const char *name;
    struct trace *trace;
    struct trace_summary summary;
    char *wrong; /* what is, instead of the two above */
    uint64_t time, size;
};

/* nftw() has no argument for it. */
static uint64_t disk_size;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)path, (void)type, (void)ftw;
    disk_size += (uint64_t)st->st_blocks * 512;
    return 0;
}

static struct row read_row(const char *directory, const char *name) {
    struct row row = {.name = name};
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name);
    struct stat st;
    if (stat(path, &st) == 0)
        row.time = (uint64_t)st.st_mtime;
    disk_size = 0;
    nftw(path, add_size, 8, FTW_PHYS);
    row.size = disk_size;
    struct error *err = trace_open(path, &row.trace);
    if (!err)
        err = trace_summarise(row.trace, &row.summary);
    if (row.trace)
        row.time = trace_info(row.trace)->start_time;
    if (err) {
        /* The path is said by the name already. */
        size_t prefix = strlen(path);
        bool has_path = strncmp(err->message, path, prefix) == 0 && err->message[prefix] == ':';
        row.wrong = mem_strdup(err->message + (has_path ? prefix + 2 : 0));
        error_free(err);
    }
    return row;
}

static void row_deinit(struct row *row) {
    trace_close(row->trace);
    free(row->wrong);
}

/* Stable, since names come in order: two of the same second stay so. */
static void sort_by_time(struct row *rows, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && rows[k - 1].time > rows[k].time; k--) {
            struct row swap = rows[k];
            rows[k] = rows[k - 1];
            rows[k - 1] = swap;
        }
}

static void size_text(uint64_t bytes, char ret[16]) {
    static const char units[] = "KMGT";
    double size = (double)bytes / 1024;
    size_t unit = 0;
    for (; size >= 1000 && unit < 3; unit++)
        size /= 1024;
    snprintf(ret, 16, size < 10 && unit ? "%.1f%c" : "%.0f%c", size, units[unit]);
}

/* The last part of its path, fit to print. */
static char *program_text(const struct row *row) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    trace_text_clean(out, source_base_name(trace_info(row->trace)->program));
    fclose(out);
    return text;
}

static void print_long(const struct row *row) {
    const struct trace_info *info = trace_info(row->trace);
    printf("    ");
    trace_text_clean(stdout, info->program);
    printf(", %zu thread%s, in ", row->summary.threads, row->summary.threads == 1 ? "" : "s");
    trace_text_clean(stdout, info->directory);
    putchar(':');
    for (uint32_t i = 0; i < info->argument_count; i++) {
        struct bytes argument = {(const uint8_t *)info->arguments[i], strlen(info->arguments[i])};
        putchar(' ');
        if (argument.size == 0 || strpbrk(info->arguments[i], " \t\n\"'\\$&;|<>*?()"))
            trace_text_bytes(stdout, argument, 0);
        else
            trace_text_clean(stdout, info->arguments[i]);
    }
    putchar('\n');
}

static void print_row(const struct row *row, int width, bool is_long) {
    char when[32] = "?", size[16];
    time_t seconds = (time_t)row->time;
    struct tm parts;
    if (localtime_r(&seconds, &parts))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &parts);
    size_text(row->size, size);
    printf("%s%-*s%s  %s  ", cmd_colour(stdout, COLOUR_BOLD), width, row->name,
           cmd_colour(stdout, COLOUR_OFF), when);
    if (row->wrong) {
        printf("%s", cmd_colour(stdout, COLOUR_RED));
        trace_text_clean(stdout, row->wrong);
        printf("%s\n", cmd_colour(stdout, COLOUR_OFF));
        return;
    }
    char *program CLEANUP_FREE = program_text(row);
    printf("%-12s %10" PRIu64 " event%s  %5s  ", program, row->summary.calls,
           row->summary.calls == 1 ? " " : "s", size);
    bool is_bad = row->summary.end == TRACE_CRASHED || row->summary.end == TRACE_LOST;
    printf("%s", is_bad ? cmd_colour(stdout, COLOUR_RED) : "");
    trace_text_end(stdout, &row->summary);
    puts(is_bad ? cmd_colour(stdout, COLOUR_OFF) : "");
    if (is_long)
        print_long(row);
}

static void print_json(const struct row *rows, size_t count, const char *directory) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-ls");
    cJSON_AddNumberToObject(root, "version", 1);
    trace_json_string(root, "directory", directory);
    cJSON *traces = cJSON_AddArrayToObject(root, "traces");
    for (size_t i = 0; i < count; i++) {
        cJSON *object = cJSON_CreateObject();
        trace_json_string(object, "name", rows[i].name);
        trace_json_number(object, "size", rows[i].size);
        if (rows[i].wrong) {
            trace_json_string(object, "error", rows[i].wrong);
        } else {
            struct trace_view view = {.trace = rows[i].trace};
            trace_json_number(object, "events", rows[i].summary.calls);
            trace_json_number(object, "threads", rows[i].summary.threads);
            trace_json_end(object, &rows[i].summary);
            cJSON_AddItemToObject(object, "header", trace_json_header(&view));
        }
        cJSON_AddItemToArray(traces, object);
    }
    char *text = cJSON_Print(root);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
}

static struct error *list(bool is_long, bool is_json) {
    char *directory CLEANUP_FREE = NULL;
    char **names = NULL;
    struct error *err = trace_directory(&directory);
    if (!err)
        err = trace_names(&names);
    if (err)
        return err;
    VEC(struct row) rows = {0};
    int width = 8;
    for (size_t i = 0; names[i]; i++) {
        VEC_PUSH(&rows, read_row(directory, names[i]));
        width = (int)strlen(names[i]) > width ? (int)strlen(names[i]) : width;
    }
    sort_by_time(rows.data, rows.count);
    if (is_json)
        print_json(rows.data, rows.count, directory);
    for (size_t i = 0; i < rows.count; i++) {
        if (!is_json)
            print_row(&rows.data[i], width, is_long);
        row_deinit(&rows.data[i]);
    }
    VEC_DEINIT(&rows);
    trace_names_free(names);
    return NULL;
}

int cmd_ls(int argc, char **argv) {
    static const struct option options[] = {
        {"long", no_argument, NULL, 'l'},
        {"json", no_argument, NULL, 'j'},
        CMD_OPTION_HELP,
        {0},
    };
    bool is_long = false, is_json = false;
    int option;
    while ((option = getopt_long(argc, argv, ":lh", options, NULL)) != -1)
        switch (option) {
        case 'l':
            is_long = true;
            break;
        case 'j':
            is_json = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind != argc)
        return cmd_usage(argv[0], "takes no argument");
    struct error *err = list(is_long, is_json);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
