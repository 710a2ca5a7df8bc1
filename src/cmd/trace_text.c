/*
 * How is an event told to a person?  Like strace tells a system call; see
 * trace_view.h.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/trace_view.h"
#include "format/model_table.h"

void trace_text_clean(FILE *out, const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p < ' ' || *p == 0x7f)
            fprintf(out, "\\%03o", *p);
        else
            fputc(*p, out);
}

void trace_text_bytes(FILE *out, struct bytes bytes, size_t limit) {
    static const char letters[] = "abtnvfr";
    size_t shown = limit && bytes.size > limit ? limit : bytes.size;
    fputc('"', out);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = bytes.data[i];
        bool digit_follows = i + 1 < shown && bytes.data[i + 1] >= '0' && bytes.data[i + 1] <= '9';
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c >= '\a' && c <= '\r')
            fprintf(out, "\\%c", letters[c - '\a']);
        else if (c < ' ' || c >= 0x7f)
            fprintf(out, digit_follows ? "\\%03o" : "\\%o", c);
        else
            fputc(c, out);
    }
    fputs(shown < bytes.size ? "\"…" : "\"", out);
}

void trace_text_store(FILE *out, const struct trace_event *event, size_t limit) {
    if (event->flags & EVENT_FREED) {
        fprintf(out, "free 0x%" PRIx64, event->store.address);
        return;
    }
    fprintf(out, "store 0x%" PRIx64 " ", event->store.address);
    if (event->flags & EVENT_ZEROS)
        fprintf(out, "%" PRIu64 " zeros", event->store.count);
    else
        trace_text_bytes(out, event->store.bytes, limit);
}

const char *trace_error_name(int64_t number) {
    static char text[24];
    const char *name = number > 0 && number < 4096 ? strerrorname_np((int)number) : NULL;
    if (name)
        return name;
    snprintf(text, sizeof text, "%" PRId64, number);
    return text;
}

const char *trace_signal_name(int number) {
    static char text[24];
    const char *name = number > 0 && number < NSIG ? sigabbrev_np(number) : NULL;
    if (name)
        snprintf(text, sizeof text, "SIG%s", name);
    else if (number >= SIGRTMIN && number <= SIGRTMAX)
        snprintf(text, sizeof text, "SIGRTMIN+%d", number - SIGRTMIN);
    else
        snprintf(text, sizeof text, "signal %d", number);
    return text;
}

/* --- places ------------------------------------------------------------------------ */

void trace_text_place(FILE *out, const struct trace_view *view, uint64_t return_address) {
    const struct source_frame *frame = NULL;
    if (view->source)
        source_call(view->source, return_address, &frame);
    char *text = NULL;
    size_t size;
    /* Aligned, so it is put together first. */
    FILE *place = open_memstream(&text, &size);
    if (frame && frame->file && frame->line) {
        trace_text_clean(place, source_base_name(frame->file));
        fprintf(place, ":%d", frame->line);
    } else if (frame && frame->function) {
        trace_text_clean(place, frame->function);
    } else {
        fprintf(place, "0x%" PRIx64, return_address);
    }
    fclose(place);
    fprintf(out, "%-14s", text);
    free(text);
}

void trace_text_frames(FILE *out, const struct trace_view *view, uint64_t address, bool is_return) {
    const struct source_frame *frames = NULL;
    size_t count = 0;
    if (view->source)
        count = is_return ? source_call(view->source, address, &frames)
                          : source_find(view->source, address, &frames);
    fprintf(out, "0x%" PRIx64, address);
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].function && !frames[i].file)
            continue;
        fputs(i ? " < " : "  ", out);
        if (frames[i].function)
            trace_text_clean(out, frames[i].function);
        if (!frames[i].file)
            continue;
        fputs(frames[i].function ? " " : "", out);
        trace_text_clean(out, source_base_name(frames[i].file));
        if (frames[i].line)
            fprintf(out, ":%d", frames[i].line);
    }
}

/* --- values ------------------------------------------------------------------------ */

static void print_address(FILE *out, const struct trace_view *view, uint64_t address) {
    const char *name = view->source ? source_function(view->source, address) : NULL;
    if (name)
        trace_text_clean(out, name);
    else
        fprintf(out, "0x%" PRIx64, address);
}

static void print_real(FILE *out, uint64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    fprintf(out, "%.17g", real);
}

static void print_strings(FILE *out, const struct trace_value *value, size_t limit) {
    struct bytes rest = value->bytes, string;
    fputc('[', out);
    for (uint64_t i = 0; trace_strings_next(&rest, &string); i++) {
        if (limit && i == limit) {
            fputs(", …", out);
            break;
        }
        fputs(i ? ", " : "", out);
        trace_text_bytes(out, string, limit);
    }
    fputc(']', out);
}

