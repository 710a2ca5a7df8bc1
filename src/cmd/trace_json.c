/*
 * How is an event told to a program?  One object each; docs/formats.md describes
 * them, trace_view.h is the interface.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/mem.h"
#include "cmd/trace_view.h"

void trace_json_number(cJSON *object, const char *name, uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    cJSON_AddRawToObject(object, name, text);
}

static cJSON *signed_json(int64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    return cJSON_CreateRaw(text);
}

static cJSON *unsigned_json(uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return cJSON_CreateRaw(text);
}

/* Length of the UTF-8 character at `at`; 0 if there is none. */
static size_t character_length(const uint8_t *at, size_t left) {
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (length == 0 || length > left || at[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong, surrogates, beyond the last one. */
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

/* A string where it is one, else {"hex": "00ff"}. */
static cJSON *bytes_json(struct bytes bytes) {
    bool is_text = true;
    for (size_t i = 0, length; is_text && i < bytes.size; i += length) {
        length = character_length(bytes.data + i, bytes.size - i);
        is_text = length != 0 && bytes.data[i] != 0;
    }
    if (is_text) {
        char *text CLEANUP_FREE =
            mem_strndup(bytes.size ? (const char *)bytes.data : "", bytes.size);
        return cJSON_CreateString(text);
    }
    char *hex CLEANUP_FREE = mem_alloc(HEX_SIZE(bytes.size));
    hex_format(bytes.data, bytes.size, hex);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "hex", hex);
    return object;
}

void trace_json_string(cJSON *object, const char *name, const char *text) {
    struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    cJSON_AddItemToObject(object, name, bytes_json(bytes));
}

static cJSON *strings_json(struct bytes rest) {
    cJSON *array = cJSON_CreateArray();
    struct bytes string;
    while (trace_strings_next(&rest, &string))
        cJSON_AddItemToArray(array, bytes_json(string));
    return array;
}

static void add_hex(cJSON *object, const char *name, uint64_t number, int digits) {
    char text[32];
    snprintf(text, sizeof text, "%0*" PRIx64, digits, number);
    cJSON_AddStringToObject(object, name, text);
}

/* JSON has no infinities; what it cannot say is told in hexadecimal. */
static cJSON *real_json(double real) {
    char text[40];
    snprintf(text, sizeof text, real - real == 0 ? "%.17g" : "%a", real);
    return real - real == 0 ? cJSON_CreateRaw(text) : cJSON_CreateString(text);
}

static double real_of(uint64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static cJSON *pair_json(cJSON *first, cJSON *second) {
    cJSON *array = cJSON_CreateArray();
    cJSON_AddItemToArray(array, first);
    cJSON_AddItemToArray(array, second);
    return array;
}

static cJSON *registers_json(const struct trace_value *value) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "rax", signed_json(value->number[0]));
    cJSON_AddItemToObject(object, "rdx", signed_json(value->number[1]));
    add_hex(object, "xmm0", value->bits[0], 16);
    add_hex(object, "xmm1", value->bits[1], 16);
    return object;
}

/* NULL for what is not in the log. */
static cJSON *value_json(const struct trace_value *value) {
    float narrow;
    cJSON *object;
    switch (value->kind) {
    case TRACE_NOTHING:
        return NULL;
    case TRACE_NULL:
        return cJSON_CreateNull();
    case TRACE_SIGNED:
        return signed_json(value->number[0]);
    case TRACE_UNSIGNED:
    case TRACE_ADDRESS:
        return unsigned_json(value->bits[0]);
    case TRACE_PAIR:
        return pair_json(signed_json(value->number[0]), signed_json(value->number[1]));
    case TRACE_FLOAT:
        memcpy(&narrow, value->bits, sizeof narrow);
        return real_json((double)narrow);
    case TRACE_DOUBLE:
        return real_json(real_of(value->bits[0]));
    case TRACE_COMPLEX:
        return pair_json(real_json(real_of(value->bits[0])), real_json(real_of(value->bits[1])));
    case TRACE_STRING:
        return bytes_json(value->bytes);
    case TRACE_STRINGS:
        return strings_json(value->bytes);
    case TRACE_HASH:
        object = cJSON_CreateObject();
        add_hex(object, "hash", value->bits[0], 8);
        return object;
    case TRACE_LONGDOUBLE:
    case TRACE_OBJECT: {
        char *hex CLEANUP_FREE = mem_alloc(HEX_SIZE(value->bytes.size));
        hex_format(value->bytes.data, value->bytes.size, hex);
        object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "hex", hex);
        return object;
    }
    case TRACE_REGISTERS:
        return registers_json(value);
    }
    return NULL;
}

static cJSON *frames_json(const struct trace_view *view, uint64_t address, bool is_return) {
    cJSON *array = cJSON_CreateArray();
    const struct source_frame *frames = NULL;
    size_t count = 0;
    if (view->source)
        count = is_return ? source_call(view->source, address, &frames)
                          : source_find(view->source, address, &frames);
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].function && !frames[i].file)
            continue;
        cJSON *frame = cJSON_CreateObject();
        if (frames[i].function)
            trace_json_string(frame, "function", frames[i].function);
        if (frames[i].file)
            trace_json_string(frame, "file", frames[i].file);
        if (frames[i].line)
            trace_json_number(frame, "line", (uint64_t)frames[i].line);
        if (frames[i].column)
            trace_json_number(frame, "column", (uint64_t)frames[i].column);
        cJSON_AddItemToArray(array, frame);
    }
    return array;
}

