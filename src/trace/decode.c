/*
 * What does an event say?  Takes its envelope off the log, and its body apart.
 *
 * A call is read by the model of its function (format/model.h).  Nothing is
 * copied and nothing allocated: lists stay bytes, of which it is checked here
 * that they can be walked, so that the _next() functions below cannot fail.
 */
#include "format/model_table.h"
#include "format/variant.h"
#include "trace/trace_impl.h"

const char *event_kind_name(enum event_kind kind) {
    static const char *const names[] = {
#define X(id, name) name,
        EVENT_KINDS(X)
#undef X
    };
    return names[kind];
}

const char *output_tag_name(uint64_t tag) {
    switch (tag) {
    case OUTPUT_BUFFER:
        return "buffer";
    case OUTPUT_CONSUMED:
        return "consumed";
    case OUTPUT_PENDING:
        return "pending";
    case OUTPUT_OBJECT:
        return "object";
    case OUTPUT_BUFFERING:
        return "buffering";
    case OUTPUT_USED:
        return "used";
    case OUTPUT_FD:
        return "fd";
    case OUTPUT_TEXT:
        return "text";
    case OUTPUT_LOCALE:
        return "locale";
    case OUTPUT_VARIABLE:
        return "variable";
    case OUTPUT_ZONE:
        return "zone";
    case OUTPUT_MEMORY:
        return "memory";
    case OUTPUT_KEPT:
        return "kept";
    case OUTPUT_THREAD:
        return "thread";
    case OUTPUT_ENVIRON:
        return "environ";
    default:
        return tag < OUTPUT_BUFFER ? NULL : "unknown";
    }
}

static unsigned allowed_flags(enum event_kind kind) {
    switch (kind) {
    case EVENT_CALL:
        return EVENT_SKIPPED | EVENT_ERRNO | EVENT_OUTSIDE;
    case EVENT_STORE:
        return EVENT_SKIPPED | EVENT_ZEROS | EVENT_FREED;
    case EVENT_ENTER:
        return EVENT_SKIPPED | EVENT_ERRNO;
    case EVENT_LEAVE:
    case EVENT_CRASH:
    case EVENT_EXIT:
    case EVENT_LOAD:
    case EVENT_HASH:
    case EVENT_LOST:
    case EVENT_DONE:
        return EVENT_SKIPPED;
    case EVENT_ORDER:
    case EVENT_SIGNAL:
    case EVENT_CANCEL:
        return EVENT_SKIPPED | EVENT_OUTSIDE;
    default:
        return 0;
    }
}

static void read_skipped(uint64_t cut, struct reader *reader, struct trace_event *event) {
    event->skipped = event->repeated = event->path = 0;
    if (!(event->flags & EVENT_SKIPPED))
        return;
    event->skipped = reader_varint(reader);
    if (!cut) {
        event->path = reader_u32(reader);
        return;
    }
    event->repeated = event->skipped >> 1;
    event->skipped = event->skipped & 1 ? reader_varint(reader) : 0;
}

const char *event_envelope(uint64_t cut, struct reader *reader, struct trace_event *event) {
    const uint8_t *begin = reader->at;
    uint8_t head = reader_u8(reader);
    event->kind = head & 0xf;
    bool is_load = event->kind == EVENT_LOAD, is_call = cut && event->kind == EVENT_CALL;
    event->is_short = is_call && call_size(head);
    event->flags = head & (is_load ? EVENT_SKIPPED : is_call ? EVENT_SKIPPED | EVENT_ERRNO : 0xf0);
    if (event->kind == EVENT_END || event->kind >= EVENT_KIND_COUNT)
        return "no such kind of event";
    if (event->flags & ~allowed_flags(event->kind))
        return "a flag that its kind of event cannot have";
    read_skipped(cut, reader, event);
    uint64_t size = is_load && !load_has_size(head) ? load_size(head)
                    : event->is_short               ? call_size(head)
                                                    : reader_varint(reader);
    event->body = reader_take(reader, size);
    event->size = (uint64_t)(reader->at - begin);
    return reader->bad ? "an event reaches past the end of its chunk" : NULL;
}

