/*
 * recut races: replays a trace with all accesses of its threads watched, and names those
 * that nothing orders.
 */
#include <cjson/cJSON.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/race_list.h"
#include "cmd/replay_run.h"
#include "cmd/trace_view.h"
#include "cmd/variant_cache.h"
#include "format/layout.h"
#include "format/model_table.h"
#include "format/variant.h"
#include "trace/variable.h"

static const char usage[] =
    "usage: recut races [OPTION]... [TRACE]\n"
    "\n"
    "Replays a trace of a program with threads and finds its data races: accesses to the\n"
    "same memory by two threads, one of them a write, that no lock, no atomic operation\n"
    "and no other way of waiting orders. Says of each where it is, what the variable is,\n"
    "and how both threads came there; and whether a replay of this trace can be trusted.\n"
    "TRACE is a directory, a packed trace or a name that `recut ls` shows; the last\n"
    "recording without one.\n"
    "\n"
    "      --json   the same as JSON (docs/formats.md)\n"
    "  -h, --help   this text\n"
    "\n"
    "The exit status is 0 if there are no races, 1 if there are some.\n";

struct races_run {
    struct replay_run replay;
    char *image; /* the variant that watches */
    struct source *source;
    struct variables *variables;
    struct race_list list;
    bool is_serial;
    bool has_left; /* the replay left the recording before its end */
    bool json;
};

/* --- the replay ----------------------------------------------------------------------------- */

/* The variant that was recorded with and, besides, watches. */
static struct error *prepare_variant(struct races_run *run) {
    struct trace *trace = run->replay.trace;
    char *models CLEANUP_FREE = mem_printf("%s/%s", trace_path(trace), TRACE_MODELS_NAME);
    char *own CLEANUP_FREE = mem_printf("%s/%s.races", trace_path(trace), TRACE_VARIANT_NAME);
    char *recorded CLEANUP_FREE = replay_variant(&run->replay);
    char *table CLEANUP_FREE = NULL;
    size_t size;
    struct variant_request request = {
        .program = run->replay.program,
        .models = models,
        .build_id = trace_info(trace)->build_id,
        .doing = "looking for memory that threads share in",
        .own = own,
    };
    struct error *err = io_read_file(models, &table, &size);
    if (!err && recorded)
        err = variant_cache_features(recorded, &request.features);
    if (err)
        return err;
    request.models_hash = ((const struct model_table *)table)->hash;
    request.features |= VARIANT_RACES;
    err = variant_cache_get(&request, &run->image);
    if (!err && !run->image)
        err =
            error_new(ERROR_FAILED, "%s has no functions that can be watched", run->replay.program);
    return err;
}

static struct error *replay(struct races_run *run) {
    struct replay_report report = {0};
    int status;
    struct error *err = replay_run(&run->replay, &status, &report);
    if (!err && WIFSIGNALED(status) && !replay_report_crashed(&report))
        err = error_new(ERROR_FAILED, "the replay was ended by SIG%s",
                        sigabbrev_np(WTERMSIG(status)));
    run->has_left = !err && replay_report_left(&report, run->replay.trace);
    replay_report_deinit(&report);
    return err;
}

/* What the runtime wrote is read anew. */
static struct error *replay_once(struct races_run *run) {
    int fd = run->replay.races_fd;
    race_list_deinit(&run->list);
    run->list = (struct race_list){0};
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        return error_errno("cannot empty a file");
    struct error *err = replay(run);
    return err ? err : race_list_read(fd, run->source, &run->list);
}

/* A race may lead the replay astray before both of its accesses were made; threads run in
 * parallel, and the next time it may go better. */
static struct error *find_races(struct races_run *run) {
    enum { most_tries = 10 };
    run->replay.variant = run->image;
    run->replay.quiet = true;
    run->replay.races_fd = memfd_create("recut-races", 0);
    if (run->replay.races_fd < 0)
        return error_errno("cannot make a file");
    struct error *err = source_open(run->replay.program, NULL, &run->source);
    if (!err)
        err = variables_open(run->replay.program, &run->variables);
    if (!err)
        source_use_image(run->source, run->image);
    int tries = 0;
    do
        err = err ? err : replay_once(run);
    while (!err && run->has_left && !run->list.races.count && ++tries < most_tries);
    close(run->replay.races_fd);
    return err;
}

