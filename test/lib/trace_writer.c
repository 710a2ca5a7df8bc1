/* Traces made by hand; see trace_writer.h. */
#include "trace_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "format/model_table.h"
#include "trace/header.h"

void body_raw(struct made_body *body, const void *data, size_t size) {
    if (size > body->capacity - body->size) {
        body->capacity = 2 * body->capacity + size + 64;
        body->data = mem_realloc(body->data, body->capacity, 1);
    }
    if (size)
        memcpy(body->data + body->size, data, size);
    body->size += size;
}

void body_varint(struct made_body *body, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        body_raw(body, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
    body_raw(body, &(uint8_t){(uint8_t)value}, 1);
}

void body_svarint(struct made_body *body, int64_t value) {
    body_varint(body, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void body_u32(struct made_body *body, uint32_t value) { body_raw(body, &value, sizeof value); }

void body_u64(struct made_body *body, uint64_t value) { body_raw(body, &value, sizeof value); }

void body_bytes(struct made_body *body, const void *data, size_t size) {
    body_varint(body, size);
    body_raw(body, data, size);
}

void body_string(struct made_body *body, const char *string) {
    body_varint(body, string ? strlen(string) + 1 : 0);
    if (string)
        body_raw(body, string, strlen(string));
}

void body_packed(struct made_body *body, const char *string) {
    struct made_body packed = {0};
    body_bytes(&packed, string, strlen(string));
    body_varint(body, 1 + packed.size);
    body_raw(body, packed.data, packed.size);
    body_deinit(&packed);
}

void body_deinit(struct made_body *body) {
    free(body->data);
    *body = (struct made_body){0};
}

static void body_zeros(struct made_body *body, size_t size) {
    void *zeros = mem_zalloc(size ? size : 1, 1);
    body_raw(body, zeros, size);
    free(zeros);
}

/* --- streams --------------------------------------------------------------------- */

static struct chunk_header *chunk_of(struct made_log *log) {
    return (struct chunk_header *)(log->file.data + log->chunk);
}

static void open_chunk(struct made_log *log, size_t need) {
    uint32_t capacity = log->capacity;
    if (need > capacity)
        capacity = (uint32_t)(need + CHUNK_ALIGN - 1) / CHUNK_ALIGN * CHUNK_ALIGN;
    log->chunk = log->file.size;
    body_zeros(&log->file, sizeof(struct chunk_header) + capacity);
    *chunk_of(log) = (struct chunk_header){
        .magic = CHUNK_MAGIC, .capacity = capacity, .first_event = log->calls};
}

void made_log_seal(struct made_log *log) {
    struct chunk_header *chunk = chunk_of(log);
    chunk->hash = XXH3_64bits(chunk + 1, chunk->used);
    chunk->sealed = 1;
    log->chunk = 0;
}

void made_log_event_after(struct made_log *log, unsigned head, uint64_t skipped, uint32_t path,
                          struct made_body *body) {
    struct made_body event = {0};
    body_raw(&event, &(uint8_t){(uint8_t)head}, 1);
    if (head & EVENT_SKIPPED) {
        body_varint(&event, skipped);
        body_u32(&event, path);
    }
    body_bytes(&event, body->data, body->size);
    if (log->chunk && event.size > chunk_of(log)->capacity - chunk_of(log)->used)
        made_log_seal(log);
    if (!log->chunk)
        open_chunk(log, event.size);
    struct chunk_header *chunk = chunk_of(log);
    memcpy((uint8_t *)(chunk + 1) + chunk->used, event.data, event.size);
    chunk->used += (uint32_t)event.size;
    log->calls += skipped;
    log->calls += (head & 0xf) == EVENT_CALL || (head & 0xf) == EVENT_ENTER;
    body->size = 0;
    body_deinit(&event);
}

void made_log_event(struct made_log *log, unsigned head, struct made_body *body) {
    made_log_event_after(log, head, 0, 0, body);
}

uint32_t made_log_site(struct made_log *log, uint64_t address, const char *name) {
    struct made_body body = {0};
    body_varint(&body, log->sites);
    body_varint(&body, address);
    body_bytes(&body, name, strlen(name));
    made_log_event(log, EVENT_SITE, &body);
    body_deinit(&body);
    return log->sites++;
}

/* --- traces ---------------------------------------------------------------------- */

void made_trace_init(struct made_trace *made, const char *program,
                     const uint8_t build_id[BUILD_ID_SIZE]) {
    static const char *const arguments[] = {"prog", "-v", "a file"};
    static const char *const environment[] = {"HOME=/nowhere", "LANG=C"};
    *made = (struct made_trace){0};
    made->info = (struct trace_info){
        .program = program,
        .directory = "/tmp",
        .libc = "glibc 2.36",
        .processor = "A processor",
        .arguments = arguments,
        .argument_count = 3,
        .environment = environment,
        .environment_count = 2,
        .id = 0x1122334455667788,
        .start_time = 1700000000,
    };
    if (build_id)
        memcpy(made->info.build_id, build_id, BUILD_ID_SIZE);
    made_models(&made->models);
}

struct made_log *made_trace_log(struct made_trace *made, uint32_t slot) {
    BUG_IF(made->log_count == MADE_LOGS);
    struct made_log *log = &made->logs[made->log_count++];
    log->slot = slot;
    log->capacity = 1024;
    struct stream_header header = {
        .magic = STREAM_MAGIC, .version = LOG_VERSION, .slot = slot, .id = made->info.id};
    memcpy(header.build_id, made->info.build_id, BUILD_ID_SIZE);
    body_raw(&log->file, &header, sizeof header);
    body_zeros(&log->file, STREAM_HEADER_SIZE - sizeof header);
    return log;
}

static void add_part(struct made_trace *made, const char *name, const struct made_body *body) {
    made->parts[made->part_count++] = (struct trace_part){name, {body->data, body->size}};
}

void made_trace_finish(struct made_trace *made) {
    char *data;
    size_t size;
    struct error *err = trace_make_header(&made->info, &data, &size);
    if (err)
        BUG("%s", err->message);
    body_raw(&made->header, data, size);
    free(data);
    add_part(made, TRACE_HEADER_NAME, &made->header);
    add_part(made, TRACE_MODELS_NAME, &made->models);
    for (size_t i = 0; i < made->log_count; i++) {
        snprintf(made->names[i], sizeof made->names[i], "log.%u", made->logs[i].slot);
        add_part(made, made->names[i], &made->logs[i].file);
    }
}

void made_trace_deinit(struct made_trace *made) {
    body_deinit(&made->header);
    body_deinit(&made->models);
    for (size_t i = 0; i < made->log_count; i++)
        body_deinit(&made->logs[i].file);
}

struct error *made_trace_write(const struct made_trace *made, const char *directory) {
    struct error *err = NULL;
    for (size_t i = 0; !err && i < made->part_count; i++) {
        char *path CLEANUP_FREE = mem_printf("%s/%s", directory, made->parts[i].name);
        err = io_write_file(path, made->parts[i].bytes.data, made->parts[i].bytes.size);
    }
    return err;
}

/* --- models ---------------------------------------------------------------------- */

/* Just enough of a compiler; src/models has the real one. */
struct maker {
    VEC(struct model_function) functions;
    VEC(struct model_param) params;
    struct made_body text;
};

static uint32_t add_text(struct maker *maker, const char *text) {
    uint32_t offset = (uint32_t)maker->text.size;
    body_raw(&maker->text, text, strlen(text) + 1);
    return offset;
}

static void add_param(struct maker *maker, const char *name, unsigned kind, bool is_optional) {
    VEC_PUSH(&maker->params, (struct model_param){.name = add_text(maker, name),
                                                  .kind = (uint8_t)kind,
                                                  .optional = is_optional});
}

/* Begins a function; its parameters follow.  In order of names. */
static void add_function(struct maker *maker, const char *name, unsigned result, unsigned count) {
    VEC_PUSH(&maker->functions,
             (struct model_function){.name = add_text(maker, name),
                                     .class = MODEL_LOGGED,
                                     .result = (uint8_t)result,
                                     .flags = MODEL_ERRNO,
                                     .param_count = (uint8_t)count,
                                     .first_param = (uint32_t)maker->params.count,
                                     .result_type = result == MODEL_RESULT_STATIC_TYPE});
}

static void add_functions(struct maker *maker) {
    add_function(maker, "atexit", MODEL_RESULT_INT, 1);
    add_param(maker, "function", MODEL_PARAM_FUNCTION, false);
    add_function(maker, "div", MODEL_RESULT_PAIR, 2);
    add_param(maker, "numer", MODEL_PARAM_INT, false);
    add_param(maker, "denom", MODEL_PARAM_INT, false);
    add_function(maker, "execv", MODEL_RESULT_INT, 2);
    add_param(maker, "path", MODEL_PARAM_STRING, false);
    add_param(maker, "argv", MODEL_PARAM_STRINGS, false);
    add_function(maker, "fopen", MODEL_RESULT_HANDLE, 2);
    add_param(maker, "path", MODEL_PARAM_STRING, false);
    add_param(maker, "mode", MODEL_PARAM_STRING, false);
    add_function(maker, "getenv", MODEL_RESULT_STATIC_STRING, 1);
    add_param(maker, "name", MODEL_PARAM_STRING, false);
    add_function(maker, "localtime", MODEL_RESULT_STATIC_TYPE, 1);
    add_param(maker, "time", MODEL_PARAM_IN, false);
    add_function(maker, "open", MODEL_RESULT_INT, 3);
    add_param(maker, "path", MODEL_PARAM_STRING, false);
    add_param(maker, "flags", MODEL_PARAM_INT, false);
    add_param(maker, "mode", MODEL_PARAM_UNSIGNED, true);
    add_function(maker, "powf", MODEL_RESULT_FLOAT, 2);
    add_param(maker, "x", MODEL_PARAM_FLOAT, false);
    add_param(maker, "y", MODEL_PARAM_FLOAT, false);
    add_function(maker, "read", MODEL_RESULT_LONG, 3);
    add_param(maker, "fd", MODEL_PARAM_INT, false);
    add_param(maker, "buf", MODEL_PARAM_OUT, false);
    add_param(maker, "count", MODEL_PARAM_LONG, false);
    add_function(maker, "sqrt", MODEL_RESULT_DOUBLE, 1);
    add_param(maker, "x", MODEL_PARAM_DOUBLE, false);
    add_function(maker, "sqrtl", MODEL_RESULT_LONGDOUBLE, 1);
    add_param(maker, "x", MODEL_PARAM_LONGDOUBLE, false);
    add_function(maker, "srand", MODEL_RESULT_VOID, 1);
    add_param(maker, "seed", MODEL_PARAM_UNSIGNED, false);
    add_function(maker, "write", MODEL_RESULT_LONG, 3);
    add_param(maker, "fd", MODEL_PARAM_INT, false);
    add_param(maker, "buf", MODEL_PARAM_IN, false);
    add_param(maker, "count", MODEL_PARAM_LONG, false);
}

void made_models(struct made_body *ret) {
    struct maker maker = {0};
    add_text(&maker, "");
    add_functions(&maker);
    while (maker.text.size % 8 != 0)
        body_zeros(&maker.text, 1);
    struct model_length none = {.element = 1};
    struct model_type types[2] = {{0}, {.name = 0, .size = 56}};
    struct model_table table = {.magic = MODEL_MAGIC, .version = MODEL_VERSION};
    table.function_count = (uint32_t)maker.functions.count;
    table.param_count = (uint32_t)maker.params.count;
    table.length_count = 1;
    table.type_count = 2;
    table.text_size = (uint32_t)maker.text.size;
    body_raw(ret, &table, sizeof table);
    table.functions = (uint32_t)ret->size;
    body_raw(ret, maker.functions.data, maker.functions.count * sizeof *maker.functions.data);
    table.params = (uint32_t)ret->size;
    body_raw(ret, maker.params.data, maker.params.count * sizeof *maker.params.data);
    table.lengths = (uint32_t)ret->size;
    body_raw(ret, &none, sizeof none);
    table.types = (uint32_t)ret->size;
    body_raw(ret, types, sizeof types);
    table.fields = table.calls = table.text = (uint32_t)ret->size;
    body_raw(ret, maker.text.data, maker.text.size);
    table.size = (uint32_t)ret->size;
    memcpy(ret->data, &table, sizeof table);
    table.hash = model_table_hash((const struct model_table *)ret->data);
    memcpy(ret->data, &table, sizeof table);
    VEC_DEINIT(&maker.functions);
    VEC_DEINIT(&maker.params);
    body_deinit(&maker.text);
}

/* --- repair ---------------------------------------------------------------------- */

void made_repair(uint8_t *header, size_t header_size, uint8_t *models, size_t models_size,
                 uint8_t *log, size_t log_size) {
    struct trace_header *trace = (struct trace_header *)header;
    if (header_size >= sizeof *trace) {
        trace->hash = 0;
        trace->hash = XXH3_64bits(header, header_size);
    }
    struct model_table *table = (struct model_table *)models;
    if (models_size >= sizeof *table && table->size == models_size)
        table->hash = model_table_hash(table);
    for (size_t at = STREAM_HEADER_SIZE; at + sizeof(struct chunk_header) <= log_size;) {
        struct chunk_header *chunk = (struct chunk_header *)(log + at);
        if (chunk->capacity % CHUNK_ALIGN != 0 || chunk->capacity > log_size - at - sizeof *chunk)
            break;
        if (chunk->used <= chunk->capacity)
            chunk->hash = XXH3_64bits(chunk + 1, chunk->used);
        at += sizeof *chunk + chunk->capacity;
    }
}