static struct trace_value read_string(struct reader *reader, enum trace_value_kind kind) {
    uint64_t size = reader_varint(reader);
    if (size == 0)
        return (struct trace_value){.kind = TRACE_NULL};
    if (size > LOG_NO_OBJECT && size - LOG_NO_OBJECT <= LOG_NUMBER_MOST)
        return (struct trace_value){.kind = TRACE_SIGNED,
                                    .number = {(int64_t)(LOG_NO_OBJECT - size)}};
    return (struct trace_value){.kind = kind, .bytes = reader_take(reader, size - 1)};
}

/* A packed string is bytes inside of a packed object. */
static struct trace_value read_packed_string(struct reader *reader) {
    struct trace_value value = read_string(reader, TRACE_STRING);
    if (value.kind != TRACE_STRING)
        return value;
    struct reader packed = reader_of(value.bytes);
    value.bytes = reader_bytes(&packed);
    if (!reader_is_done(&packed))
        reader_fail(reader);
    return value;
}

static struct trace_value read_strings(struct reader *reader) {
    uint64_t count = reader_varint(reader);
    if (count == 0)
        return (struct trace_value){.kind = TRACE_NULL};
    struct trace_value value = {.kind = TRACE_STRINGS, .count = count - 1};
    value.bytes.data = reader->at;
    for (uint64_t i = 0; i < value.count && !reader->bad; i++)
        reader_bytes(reader);
    value.bytes.size = (size_t)(reader->at - value.bytes.data);
    return value;
}

static struct trace_value read_number(struct reader *reader, enum trace_value_kind kind) {
    struct trace_value value = {.kind = kind};
    value.number[0] = reader_svarint(reader);
    value.bits[0] = (uint64_t)value.number[0];
    if (kind == TRACE_ADDRESS && !value.bits[0])
        value.kind = TRACE_NULL;
    return value;
}

static struct trace_value read_pair(struct reader *reader) {
    struct trace_value value = {.kind = TRACE_PAIR};
    value.number[0] = reader_svarint(reader);
    value.number[1] = reader_svarint(reader);
    return value;
}

static struct trace_value read_real(struct reader *reader, enum trace_value_kind kind) {
    struct trace_value value = {.kind = kind};
    value.bits[0] = reader_u64(reader);
    if (kind == TRACE_COMPLEX)
        value.bits[1] = reader_u64(reader);
    return value;
}

static struct trace_value read_hash(struct reader *reader) {
    struct trace_value value = {.kind = TRACE_HASH, .bits = {reader_u32(reader)}};
    if (!value.bits[0])
        value.kind = TRACE_NULL;
    return value;
}

static struct trace_value read_input(struct reader *reader, const struct model_param *param) {
    if (param->optional)
        return (struct trace_value){.kind = TRACE_NOTHING};
    switch (param->kind) {
    case MODEL_PARAM_INT:
    case MODEL_PARAM_LONG:
        return read_number(reader, TRACE_SIGNED);
    case MODEL_PARAM_UNSIGNED:
        return read_number(reader, TRACE_UNSIGNED);
    case MODEL_PARAM_HANDLE:
    case MODEL_PARAM_FUNCTION:
    case MODEL_PARAM_POINTER:
        return read_number(reader, TRACE_ADDRESS);
    case MODEL_PARAM_FLOAT:
        return read_real(reader, TRACE_FLOAT);
    case MODEL_PARAM_DOUBLE:
        return read_real(reader, TRACE_DOUBLE);
    case MODEL_PARAM_LONGDOUBLE:
        return (struct trace_value){.kind = TRACE_LONGDOUBLE, .bytes = reader_take(reader, 16)};
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_INOUT_STRING:
        return read_string(reader, TRACE_STRING);
    case MODEL_PARAM_STRINGS:
        return read_strings(reader);
    case MODEL_PARAM_IN:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_IN_IOVEC:
        return read_hash(reader);
    default:
        return (struct trace_value){.kind = TRACE_NOTHING};
    }
}