/* --- text ----------------------------------------------------------------------------------- */

static char *thread_name(uint32_t thread) {
    return thread ? mem_printf("thread %" PRIu32, thread) : mem_strdup("main");
}

/* The function that a local is of. */
static const char *function_of(const struct race *race) {
    const struct source_frame *frame = race->origin.frames.data;
    return race->origin.frames.count && frame->function ? frame->function : NULL;
}

static char *describe(const struct races_run *run, const struct race *race) {
    char *owner CLEANUP_FREE = thread_name(race->owner);
    const char *function = function_of(race);
    if (race->where == race_local)
        return mem_printf("a local variable%s%s, %s", function ? " of " : "",
                          function ? function : "", owner);
    if (race->where == race_heap && race->size)
        return mem_printf("byte %" PRIu64 " of a heap block of %" PRIu64,
                          race->address - race->start, race->size);
    char *name = variables_name(run->variables, race->address);
    return name ? name : mem_printf("%#" PRIx64, race->address);
}

static const char *verb(const struct race_side *side) {
    return side->is_write ? "writes" : "reads";
}

/* The compiler may have made one access of several lines' ones: then there is no line. */
static void print_place(const struct source_frame *frame) {
    if (frame->file && frame->line)
        printf(" at %s:%d", source_base_name(frame->file), frame->line);
    else if (frame->file)
        printf(" in %s", source_base_name(frame->file));
}

static void print_stack(const struct race_stack *stack) {
    const char *bold = cmd_colour(stdout, COLOUR_BOLD), *off = cmd_colour(stdout, COLOUR_OFF);
    for (size_t i = 0; i < stack->frames.count; i++) {
        const struct source_frame *frame = &stack->frames.data[i];
        printf("    #%-2zu %s%s%s", i, bold, frame->function ? frame->function : "?", off);
        print_place(frame);
        putchar('\n');
    }
}

static void print_side(const struct race_side *side) {
    char *thread CLEANUP_FREE = thread_name(side->thread);
    printf("  %s %s%s", thread, side->is_atomic ? "atomically " : "", verb(side));
    if (side->stack.frames.count)
        print_place(side->stack.frames.data);
    putchar('\n');
    print_stack(&side->stack);
}

static void print_race(const struct races_run *run, const struct race *race) {
    char *what CLEANUP_FREE = describe(run, race);
    printf("%srace%s on %s%s%s\n", cmd_colour(stdout, COLOUR_RED), cmd_colour(stdout, COLOUR_OFF),
           cmd_colour(stdout, COLOUR_BOLD), what, cmd_colour(stdout, COLOUR_OFF));
    print_side(&race->sides[0]);
    print_side(&race->sides[1]);
    if (race->where == race_heap && race->origin.frames.count) {
        char *owner CLEANUP_FREE = thread_name(race->owner);
        printf("  %s allocated the block\n", owner);
        print_stack(&race->origin);
    }
    putchar('\n');
}

static const char *verdict(const struct races_run *run) {
    if (run->is_serial)
        return "threads were recorded one at a time: the replay is exact in spite of them";
    return "a replay of this trace may differ from the run; record it with --threads=serial";
}

static void print_text(const struct races_run *run) {
    size_t count = run->list.races.count;
    for (size_t i = 0; i < count; i++)
        print_race(run, &run->list.races.data[i]);
    if (!run->list.is_complete)
        printf("there are more than can be told\n");
    if (run->has_left)
        printf("the replay left the recording before its end\n");
    if (count)
        printf("%zu race%s: %s\n", count, count == 1 ? "" : "s", verdict(run));
    else if (run->has_left)
        printf("no race was found until then\n");
    else
        printf("no races: a replay of this trace can be trusted\n");
}

