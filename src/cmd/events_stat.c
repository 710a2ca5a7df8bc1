/*
 * recut events --stat: which functions fill the log?
 *
 * One row for each function that was called, sorted by the bytes that its calls
 * take in the log.  Functions are told apart by name, over all sites and threads.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/events.h"

struct row {
    char *name;
    uint64_t calls, errors, bytes;
};

struct table {
    VEC(struct row) rows;
    uint64_t skipped, repeated, entered, loads, load_bytes, bytes;
};

/* Sites are many times fewer than calls: each thread keeps the row of a site. */
static size_t find_row(struct table *table, const char *name) {
    for (size_t i = 0; i < table->rows.count; i++)
        if (strcmp(table->rows.data[i].name, name) == 0)
            return i;
    VEC_PUSH(&table->rows, (struct row){.name = mem_strdup(name)});
    return table->rows.count - 1;
}

static struct error *count_stream(const struct trace_view *view,
                                  const struct events_options *options, size_t stream,
                                  struct table *table) {
    struct trace_cursor *cursor = trace_cursor_new(view->trace, stream);
    VEC(size_t) rows_of_sites = {0};
    const struct trace_event *event;
    struct error *err;
    while (!(err = trace_next(cursor, &event)) && event) {
        if (event->kind == EVENT_SITE)
            VEC_PUSH(&rows_of_sites, find_row(table, event->site->name));
        if (!events_wants(options, event))
            continue;
        table->bytes += event->size;
        table->skipped += event->skipped;
        table->repeated += event->repeated;
        table->entered += event->kind == EVENT_ENTER;
        if (event->kind == EVENT_LOAD) {
            table->loads++;
            table->load_bytes += event->size;
        }
        if (event->kind == EVENT_CALL) {
            struct row *row = &table->rows.data[rows_of_sites.data[event->site->id]];
            row->calls++;
            row->bytes += event->size;
            row->errors += (event->flags & EVENT_ERRNO) != 0;
        }
    }
    VEC_DEINIT(&rows_of_sites);
    trace_cursor_free(cursor);
    return err;
}

static int by_bytes(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void print_table(const struct table *table) {
    printf("%s%12s %12s %12s  %s%s\n", cmd_colour(stdout, COLOUR_BOLD), "calls", "errors", "bytes",
           "function", cmd_colour(stdout, COLOUR_OFF));
    uint64_t calls = 0, errors = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        const struct row *row = &table->rows.data[i];
        if (!row->calls)
            continue;
        printf("%12" PRIu64 " %12" PRIu64 " %12" PRIu64 "  %s\n", row->calls, row->errors,
               row->bytes, row->name);
        calls += row->calls;
        errors += row->errors;
    }
    printf("%12" PRIu64 " %12" PRIu64 " %12" PRIu64 "  in the log, everything in it counted\n",
           calls, errors, table->bytes);
    if (table->skipped)
        printf("%12" PRIu64 " %12s %12s  that need no log\n", table->skipped, "", "");
    if (table->repeated)
        printf("%12" PRIu64 " %12s %12s  loads that gave what they gave before\n", table->repeated,
               "", "");
    if (table->entered)
        printf("%12" PRIu64 " %12s %12s  into the program\n", table->entered, "", "");
    if (table->loads)
        printf("%12" PRIu64 " %12s %12" PRIu64 "  loads from the environment's memory\n",
               table->loads, "", table->load_bytes);
}

static void print_json(const struct table *table) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-events-stat");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON *functions = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < table->rows.count; i++) {
        const struct row *row = &table->rows.data[i];
        if (!row->calls)
            continue;
        cJSON *object = cJSON_CreateObject();
        trace_json_string(object, "name", row->name);
        trace_json_number(object, "calls", row->calls);
        trace_json_number(object, "errors", row->errors);
        trace_json_number(object, "bytes", row->bytes);
        cJSON_AddItemToArray(functions, object);
    }
    trace_json_number(root, "bytes", table->bytes);
    trace_json_number(root, "skipped", table->skipped);
    trace_json_number(root, "repeated", table->repeated);
    trace_json_number(root, "entered", table->entered);
    trace_json_number(root, "loads", table->loads);
    trace_json_number(root, "load_bytes", table->load_bytes);
    char *text = cJSON_Print(root);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
}

struct error *events_stat(const struct trace_view *view, const struct events_options *options,
                          bool is_json) {
    struct table table = {0};
    struct error *err = NULL;
    for (size_t i = 0; !err && i < trace_stream_count(view->trace); i++)
        if (events_wants_thread(options, trace_stream_slot(view->trace, i)))
            err = count_stream(view, options, i, &table);
    if (table.rows.count)
        qsort(table.rows.data, table.rows.count, sizeof *table.rows.data, by_bytes);
    if (!err && is_json)
        print_json(&table);
    else if (!err)
        print_table(&table);
    for (size_t i = 0; i < table.rows.count; i++)
        free(table.rows.data[i].name);
    VEC_DEINIT(&table.rows);
    return err;
}
