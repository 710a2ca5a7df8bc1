/*
 * recut events: what a recorded program asked of its environment, call by call.
 *
 * Threads one after the other: the log of each is in order by itself.
 */
#include "cmd/events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/process_walk.h"

static const char help[] =
    "usage: recut events [OPTION]... [TRACE]\n"
    "\n"
    "Prints the events of a trace (the latest, unless told) as strace prints system\n"
    "calls: number, source line, function, arguments, result. Bytes that a call only\n"
    "read are shown by their hash.\n"
    "\n"
    "      --from N         from event N on\n"
    "      --to N           up to event N\n"
    "      --function NAME  calls of this function only\n"
    "      --thread SLOT    events of this thread only; main is 0\n"
    "  -p, --process PID    events of this process only (`recut ps` lists them)\n"
    "      --stat           counts and bytes of each function instead; of the first\n"
    "                       process, unless told\n"
    "      --json           as JSON (docs/formats.md)\n"
    "  -h, --help           this text\n";

struct request {
    struct events_options options;
    bool is_json, is_stat;
    const char *argument;
    uint64_t pid; /* 0: all processes */
};

bool events_wants_thread(const struct events_options *options, uint32_t slot) {
    return options->thread < 0 || options->thread == slot;
}

bool events_wants(const struct events_options *options, const struct trace_event *event) {
    if (event->number < options->from || event->number > options->to)
        return false;
    return !options->function ||
           (event->kind == EVENT_CALL && strcmp(event->site->name, options->function) == 0);
}

static void print_skipped(uint64_t count) {
    printf("%s%8s… %" PRIu64 " call%s no log%s\n", cmd_colour(stdout, COLOUR_DIM), "", count,
           count == 1 ? " that needs" : "s that need", cmd_colour(stdout, COLOUR_OFF));
}

static void print_enter(const struct trace_view *view, const struct trace_event *event) {
    const struct source_frame *frames = NULL;
    size_t count = view->source ? source_find(view->source, event->enter.address, &frames) : 0;
    fputs("→ ", stdout);
    if (count && frames[count - 1].function)
        trace_text_clean(stdout, frames[count - 1].function);
    else
        printf("0x%" PRIx64, event->enter.address);
    struct reader reader = reader_of(event->enter.integers);
    for (int i = 0; reader_left(&reader) >= 8 && i < 6; i++)
        printf("%s0x%" PRIx64, i ? ", " : "(", reader_u64(&reader));
    fputs(event->enter.integer_count ? ")" : "()", stdout);
}

static void print_crash(const struct trace_view *view, const struct trace_event *event) {
    const struct crash_event *crash = &event->crash.state;
    printf("%s%s%s", cmd_colour(stdout, COLOUR_RED), trace_signal_name(crash->signal),
           cmd_colour(stdout, COLOUR_OFF));
    if (crash->stack_overflow)
        fputs(", stack overflow", stdout);
    printf(", address 0x%" PRIx64 ", %s", crash->address,
           crash->in_environment ? "in the environment " : "");
    trace_text_frames(stdout, view, crash->pc, false);
    uint64_t addresses[UNWIND_MOST];
    size_t count = trace_view_unwind(view, event, addresses);
    for (size_t i = 1; i < count; i++) {
        printf("\n%24sfrom ", "");
        trace_text_frames(stdout, view, addresses[i], true);
    }
}

static void print_event(const struct trace_view *view, const struct trace_event *event) {
    char number[24] = "";
    if (event_has_number(event->kind))
        snprintf(number, sizeof number, "#%" PRIu64, event->number);
    printf("%s%7s%s ", cmd_colour(stdout, COLOUR_DIM), number, cmd_colour(stdout, COLOUR_OFF));
    if (event->kind == EVENT_CALL)
        trace_text_place(stdout, view, event->site->address);
    else if (event->kind == EVENT_CANCEL && event->cancelled_at)
        trace_text_place(stdout, view, event->cancelled_at);
    else
        printf("%-14s", "");
    printf("  %*s", event->depth < 20 ? 2 * (int)event->depth : 40, "");
    switch (event->kind) {
    case EVENT_CALL:
        trace_text_call(stdout, view, event);
        break;
    case EVENT_ENTER:
        print_enter(view, event);
        break;
    case EVENT_LEAVE:
        printf("← %" PRId64, (int64_t)event->leave.integer);
        break;
    case EVENT_LOAD:
        fputs("load ", stdout);
        trace_text_bytes(stdout, event->load, view->limit);
        break;
    case EVENT_STORE:
        trace_text_store(stdout, event, view->limit);
        break;
    case EVENT_CRASH:
        print_crash(view, event);
        break;
    case EVENT_EXIT:
        printf("exit %" PRIu64, event->exit.status);
        break;
    case EVENT_LOST:
        fputs("recording stopped: ", stdout);
        trace_text_bytes(stdout, event->lost, 0);
        break;
    case EVENT_DONE:
        fputs("the thread is over", stdout);
        break;
    case EVENT_CANCEL:
        fputs("the thread is cancelled", stdout);
        break;
    case EVENT_SIGNAL:
        printf("%s: its handler runs", trace_signal_name((int)event->signal.number));
        break;
    default:
        break;
    }
    putchar('\n');
}

/* What only serves recut itself is for `recut dump`. */
static bool is_internal(enum event_kind kind) {
    return kind == EVENT_SITE || kind == EVENT_START || kind == EVENT_HASH || kind == EVENT_ORDER;
}