/* --- JSON ----------------------------------------------------------------------------------- */

static cJSON *stack_json(const struct race_stack *stack) {
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < stack->frames.count; i++) {
        const struct source_frame *frame = &stack->frames.data[i];
        cJSON *json = cJSON_CreateObject();
        if (frame->function)
            cJSON_AddStringToObject(json, "function", frame->function);
        if (frame->file) {
            cJSON_AddStringToObject(json, "file", frame->file);
            cJSON_AddNumberToObject(json, "line", frame->line);
            cJSON_AddNumberToObject(json, "column", frame->column);
        }
        cJSON_AddItemToArray(array, json);
    }
    return array;
}

static cJSON *race_json(const struct races_run *run, const struct race *race) {
    static const char *const places[] = {"static", "heap", "stack"};
    cJSON *json = cJSON_CreateObject();
    char *what CLEANUP_FREE = describe(run, race);
    cJSON_AddStringToObject(json, "variable", what);
    cJSON_AddStringToObject(json, "where", places[race->where]);
    trace_json_number(json, "address", race->address);
    cJSON *accesses = cJSON_AddArrayToObject(json, "accesses");
    for (int i = 0; i < 2; i++) {
        const struct race_side *side = &race->sides[i];
        cJSON *access = cJSON_CreateObject();
        cJSON_AddNumberToObject(access, "thread", side->thread);
        cJSON_AddStringToObject(access, "access", side->is_write ? "write" : "read");
        cJSON_AddBoolToObject(access, "atomic", side->is_atomic);
        cJSON_AddNumberToObject(access, "size", side->size);
        cJSON_AddItemToObject(access, "stack", stack_json(&side->stack));
        cJSON_AddItemToArray(accesses, access);
    }
    if (race->where != race_static && race->size) {
        cJSON *object = cJSON_AddObjectToObject(json, "object");
        cJSON_AddNumberToObject(object, "size", (double)race->size);
        cJSON_AddNumberToObject(object, "offset", (double)(race->address - race->start));
        cJSON_AddNumberToObject(object, "thread", race->owner);
        cJSON_AddItemToObject(object, "stack", stack_json(&race->origin));
    }
    return json;
}

static void print_json(const struct races_run *run) {
    cJSON *root = cJSON_CreateObject();
    bool has_races = run->list.races.count > 0;
    cJSON_AddStringToObject(root, "format", "recut-races");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddStringToObject(root, "threads", run->is_serial ? "serial" : "causal");
    cJSON_AddBoolToObject(root, "trusted", !run->has_left && (run->is_serial || !has_races));
    cJSON_AddBoolToObject(root, "complete", run->list.is_complete && !run->has_left);
    cJSON *races = cJSON_AddArrayToObject(root, "races");
    for (size_t i = 0; i < run->list.races.count; i++)
        cJSON_AddItemToArray(races, race_json(run, &run->list.races.data[i]));
    char *text = cJSON_Print(root);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
}

int cmd_races(int argc, char **argv) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        CMD_OPTION_HELP,
        {0},
    };
    struct races_run run = {.replay.races_fd = -1};
    int option;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP, options, NULL)) != -1)
        switch (option) {
        case 'j':
            run.json = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc)
        return cmd_usage(argv[0], "one trace at a time");
    struct error *err = replay_open(&run.replay, argv[optind]);
    if (!err)
        run.is_serial = trace_info(run.replay.trace)->serial != 0;
    if (!err)
        err = prepare_variant(&run);
    if (!err)
        err = find_races(&run);
    if (!err && run.json)
        print_json(&run);
    else if (!err)
        print_text(&run);
    bool is_clean = !run.list.races.count && !run.has_left;
    race_list_deinit(&run.list);
    variables_close(run.variables);
    source_close(run.source);
    replay_close(&run.replay);
    free(run.image);
    if (err)
        return cmd_fail(argv[0], err);
    int code = cmd_finish(argv[0]);
    return code ? code : !is_clean;
}
