/*
 * recut dump TRACE: everything that is in a trace, in its order, one process after the other.
 *
 * Where `recut events` is to be read, this is to be searched: nothing is cut
 * short, and what only serves recut is there too.  What is damaged is told, and
 * all that can be read is shown.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"
#include "cmd/cmd.h"
#include "cmd/dump.h"
#include "cmd/process_walk.h"

static void print_label(const char *label) {
    printf("%s%-14s%s", cmd_colour(stdout, COLOUR_BOLD), label, cmd_colour(stdout, COLOUR_OFF));
}

static void print_text(const char *label, const char *text) {
    print_label(label);
    trace_text_clean(stdout, text);
    putchar('\n');
}

static void print_list(const char *label, const char *const *strings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        print_label(i ? "" : label);
        trace_text_bytes(stdout, (struct bytes){(const uint8_t *)strings[i], strlen(strings[i])},
                         0);
        putchar('\n');
    }
}

static void print_header(const struct trace_view *view) {
    const struct trace_info *info = trace_info(view->trace);
    struct trace_summary summary;
    /* Damage is told when the log is read up to there. */
    struct error *unknown CLEANUP_ERROR = trace_summarise(view->trace, &summary);
    char id[HEX_SIZE(BUILD_ID_SIZE)], when[64] = "?";
    time_t seconds = (time_t)info->start_time;
    struct tm parts;
    if (gmtime_r(&seconds, &parts))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &parts);
    hex_format(info->build_id, BUILD_ID_SIZE, id);
    print_text("program", info->program);
    print_text("build id", id);
    print_text("directory", info->directory);
    print_text("started", when);
    print_text("libc", info->libc);
    print_text("processor", info->processor);
    print_list("arguments", info->arguments, info->argument_count);
    print_list("environment", info->environment, info->environment_count);
    if (!unknown) {
        print_label("events");
        printf("%" PRIu64 " in %zu thread%s\n", summary.calls, summary.threads,
               summary.threads == 1 ? "" : "s");
        print_label("end");
        trace_text_end(stdout, &summary);
        putchar('\n');
    }
    if (view->no_source)
        print_text("no lines", view->no_source);
}

static void print_call(const struct trace_view *view, const struct trace_event *event) {
    const struct trace_call *call = &event->call;
    printf("%s, site %u, %s", event->site->name, event->site->id, call->model ? "" : "no model, ");
    trace_text_frames(stdout, view, event->site->address, true);
    for (uint32_t i = 0; i < call->input_count; i++) {
        if (call->inputs[i].kind == TRACE_NOTHING)
            continue;
        printf("\n            in   ");
        trace_text_clean(stdout, trace_parameter_name(view->trace, call->model, i));
        fputs(" = ", stdout);
        trace_text_value(stdout, view, &call->inputs[i]);
    }
    if (call->result.kind != TRACE_NOTHING) {
        fputs("\n            result ", stdout);
        trace_text_value(stdout, view, &call->result);
    }
    if (call->result.kind == TRACE_REGISTERS)
        printf(", rdx %" PRId64 ", xmm0 %016" PRIx64 ", xmm1 %016" PRIx64, call->result.number[1],
               call->result.bits[0], call->result.bits[1]);
    if (call->result.kind == TRACE_OBJECT) {
        putchar(' ');
        trace_text_bytes(stdout, call->result.bytes, 0);
    }
    if (event->flags & EVENT_ERRNO)
        printf("\n            errno %s", trace_error_name(call->error));
    struct bytes rest = call->outputs;
    struct trace_output output;
    while (trace_output_next(&rest, &output)) {
        fputs("\n            out  ", stdout);
        if (output.tag < call->input_count)
            trace_text_clean(stdout,
                             trace_parameter_name(view->trace, call->model, (uint32_t)output.tag));
        else if (output_tag_name(output.tag))
            fputs(output_tag_name(output.tag), stdout);
        else
            printf("%" PRIu64, output.tag);
        printf(", %zu byte%s: ", output.bytes.size, output.bytes.size == 1 ? "" : "s");
        trace_text_bytes(stdout, output.bytes, 0);
    }
}