static void add_inputs(const struct trace_view *view, cJSON *object,
                       const struct trace_call *call) {
    cJSON *inputs = cJSON_AddArrayToObject(object, "inputs");
    for (uint32_t i = 0; i < call->input_count; i++) {
        cJSON *value = value_json(&call->inputs[i]);
        if (!value)
            continue;
        cJSON *input = cJSON_CreateObject();
        trace_json_string(input, "name", trace_parameter_name(view->trace, call->model, i));
        cJSON_AddItemToObject(input, "value", value);
        cJSON_AddItemToArray(inputs, input);
    }
}

static void add_outputs(const struct trace_view *view, cJSON *object,
                        const struct trace_call *call) {
    cJSON *outputs = cJSON_AddArrayToObject(object, "outputs");
    struct bytes rest = call->outputs;
    struct trace_output output;
    while (trace_output_next(&rest, &output)) {
        cJSON *entry = cJSON_CreateObject();
        trace_json_number(entry, "tag", output.tag);
        if (output.tag < call->input_count)
            trace_json_string(entry, "name",
                              trace_parameter_name(view->trace, call->model, (uint32_t)output.tag));
        else if (output_tag_name(output.tag))
            cJSON_AddStringToObject(entry, "name", output_tag_name(output.tag));
        cJSON_AddItemToObject(entry, "bytes", bytes_json(output.bytes));
        cJSON_AddItemToArray(outputs, entry);
    }
}

static void add_call(const struct trace_view *view, cJSON *object,
                     const struct trace_event *event) {
    trace_json_string(object, "function", event->site->name);
    trace_json_number(object, "return_address", event->site->address);
    cJSON_AddItemToObject(object, "source", frames_json(view, event->site->address, true));
    cJSON_AddBoolToObject(object, "model", event->call.model != NULL);
    add_inputs(view, object, &event->call);
    cJSON *result = value_json(&event->call.result);
    if (result)
        cJSON_AddItemToObject(object, "result", result);
    if (event->flags & EVENT_ERRNO)
        cJSON_AddStringToObject(object, "errno", trace_error_name(event->call.error));
    add_outputs(view, object, &event->call);
}

static cJSON *words_json(struct bytes words) {
    cJSON *array = cJSON_CreateArray();
    struct reader reader = reader_of(words);
    while (reader_left(&reader) >= 8)
        cJSON_AddItemToArray(array, unsigned_json(reader_u64(&reader)));
    return array;
}