static void print_packed(FILE *out, const struct trace_view *view, struct reader *reader,
                         uint32_t type, unsigned depth);

/* What a pointer in an object points to, behind the object itself. */
static void print_field(FILE *out, const struct trace_view *view, struct reader *reader,
                        const struct model_field *field, unsigned depth) {
    uint64_t count = reader_varint(reader);
    fputs(", ", out);
    if (count == 0 || reader->bad) {
        fputs("NULL", out);
    } else if (field->kind == MODEL_FIELD_TYPE) {
        print_packed(out, view, reader, field->type, depth + 1);
    } else if (field->kind == MODEL_FIELD_STRING || field->kind == MODEL_FIELD_BYTES) {
        trace_text_bytes(out, reader_take(reader, count - 1), view->limit);
    } else {
        fputc('[', out);
        for (uint64_t i = 0; i + 1 < count && !reader->bad; i++) {
            fputs(i ? ", " : "", out);
            trace_text_bytes(out, reader_bytes(reader), view->limit);
        }
        fputc(']', out);
    }
}

/* {48 bytes, "root", "x", NULL}: its size, and what it points to. */
static void print_packed(FILE *out, const struct trace_view *view, struct reader *reader,
                         uint32_t type, unsigned depth) {
    enum { DEEPEST = 64 };
    const struct model_table *models = trace_models(view->trace);
    const struct model_type *layout = model_table_type(models, type);
    fprintf(out, "{%zu bytes", reader_bytes(reader).size);
    for (uint32_t i = 0; i < layout->field_count && !reader->bad && depth < DEEPEST; i++)
        print_field(out, view, reader, model_table_field(models, layout, i), depth);
    fputs(depth < DEEPEST ? "}" : ", …}", out);
    if (depth == DEEPEST)
        reader_fail(reader);
}

static void print_object(FILE *out, const struct trace_view *view, uint32_t type,
                         struct bytes packed) {
    struct reader reader = reader_of(packed);
    print_packed(out, view, &reader, type, 0);
}

void trace_text_value(FILE *out, const struct trace_view *view, const struct trace_value *value) {
    switch (value->kind) {
    case TRACE_NOTHING:
        fputs("…", out);
        break;
    case TRACE_NULL:
        fputs("NULL", out);
        break;
    case TRACE_SIGNED:
        fprintf(out, "%" PRId64, value->number[0]);
        break;
    case TRACE_UNSIGNED:
        fprintf(out, "%" PRIu64, value->bits[0]);
        break;
    case TRACE_ADDRESS:
        print_address(out, view, value->bits[0]);
        break;
    case TRACE_PAIR:
        fprintf(out, "{%" PRId64 ", %" PRId64 "}", value->number[0], value->number[1]);
        break;
    case TRACE_FLOAT: {
        float real;
        memcpy(&real, value->bits, sizeof real);
        fprintf(out, "%.9g", (double)real);
        break;
    }
    case TRACE_DOUBLE:
        print_real(out, value->bits[0]);
        break;
    case TRACE_COMPLEX:
        fputc('{', out);
        print_real(out, value->bits[0]);
        fputs(", ", out);
        print_real(out, value->bits[1]);
        fputc('}', out);
        break;
    case TRACE_LONGDOUBLE:
        for (size_t i = 0; i + 16 <= value->bytes.size; i += 16) {
            long double real;
            memcpy(&real, value->bytes.data + i, sizeof real);
            fprintf(out, i ? ", %.21Lg" : "%.21Lg", real);
        }
        break;
    case TRACE_STRING:
        trace_text_bytes(out, value->bytes, view->limit);
        break;
    case TRACE_STRINGS:
        print_strings(out, value, view->limit);
        break;
    case TRACE_HASH:
        fprintf(out, "<%08" PRIx64 ">", value->bits[0]);
        break;
    case TRACE_OBJECT:
        fprintf(out, "{%zu bytes}", value->bytes.size);
        break;
    case TRACE_REGISTERS:
        fprintf(out, "%" PRId64, value->number[0]);
        break;
    }
}

/* --- calls ------------------------------------------------------------------------- */