static void show(const struct trace_view *view, const struct request *request, uint32_t slot,
                 const struct trace_event *event, bool *is_first) {
    if (!events_wants(&request->options, event))
        return;
    if (request->is_json && (!is_internal(event->kind) || event->skipped)) {
        cJSON *object = trace_json_event(view, slot, event);
        char *text = cJSON_PrintUnformatted(object);
        printf("%s\n  %s", *is_first ? "" : ",", text);
        cJSON_free(text);
        cJSON_Delete(object);
        *is_first = false;
    }
    if (request->is_json)
        return;
    if (event->skipped && !request->options.function)
        print_skipped(event->skipped);
    if (!is_internal(event->kind))
        print_event(view, event);
}

static struct error *print_stream(const struct trace_view *view, const struct request *request,
                                  size_t stream, bool *is_first) {
    uint32_t slot = trace_stream_slot(view->trace, stream);
    struct trace_cursor *cursor = trace_cursor_new(view->trace, stream);
    const struct trace_event *event;
    struct error *err;
    while (!(err = trace_next(cursor, &event)) && event && event->number <= request->options.to)
        show(view, request, slot, event, is_first);
    trace_cursor_free(cursor);
    return err;
}

/* A thread whose log is damaged does not keep the others from being shown. */
static void print_events(struct process_walk *walk, const struct request *request, bool *is_first) {
    const struct trace *trace = walk->view.trace;
    size_t count = trace_stream_count(trace);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = trace_stream_slot(trace, i);
        if (!events_wants_thread(&request->options, slot))
            continue;
        if (count > 1 && !request->is_json)
            printf("%sthread %u%s\n", cmd_colour(stdout, COLOUR_BOLD), slot,
                   cmd_colour(stdout, COLOUR_OFF));
        process_walk_fail(walk, print_stream(&walk->view, request, i, is_first));
    }
}

static void show_process(struct process_walk *walk, const struct request *request, bool *is_first) {
    const struct trace_view *view = &walk->view;
    if (walk->processes.count > 1 && !request->pid && !request->is_json)
        printf("%sprocess %" PRIu64 "%s\n", cmd_colour(stdout, COLOUR_BOLD), walk->process->pid,
               cmd_colour(stdout, COLOUR_OFF));
    if (view->no_source && !request->is_json && !request->is_stat) {
        fprintf(stderr, "recut %s: no source lines: ", walk->command);
        trace_text_clean(stderr, view->no_source);
        fputc('\n', stderr);
    }
    if (request->is_stat)
        process_walk_fail(walk, events_stat(view, &request->options, request->is_json));
    else
        print_events(walk, request, is_first);
}

/* All processes one after the other, or the one that is asked for. */
static int events(const struct request *request, const char *command) {
    struct process_walk walk = {
        .command = command, .pid = request->pid, .is_first_only = request->is_stat};
    bool is_first = true, is_list = request->is_json && !request->is_stat;
    struct error *err = process_walk_open(&walk, request->argument);
    if (!err && is_list)
        fputs("{\"format\": \"recut-events\", \"version\": 1, \"events\": [", stdout);
    while (!err && process_walk_next(&walk))
        show_process(&walk, request, &is_first);
    if (!err && is_list)
        fputs("\n]}\n", stdout);
    process_walk_close(&walk);
    if (err)
        return cmd_fail(command, err);
    int finished = cmd_finish(command);
    return walk.code ? walk.code : finished;
}

/* An event's number: digits alone, with or without the # of the output. */
static bool parse_number(const char *text, uint64_t *ret) {
    char *end;
    text += *text == '#';
    errno = 0;
    *ret = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

enum {
    OPTION_FROM = 256,
    OPTION_TO,
    OPTION_FUNCTION,
    OPTION_THREAD,
    OPTION_STAT,
    OPTION_JSON,
    OPTION_PROCESS = 'p'
};

int cmd_events(int argc, char **argv) {
    static const struct option options[] = {
        {"from", required_argument, NULL, OPTION_FROM},
        {"to", required_argument, NULL, OPTION_TO},
        {"function", required_argument, NULL, OPTION_FUNCTION},
        {"thread", required_argument, NULL, OPTION_THREAD},
        {"process", required_argument, NULL, OPTION_PROCESS},
        {"stat", no_argument, NULL, OPTION_STAT},
        {"json", no_argument, NULL, OPTION_JSON},
        CMD_OPTION_HELP,
        {0},
    };
    struct request request = {.options = {.to = UINT64_MAX, .thread = -1}};
    uint64_t number = 0;
    int option;
    while ((option = getopt_long(argc, argv, ":p:h", options, NULL)) != -1) {
        bool is_number = option == OPTION_FROM || option == OPTION_TO || option == OPTION_THREAD ||
                         option == OPTION_PROCESS;
        if (is_number &&
            (!parse_number(optarg, &number) || (option == OPTION_THREAD && number > UINT32_MAX)))
            return cmd_usage(argv[0], "%s is not a number", optarg);
        switch (option) {
        case OPTION_FROM:
            request.options.from = number;
            break;
        case OPTION_TO:
            request.options.to = number;
            break;
        case OPTION_THREAD:
            request.options.thread = (int64_t)number;
            break;
        case OPTION_PROCESS:
            request.pid = number;
            break;
        case OPTION_FUNCTION:
            request.options.function = optarg;
            break;
        case OPTION_STAT:
            request.is_stat = true;
            break;
        case OPTION_JSON:
            request.is_json = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    }
    if (optind + 1 < argc)
        return cmd_usage(argv[0], "one trace at a time");
    request.argument = argv[optind];
    return events(&request, argv[0]);
}