static struct trace_value read_result(struct reader *reader, unsigned kind) {
    switch (kind) {
    case MODEL_RESULT_INT:
    case MODEL_RESULT_LONG:
        return read_number(reader, TRACE_SIGNED);
    case MODEL_RESULT_UNSIGNED:
        return read_number(reader, TRACE_UNSIGNED);
    case MODEL_RESULT_HANDLE:
    case MODEL_RESULT_ARGUMENT:
    case MODEL_RESULT_INTO:
    case MODEL_RESULT_NEW:
        return read_number(reader, TRACE_ADDRESS);
    case MODEL_RESULT_PAIR:
        return read_pair(reader);
    case MODEL_RESULT_FLOAT:
        return read_real(reader, TRACE_FLOAT);
    case MODEL_RESULT_DOUBLE:
        return read_real(reader, TRACE_DOUBLE);
    case MODEL_RESULT_COMPLEX:
        return read_real(reader, TRACE_COMPLEX);
    case MODEL_RESULT_LONGDOUBLE:
        return (struct trace_value){.kind = TRACE_LONGDOUBLE, .bytes = reader_take(reader, 16)};
    case MODEL_RESULT_LONGCOMPLEX:
        return (struct trace_value){.kind = TRACE_LONGDOUBLE, .bytes = reader_take(reader, 32)};
    case MODEL_RESULT_STATIC_STRING:
    case MODEL_RESULT_LASTING_STRING:
    case MODEL_RESULT_OWNED_STRING:
        return read_packed_string(reader);
    case MODEL_RESULT_STATIC_TYPE:
        return read_string(reader, TRACE_OBJECT);
    default:
        return (struct trace_value){.kind = TRACE_NOTHING};
    }
}

/* Registers that crossed a cut (enum cut_register). */
static struct trace_value read_registers(struct reader *reader) {
    struct trace_value value = {.kind = TRACE_REGISTERS};
    unsigned which = reader_u8(reader);
    for (unsigned i = 0; i < 2; i++)
        if (which & (CUT_RAX << i))
            value.number[i] = reader_svarint(reader);
    for (unsigned i = 0; i < 2; i++)
        if (which & (CUT_XMM0 << i)) {
            value.bits[i] = reader_u64(reader);
            reader_take(reader, which & CUT_WIDE ? 8 : 0);
        }
    if (which & CUT_ST0)
        reader_take(reader, 16);
    return value;
}

/* The cursor knows what the result is the difference to. */
static void decode_short_call(struct trace_event *event, struct reader *reader) {
    event->call = (struct trace_call){.result.kind = TRACE_REGISTERS};
    if (reader_left(reader))
        event->call.result.number[0] = reader_svarint(reader);
    event->call.outputs.data = reader->at;
}

static void decode_call(const struct model_table *models, uint64_t cut, struct trace_event *event,
                        struct reader *reader) {
    struct trace_call *call = &event->call;
    if (event->is_short) {
        decode_short_call(event, reader);
        return;
    }
    *call = (struct trace_call){.model = cut ? NULL : event->site->model};
    if (cut) {
        call->result = read_registers(reader);
    } else if (call->model) {
        call->input_count = call->model->param_count;
        for (uint32_t i = 0; i < call->input_count; i++)
            call->inputs[i] = read_input(reader, model_table_param(models, call->model, i));
        call->result = read_result(reader, call->model->result);
    } else {
        struct trace_value real;
        call->result = read_pair(reader);
        call->result.kind = TRACE_REGISTERS;
        real = read_real(reader, TRACE_COMPLEX);
        memcpy(call->result.bits, real.bits, sizeof real.bits);
    }
    if (event->flags & EVENT_ERRNO)
        call->error = reader_svarint(reader);
    if (cut & TRACE_CUT_HASHED)
        reader_u32(reader);
    bool has_outputs = !cut || reader_left(reader);
    call->output_count = has_outputs ? reader_varint(reader) : 0;
    call->outputs.data = reader->at;
    call->outputs.size = reader_left(reader);
    for (uint64_t i = 0; i < call->output_count && !reader->bad; i++) {
        reader_varint(reader);
        reader_bytes(reader);
    }
}

static void decode_store(struct trace_event *event, struct reader *reader) {
    event->store.address = reader_varint(reader);
    event->store.bytes = (struct bytes){0};
    event->store.count = 0;
    if (event->flags & EVENT_ZEROS) {
        event->store.count = reader_varint(reader);
    } else if (!(event->flags & EVENT_FREED)) {
        event->store.bytes = reader_bytes(reader);
        event->store.count = event->store.bytes.size;
    }
}

static void decode_leave(uint64_t cut, struct trace_event *event, struct reader *reader) {
    if (cut) {
        struct trace_value result = read_registers(reader);
        event->leave.integer = (uint64_t)result.number[0];
        event->leave.real = result.bits[0];
        if (cut & TRACE_CUT_HASHED)
            reader_u32(reader);
        return;
    }
    event->leave.integer = reader_u64(reader);
    event->leave.real = reader_u64(reader);
}