static void print_open_flags(FILE *out, int64_t flags) {
    static const struct {
        int64_t flag;
        const char *name;
    } names[] = {
        {O_CREAT, "O_CREAT"},     {O_EXCL, "O_EXCL"},           {O_NOCTTY, "O_NOCTTY"},
        {O_TRUNC, "O_TRUNC"},     {O_APPEND, "O_APPEND"},       {O_NONBLOCK, "O_NONBLOCK"},
        {O_TMPFILE, "O_TMPFILE"}, {O_DIRECTORY, "O_DIRECTORY"}, {O_NOFOLLOW, "O_NOFOLLOW"},
        {O_CLOEXEC, "O_CLOEXEC"}, {O_SYNC, "O_SYNC"},           {O_DSYNC, "O_DSYNC"},
        {O_NOATIME, "O_NOATIME"}, {O_PATH, "O_PATH"},           {O_DIRECT, "O_DIRECT"},
    };
    static const char *const modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "3"};
    fputs(modes[flags & O_ACCMODE], out);
    flags &= ~(int64_t)O_ACCMODE;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((flags & names[i].flag) == names[i].flag) {
            fprintf(out, "|%s", names[i].name);
            flags &= ~names[i].flag;
        }
    if (flags)
        fprintf(out, "|0x%" PRIx64, (uint64_t)flags);
}

static bool is_open_flags(const struct trace_view *view, const struct trace_event *event,
                          uint32_t parameter) {
    static const char *const functions[] = {"open", "open64", "openat", "openat64"};
    if (strcmp(trace_parameter_name(view->trace, event->call.model, parameter), "flags") != 0)
        return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(event->site->name, functions[i]) == 0)
            return true;
    return false;
}

/* What was written through a parameter; false if the log has nothing of it. */
static bool find_output(const struct trace_call *call, uint32_t parameter, struct bytes *ret) {
    struct bytes rest = call->outputs;
    struct trace_output output;
    while (trace_output_next(&rest, &output))
        if (output.tag == parameter) {
            *ret = output.bytes;
            return true;
        }
    return false;
}

static void print_input(FILE *out, const struct trace_view *view, const struct trace_event *event,
                        uint32_t parameter) {
    const struct trace_value *value = &event->call.inputs[parameter];
    const struct model_param *param = trace_parameter(view->trace, event->call.model, parameter);
    struct bytes output;
    if (!find_output(&event->call, parameter, &output)) {
        if (value->kind == TRACE_SIGNED && is_open_flags(view, event, parameter))
            print_open_flags(out, value->number[0]);
        else
            trace_text_value(out, view, value);
    } else if (param->kind == MODEL_PARAM_OUT_TYPE) {
        print_object(out, view, param->type, output);
    } else if (param->kind == MODEL_PARAM_OUT_POINTER) {
        fprintf(out, "{%zu bytes}", output.size);
    } else {
        trace_text_bytes(out, output, view->limit);
    }
}

static bool is_failure(const struct trace_value *result) {
    return result->kind == TRACE_NULL ||
           ((result->kind == TRACE_SIGNED || result->kind == TRACE_REGISTERS) &&
            result->number[0] < 0);
}

void trace_text_call(FILE *out, const struct trace_view *view, const struct trace_event *event) {
    const struct trace_call *call = &event->call;
    fprintf(out, "%s(", event->site->name);
    bool is_first = true;
    for (uint32_t i = 0; i < call->input_count; i++) {
        /* Arguments behind `...` are not in the log. */
        if (trace_parameter(view->trace, call->model, i)->optional)
            continue;
        fputs(is_first ? "" : ", ", out);
        print_input(out, view, event, i);
        is_first = false;
    }
    if (!call->model || call->model->flags & MODEL_VARIADIC)
        fputs(is_first ? "…" : ", …", out);
    fputc(')', out);
    if (call->result.kind != TRACE_NOTHING) {
        fputs(" = ", out);
        if (call->result.kind == TRACE_OBJECT)
            print_object(out, view, call->model->result_type, call->result.bytes);
        else
            trace_text_value(out, view, &call->result);
    }
    if (!(event->flags & EVENT_ERRNO))
        return;
    if (is_failure(&call->result) && call->error > 0 && call->error < 4096)
        fprintf(out, " %s (%s)", trace_error_name(call->error), strerror((int)call->error));
    else
        fprintf(out, " (errno %s)", trace_error_name(call->error));
}

void trace_text_end(FILE *out, const struct trace_summary *summary) {
    switch (summary->end) {
    case TRACE_EXITED:
        fprintf(out, "exit %" PRIu64, summary->status);
        break;
    case TRACE_CRASHED:
        fputs(trace_signal_name(summary->signal), out);
        break;
    case TRACE_LOST:
        fputs("recording stopped: ", out);
        trace_text_bytes(out, summary->reason, 64);
        break;
    case TRACE_KILLED:
        fputs("killed", out);
        break;
    case TRACE_RECORDING:
        fputs("still recording", out);
        break;
    }
}