static void add_crash(const struct trace_view *view, cJSON *object,
                      const struct trace_event *event) {
    static const char *const names[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    const struct crash_event *crash = &event->crash.state;
    cJSON_AddStringToObject(object, "signal", trace_signal_name(crash->signal));
    cJSON_AddItemToObject(object, "code", signed_json(crash->code));
    trace_json_number(object, "address", crash->address);
    trace_json_number(object, "pc", crash->pc);
    trace_json_number(object, "sp", crash->sp);
    cJSON *registers = cJSON_AddObjectToObject(object, "registers");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        trace_json_number(registers, names[i], crash->registers[i]);
    cJSON_AddBoolToObject(object, "in_environment", crash->in_environment != 0);
    cJSON_AddBoolToObject(object, "stack_overflow", crash->stack_overflow != 0);
    cJSON_AddItemToObject(object, "source", frames_json(view, crash->pc, false));
    trace_json_number(object, "stack_bytes", event->crash.stack.size);
    cJSON_AddItemToObject(object, "mappings", bytes_json(event->crash.mappings));
    cJSON *stack = cJSON_AddArrayToObject(object, "stack");
    uint64_t addresses[UNWIND_MOST];
    size_t count = trace_view_unwind(view, event, addresses);
    for (size_t i = 1; i < count; i++) {
        cJSON *frame = cJSON_CreateObject();
        trace_json_number(frame, "return_address", addresses[i]);
        cJSON_AddItemToObject(frame, "source", frames_json(view, addresses[i], true));
        cJSON_AddItemToArray(stack, frame);
    }
}

static void add_start(cJSON *object, struct bytes rest) {
    cJSON *variables = cJSON_AddArrayToObject(object, "variables");
    struct trace_variable variable;
    while (trace_variable_next(&rest, &variable)) {
        cJSON *entry = cJSON_CreateObject();
        trace_json_number(entry, "address", variable.address);
        cJSON_AddItemToObject(entry, "bytes", bytes_json(variable.bytes));
        cJSON_AddItemToArray(variables, entry);
    }
}

cJSON *trace_json_event(const struct trace_view *view, uint32_t thread,
                        const struct trace_event *event) {
    cJSON *object = cJSON_CreateObject();
    trace_json_number(object, "thread", thread);
    trace_json_number(object, "number", event->number);
    cJSON_AddStringToObject(object, "kind", event_kind_name(event->kind));
    trace_json_number(object, "offset", event->offset);
    trace_json_number(object, "size", event->size);
    if (event->depth)
        trace_json_number(object, "depth", event->depth);
    if (event->repeated)
        trace_json_number(object, "repeated", event->repeated);
    if (event->skipped) {
        trace_json_number(object, "skipped", event->skipped);
        add_hex(object, "path", event->path, 8);
    }
    switch (event->kind) {
    case EVENT_SITE:
        trace_json_number(object, "id", event->site->id);
        trace_json_string(object, "function", event->site->name);
        trace_json_number(object, "return_address", event->site->address);
        cJSON_AddItemToObject(object, "source", frames_json(view, event->site->address, true));
        break;
    case EVENT_CALL:
        add_call(view, object, event);
        break;
    case EVENT_ENTER:
        trace_json_number(object, "address", event->enter.address);
        cJSON_AddItemToObject(object, "source", frames_json(view, event->enter.address, false));
        cJSON_AddItemToObject(object, "integers", words_json(event->enter.integers));
        cJSON_AddItemToObject(object, "floats", words_json(event->enter.floats));
        break;
    case EVENT_LEAVE:
        trace_json_number(object, "integer", event->leave.integer);
        trace_json_number(object, "float", event->leave.real);
        break;
    case EVENT_LOAD:
        cJSON_AddItemToObject(object, "bytes", bytes_json(event->load));
        break;
    case EVENT_STORE:
        trace_json_number(object, "address", event->store.address);
        trace_json_number(object, "count", event->store.count);
        if (event->flags & EVENT_FREED)
            cJSON_AddBoolToObject(object, "freed", true);
        if (event->store.bytes.size)
            cJSON_AddItemToObject(object, "bytes", bytes_json(event->store.bytes));
        break;
    case EVENT_CRASH:
        add_crash(view, object, event);
        break;
    case EVENT_EXIT:
        trace_json_number(object, "status", event->exit.status);
        if (event->exit.hash)
            add_hex(object, "hash", event->exit.hash, 16);
        break;
    case EVENT_HASH:
        trace_json_number(object, "after", event->hash.after);
        add_hex(object, "hash", event->hash.hash, 16);
        break;
    case EVENT_START:
        add_start(object, event->start.variables);
        break;
    case EVENT_LOST:
        cJSON_AddItemToObject(object, "reason", bytes_json(event->lost));
        break;
    case EVENT_CANCEL:
        trace_json_number(object, "place", event->cancelled_at);
        break;
    case EVENT_SIGNAL:
        trace_json_number(object, "signal", event->signal.number);
        trace_json_number(object, "place", event->signal.place);
        cJSON_AddItemToObject(object, "info", bytes_json(event->signal.info));
        break;
    case EVENT_ORDER:
        trace_json_number(object, "counter", event->order.counter);
        trace_json_number(object, "others", event->order.others);
        break;
    default:
        break;
    }
    return object;
}

cJSON *trace_json_header(const struct trace_view *view) {
    const struct trace_info *info = trace_info(view->trace);
    cJSON *object = cJSON_CreateObject();
    char id[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(info->build_id, BUILD_ID_SIZE, id);
    trace_json_string(object, "program", info->program);
    trace_json_string(object, "directory", info->directory);
    trace_json_string(object, "libc", info->libc);
    trace_json_string(object, "processor", info->processor);
    cJSON_AddStringToObject(object, "build_id", id);
    add_hex(object, "id", info->id, 16);
    trace_json_number(object, "start_time", info->start_time);
    cJSON *arguments = cJSON_AddArrayToObject(object, "arguments");
    for (uint32_t i = 0; i < info->argument_count; i++)
        cJSON_AddItemToArray(arguments,
                             bytes_json((struct bytes){(const uint8_t *)info->arguments[i],
                                                       strlen(info->arguments[i])}));
    cJSON *environment = cJSON_AddArrayToObject(object, "environment");
    for (uint32_t i = 0; i < info->environment_count; i++)
        cJSON_AddItemToArray(environment,
                             bytes_json((struct bytes){(const uint8_t *)info->environment[i],
                                                       strlen(info->environment[i])}));
    return object;
}

void trace_json_end(cJSON *object, const struct trace_summary *summary) {
    static const char *const names[] = {
        [TRACE_EXITED] = "exit",   [TRACE_CRASHED] = "crash",       [TRACE_LOST] = "lost",
        [TRACE_KILLED] = "killed", [TRACE_RECORDING] = "recording",
    };
    cJSON_AddStringToObject(object, "end", names[summary->end]);
    if (summary->end == TRACE_EXITED)
        trace_json_number(object, "status", summary->status);
    if (summary->end == TRACE_CRASHED)
        cJSON_AddStringToObject(object, "signal", trace_signal_name(summary->signal));
    if (summary->end == TRACE_LOST)
        cJSON_AddItemToObject(object, "reason", bytes_json(summary->reason));
}