static void decode_enter(uint64_t cut, struct trace_event *event, struct reader *reader) {
    event->enter.address = reader_varint(reader);
    event->enter.integer_count = reader_varint(reader);
    if (event->enter.integer_count > reader_left(reader) / 8)
        reader_fail(reader);
    event->enter.integers = reader_take(reader, event->enter.integer_count * 8);
    event->enter.float_count = reader_varint(reader);
    if (event->enter.float_count > reader_left(reader) / 8)
        reader_fail(reader);
    event->enter.floats = reader_take(reader, event->enter.float_count * 8);
    if (cut)
        reader_bytes(reader); /* the stack */
    if (event->flags & EVENT_ERRNO)
        reader_svarint(reader);
}

static void decode_crash(struct trace_event *event, struct reader *reader) {
    reader_copy(reader, &event->crash.state, sizeof event->crash.state);
    event->crash.stack = reader_bytes(reader);
    event->crash.mappings = reader_bytes(reader);
}

static void decode_start(struct trace_event *event, struct reader *reader) {
    event->start.count = reader_varint(reader);
    event->start.variables = (struct bytes){reader->at, reader_left(reader)};
    for (uint64_t i = 0; i < event->start.count && !reader->bad; i++) {
        reader_varint(reader);
        reader_bytes(reader);
    }
}

const char *event_decode(const struct model_table *models, uint64_t cut,
                         struct trace_event *event) {
    struct reader reader = reader_of(event->body);
    switch (event->kind) {
    case EVENT_CALL:
        reader_varint(&reader); /* the site, which the cursor has looked up */
        decode_call(models, cut, event, &reader);
        break;
    case EVENT_ENTER:
        decode_enter(cut, event, &reader);
        break;
    case EVENT_LEAVE:
        decode_leave(cut, event, &reader);
        break;
    case EVENT_STORE:
        decode_store(event, &reader);
        break;
    case EVENT_LOAD:
        event->load = reader_take(&reader, reader_left(&reader));
        break;
    case EVENT_CRASH:
        decode_crash(event, &reader);
        break;
    case EVENT_EXIT:
        event->exit.status = reader_varint(&reader);
        event->exit.hash = reader_u64(&reader);
        break;
    case EVENT_HASH:
        event->hash.after = reader_varint(&reader);
        event->hash.hash = reader_u64(&reader);
        break;
    case EVENT_START:
        decode_start(event, &reader);
        break;
    case EVENT_LOST:
        event->lost = reader_bytes(&reader);
        break;
    case EVENT_ORDER:
        event->order.counter = reader_varint(&reader);
        event->order.others = reader_varint(&reader);
        break;
    case EVENT_DONE:
        break;
    case EVENT_CANCEL:
        event->cancelled_at = reader_varint(&reader);
        break;
    case EVENT_SIGNAL:
        event->signal.number = reader_varint(&reader);
        event->signal.place = reader_varint(&reader);
        event->signal.info = reader_bytes(&reader);
        break;
    default:
        return NULL;
    }
    if (reader.bad)
        return "the event is too short for what it holds";
    return reader_is_done(&reader) ? NULL : "the event is too long for what it holds";
}

/* Lists that were walked once already; at the end nothing is left. */

bool trace_strings_next(struct bytes *rest, struct bytes *ret) {
    if (!rest->size)
        return false;
    struct reader reader = reader_of(*rest);
    *ret = reader_bytes(&reader);
    *rest = (struct bytes){reader.at, reader_left(&reader)};
    return !reader.bad;
}

bool trace_output_next(struct bytes *rest, struct trace_output *ret) {
    if (!rest->size)
        return false;
    struct reader reader = reader_of(*rest);
    ret->tag = reader_varint(&reader);
    ret->bytes = reader_bytes(&reader);
    *rest = (struct bytes){reader.at, reader_left(&reader)};
    return !reader.bad;
}

bool trace_variable_next(struct bytes *rest, struct trace_variable *ret) {
    if (!rest->size)
        return false;
    struct reader reader = reader_of(*rest);
    ret->address = reader_varint(&reader);
    ret->bytes = reader_bytes(&reader);
    *rest = (struct bytes){reader.at, reader_left(&reader)};
    return !reader.bad;
}