static void print_words(const char *label, struct bytes words) {
    struct reader reader = reader_of(words);
    while (reader_left(&reader) >= 8)
        printf("\n            %s 0x%016" PRIx64, label, reader_u64(&reader));
}

static void print_crash(const struct trace_view *view, const struct trace_event *event) {
    static const char *const names[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    const struct crash_event *crash = &event->crash.state;
    printf("%s, code %d, address 0x%" PRIx64 "%s%s\n            pc   ",
           trace_signal_name(crash->signal), crash->code, crash->address,
           crash->in_environment ? ", in the environment" : "",
           crash->stack_overflow ? ", stack overflow" : "");
    trace_text_frames(stdout, view, crash->pc, false);
    printf("\n            sp   0x%" PRIx64, crash->sp);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf("\n            %-4s 0x%" PRIx64, names[i], crash->registers[i]);
    uint64_t addresses[UNWIND_MOST];
    size_t count = trace_view_unwind(view, event, addresses);
    for (size_t i = 1; i < count; i++) {
        fputs("\n            from ", stdout);
        trace_text_frames(stdout, view, addresses[i], true);
    }
    printf("\n            stack, %zu bytes: ", event->crash.stack.size);
    trace_text_bytes(stdout, event->crash.stack, 0);
    printf("\n            mappings: ");
    trace_text_bytes(stdout, event->crash.mappings, 0);
}

static void print_start(const struct trace_event *event) {
    struct bytes rest = event->start.variables;
    struct trace_variable variable;
    printf("%" PRIu64 " variable%s", event->start.count, event->start.count == 1 ? "" : "s");
    while (trace_variable_next(&rest, &variable)) {
        printf("\n            0x%" PRIx64 " ", variable.address);
        trace_text_bytes(stdout, variable.bytes, 0);
    }
}

static void print_event(const struct trace_view *view, const struct trace_event *event) {
    printf("%s%8" PRIu64 "%s  #%-6" PRIu64 " %-5s ", cmd_colour(stdout, COLOUR_DIM), event->offset,
           cmd_colour(stdout, COLOUR_OFF), event->number, event_kind_name(event->kind));
    if (event->repeated)
        printf("after %" PRIu64 " load%s as before, ", event->repeated,
               event->repeated == 1 ? "" : "s");
    if (event->skipped)
        printf("after %" PRIu64 " without log (path %08x), ", event->skipped, event->path);
    switch (event->kind) {
    case EVENT_SITE:
        printf("%u %s ", event->site->id, event->site->name);
        trace_text_frames(stdout, view, event->site->address, true);
        break;
    case EVENT_CALL:
        print_call(view, event);
        break;
    case EVENT_ENTER:
        trace_text_frames(stdout, view, event->enter.address, false);
        print_words("integer", event->enter.integers);
        print_words("float  ", event->enter.floats);
        break;
    case EVENT_LEAVE:
        printf("integer 0x%016" PRIx64 ", float 0x%016" PRIx64, event->leave.integer,
               event->leave.real);
        break;
    case EVENT_CANCEL:
        if (event->cancelled_at)
            trace_text_frames(stdout, view, event->cancelled_at, true);
        break;
    case EVENT_LOAD:
        trace_text_bytes(stdout, event->load, 0);
        break;
    case EVENT_STORE:
        trace_text_store(stdout, event, 0);
        break;
    case EVENT_CRASH:
        print_crash(view, event);
        break;
    case EVENT_EXIT:
        printf("%" PRIu64, event->exit.status);
        if (event->exit.hash)
            printf(", memory %016" PRIx64, event->exit.hash);
        break;
    case EVENT_HASH:
        printf("after #%" PRIu64 ": %016" PRIx64, event->hash.after, event->hash.hash);
        break;
    case EVENT_START:
        print_start(event);
        break;
    case EVENT_LOST:
        trace_text_bytes(stdout, event->lost, 0);
        break;
    case EVENT_ORDER:
        printf("%" PRIu64 ", after %" PRIu64 " of other threads", event->order.counter,
               event->order.others);
        break;
    default:
        break;
    }
    putchar('\n');
}

static void print_event_json(const struct trace_view *view, uint32_t slot,
                             const struct trace_event *event, bool *is_first) {
    cJSON *object = trace_json_event(view, slot, event);
    char *text = cJSON_PrintUnformatted(object);
    printf("%s\n  %s", *is_first ? "" : ",", text);
    cJSON_free(text);
    cJSON_Delete(object);
    *is_first = false;
}

static struct error *print_stream(const struct trace_view *view, size_t stream, bool is_json,
                                  bool *is_first) {
    uint32_t slot = trace_stream_slot(view->trace, stream);
    struct trace_cursor *cursor = trace_cursor_new(view->trace, stream);
    const struct trace_event *event;
    struct error *err;
    if (!is_json)
        printf("\n%sthread %u%s\n", cmd_colour(stdout, COLOUR_BOLD), slot,
               cmd_colour(stdout, COLOUR_OFF));
    while (!(err = trace_next(cursor, &event)) && event)
        if (is_json)
            print_event_json(view, slot, event, is_first);
        else
            print_event(view, event);
    trace_cursor_free(cursor);
    return err;
}

static void print_streams(struct process_walk *walk, bool is_json) {
    bool is_first = true;
    walk->view.limit = 0;
    for (size_t i = 0; i < trace_stream_count(walk->view.trace); i++)
        process_walk_fail(walk, print_stream(&walk->view, i, is_json, &is_first));
}

static void print_process(struct process_walk *walk) {
    if (walk->processes.count > 1 && !walk->pid)
        printf("%s%sprocess %" PRIu64 "%s\n", walk->process == walk->processes.list ? "" : "\n",
               cmd_colour(stdout, COLOUR_BOLD), walk->process->pid, cmd_colour(stdout, COLOUR_OFF));
    print_header(&walk->view);
    print_streams(walk, false);
}

static void print_header_json(const struct trace_view *view) {
    struct trace_summary summary;
    struct error *unknown CLEANUP_ERROR = trace_summarise(view->trace, &summary);
    cJSON *header = trace_json_header(view);
    if (!unknown) {
        trace_json_number(header, "events", summary.calls);
        trace_json_number(header, "threads", summary.threads);
        trace_json_end(header, &summary);
    }
    char *text = cJSON_PrintUnformatted(header);
    printf("\"header\": %s", text);
    cJSON_free(text);
    cJSON_Delete(header);
}

/* The first is the object itself, the others are a list in it. */
static void print_process_json(struct process_walk *walk, size_t number) {
    const struct trace_process *process = walk->process;
    fputs(number == 0 ? ",\n " : number == 1 ? ",\n \"processes\": [\n {" : ",\n {", stdout);
    printf("\"pid\": %" PRIu64 ", ", process->pid);
    if (process->parent)
        printf("\"parent\": %" PRIu64 ", \"thread\": %" PRIu64 ", \"event\": %" PRIu64 ", ",
               process->parent, process->thread, process->event);
    print_header_json(&walk->view);
    fputs(",\n \"events\": [", stdout);
    print_streams(walk, true);
    fputs(number ? "\n ]}" : "\n ]", stdout);
}

int dump_trace(const struct dump_trace_options *options) {
    struct process_walk walk = {.command = options->command, .pid = options->pid};
    struct error *err = process_walk_open(&walk, options->argument);
    size_t count = 0;
    if (!err && options->is_json && !options->is_check)
        fputs("{\"format\": \"recut-trace\", \"version\": 1", stdout);
    while (!err && process_walk_next(&walk))
        if (options->is_check)
            process_walk_fail(&walk, trace_check(walk.view.trace));
        else if (options->is_json)
            print_process_json(&walk, count++);
        else
            print_process(&walk);
    if (!err && options->is_json && !options->is_check)
        fputs(count > 1 ? "]}\n" : "}\n", stdout);
    process_walk_close(&walk);
    if (err)
        return cmd_fail(options->command, err);
    int finished = cmd_finish(options->command);
    return walk.code ? walk.code : finished;
}
