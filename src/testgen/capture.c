/* How is what was captured read, and written?  See capture.h. */
#include "testgen/capture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_BLOCKSIZE_MAX, in older versions */
#include <zstd.h>

#include "base/io.h"
#include "format/capture.h"
#include "format/layout.h"
#include "testgen/deltas.h"

static struct error *damaged(const char *path) {
    return error_new(ERROR_INPUT, "%s: is damaged", path);
}

static void add_to_stack(struct capture *capture, const void *bytes, size_t size) {
    size_t count = capture->stack.count;
    capture->stack.data = mem_realloc(capture->stack.data, count + size + 1, 1);
    capture->stack.capacity = count + size + 1;
    memcpy(capture->stack.data + count, bytes, size);
    capture->stack.count += size;
}

static bool take_crash(struct capture *capture, const struct capture_record *record,
                       const char *payload) {
    const struct capture_crash *crash = (const struct capture_crash *)payload;
    if (record->size < sizeof *crash)
        return false;
    uint64_t left = record->size - sizeof *crash;
    capture->crash = crash;
    capture->thread = record->thread;
    if (crash->stack_size > left || crash->mappings_size != left - crash->stack_size)
        return false;
    capture->stack.count = 0;
    add_to_stack(capture, payload + sizeof *crash, crash->stack_size);
    return true;
}

static bool take_stack(struct capture *capture, const struct capture_memory *more) {
    if (!capture->crash || more->address != capture->crash->event.sp + capture->stack.count)
        return false;
    add_to_stack(capture, more->bytes, more->size);
    return true;
}

static bool take_copies(struct capture *capture, const struct capture_memory *more) {
    if (more->address != capture->copies.count)
        return false;
    size_t count = capture->copies.count + more->size;
    capture->copies.data = mem_realloc(capture->copies.data, count + 1, 1);
    memcpy(capture->copies.data + capture->copies.count, more->bytes, more->size);
    capture->copies.count = count;
    return true;
}

static bool take_program(struct capture *capture, const struct capture_record *record,
                         const char *payload) {
    const struct capture_program *program = (const struct capture_program *)payload;
    capture->program = program;
    return record->size >= sizeof *program && program->version == CAPTURE_VERSION &&
           record->size - sizeof *program == program->command_size &&
           memchr(program->path, '\0', sizeof program->path);
}

static bool take_frame(struct capture *capture, const struct capture_record *record,
                       const char *payload) {
    struct capture_state state = {.thread = record->thread};
    if (record->size < sizeof state.frame || record->size % 8)
        return false;
    memcpy(&state.frame, payload, sizeof state.frame);
    state.words = (const uint64_t *)(payload + sizeof state.frame);
    state.word_count = (record->size - sizeof state.frame) / 8;
    state.answers = capture->answers.count;
    VEC_PUSH(&capture->states, state);
    capture->spans.count = 0; /* those of the last state are the most */
    return true;
}

static int by_start(const void *a, const void *b) {
    const struct capture_span *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static bool take_spans(struct capture *capture, const struct capture_record *record,
                       const char *payload) {
    struct capture_span span;
    for (uint64_t at = 0; record->size - at >= sizeof span; at += sizeof span) {
        memcpy(&span, payload + at, sizeof span);
        if (!span.block || span.block > span.size || span.size > RECUT_BRK_END)
            return false;
        VEC_PUSH(&capture->spans, span);
    }
    return record->size % sizeof span == 0;
}

static bool take_layouts(struct capture *capture, const struct capture_record *record,
                         const char *payload) {
    struct shadow_layout layout;
    for (uint64_t at = 0; record->size - at >= sizeof layout; at += sizeof layout) {
        memcpy(&layout, payload + at, sizeof layout);
        uint64_t other = layout.copied + (layout.has_entry ? sizeof(uint64_t) : 0);
        if (layout.size > SHADOW_RECORD_MOST || layout.size % 8 || layout.copied % 8 ||
            other > layout.size)
            return false;
        VEC_PUSH(&capture->layouts, layout);
    }
    return record->size % sizeof layout == 0;
}

static int by_function(const void *a, const void *b) {
    const struct shadow_layout *x = a, *y = b;
    return x->function != y->function ? (x->function > y->function) - (x->function < y->function)
                                      : (x->code > y->code) - (x->code < y->code);
}

static bool take_hidden(struct capture *capture, const struct capture_record *record,
                        const char *payload) {
    struct capture_redacted place;
    if (record->size <= sizeof place || payload[record->size - 1])
        return false;
    memcpy(&place, payload, sizeof place);
    VEC_PUSH(&capture->hidden,
             (struct capture_hidden){place.address, place.size, payload + sizeof place});
    return place.size <= UINT64_MAX - place.address;
}

static bool take_extent(struct capture *capture, const struct capture_record *record,
                        const char *payload) {
    struct capture_extent extent;
    if (record->size != sizeof extent)
        return false;
    memcpy(&extent, payload, sizeof extent);
    if (capture->states.count)
        VEC_PUSH(&capture->states.data[capture->states.count - 1].extents, extent);
    else
        VEC_PUSH(&capture->extents, extent);
    return true;
}

static bool take_answer(struct capture *capture, const struct capture_record *record,
                        const char *payload) {
    struct capture_enter enter;
    switch (record->kind) {
    case CAPTURE_ANSWER:
        return record->size > sizeof(struct capture_answer);
    case CAPTURE_IMPORT:
        return record->size > sizeof(uint64_t);
    case CAPTURE_SEEN:
        return record->size > sizeof(struct capture_seen);
    case CAPTURE_LEAVE:
        return true;
    default:
        if (record->size <= sizeof enter)
            return false;
    }
    memcpy(&enter, payload, sizeof enter);
    size_t i = 0;
    while (i < capture->called.count && capture->called.data[i] != enter.function)
        i++;
    if (i == capture->called.count)
        VEC_PUSH(&capture->called, enter.function);
    return enter.integer_count <= CAPTURE_INTEGERS;
}

static bool take(struct capture *capture, const struct capture_record *record,
                 const char *payload) {
    struct capture_memory memory = {.size = record->size - 8,
                                    .bytes = (const uint8_t *)payload + 8};
    switch (record->kind) {
    case CAPTURE_CRASH:
        return take_crash(capture, record, payload);
    case CAPTURE_FRAME:
        return take_frame(capture, record, payload);
    case CAPTURE_SHADOW:
        return take_layouts(capture, record, payload);
    case CAPTURE_STACK:
    case CAPTURE_COPIES:
    case CAPTURE_MEMORY:
        if (record->size < 8)
            return false;
        memcpy(&memory.address, payload, 8);
        if (record->kind == CAPTURE_STACK)
            return take_stack(capture, &memory);
        if (record->kind == CAPTURE_COPIES)
            return take_copies(capture, &memory);
        if (!capture->states.count)
            VEC_PUSH(&capture->memory, memory);
        else
            VEC_PUSH(&capture->states.data[capture->states.count - 1].memory, memory);
        return memory.size <= UINT64_MAX - memory.address;
    case CAPTURE_EXTENT:
        return take_extent(capture, record, payload);
    case CAPTURE_PROCESS:
        memory.bytes = (const uint8_t *)payload;
        memory.size = record->size;
        *(capture->states.count ? &capture->states.data[capture->states.count - 1].process
                                : &capture->process) = memory;
        return record->size >= sizeof(struct capture_process);
    case CAPTURE_ANSWER:
    case CAPTURE_SEEN:
    case CAPTURE_ENTER:
    case CAPTURE_LEAVE:
    case CAPTURE_IMPORT:
        memory.bytes = (const uint8_t *)payload - sizeof *record;
        memory.size = sizeof *record + ((record->size + 7) & ~7ULL);
        VEC_PUSH(&capture->answers, memory);
        return take_answer(capture, record, payload);
    case CAPTURE_PROGRAM:
        return take_program(capture, record, payload);
    case CAPTURE_CHOICES:
        capture->choices = payload;
        return record->size && !payload[record->size - 1];
    case CAPTURE_SPANS:
        return take_spans(capture, record, payload);
    case CAPTURE_REDACTED:
        return take_hidden(capture, record, payload);
    case CAPTURE_FAILURE:
        capture->failure = payload;
        return record->size && !payload[record->size - 1];
    default:
        capture->is_whole |= record->kind == CAPTURE_WHOLE;
        return record->kind == CAPTURE_WHOLE;
    }
}

static int by_address(const void *a, const void *b) {
    const struct capture_memory *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* --- files -------------------------------------------------------------------------------- */

/* A crash file that claims to be larger than this is taken for damage. */
enum { most_unpacked = 1 << 30 };

static bool is_packed(const char *data, size_t size) {
    uint32_t magic = 0;
    if (size >= sizeof magic)
        memcpy(&magic, data, sizeof magic);
    return magic == ZSTD_MAGICNUMBER;
}

static struct error *read_unpacked(const char *path, struct capture *ret) {
    char *data CLEANUP_FREE = NULL, *unpacked CLEANUP_FREE = NULL;
    size_t packed_size;
    struct error *err = io_read_file(path, &data, &packed_size);
    if (err)
        return err;
    if (!is_packed(data, packed_size)) {
        ret->data = data;
        ret->size = packed_size;
        data = NULL; /* now the capture's */
        return NULL;
    }
    unsigned long long size = ZSTD_getFrameContentSize(data, packed_size);
    if (size > most_unpacked)
        return damaged(path);
    unpacked = mem_alloc(size + 1);
    size_t got = ZSTD_decompress(unpacked, size, data, packed_size);
    if (ZSTD_isError(got) || got != size)
        return damaged(path);
    deltas_undo(unpacked, size);
    ret->data = unpacked;
    ret->size = size;
    unpacked = NULL; /* ditto */
    return NULL;
}

void capture_write_of(FILE *out, const struct capture_record *like, const void *payload) {
    static const char padding[8];
    struct capture_record record = {
        .magic = CAPTURE_MAGIC,
        .kind = like->kind,
        .thread = like->thread,
        .size = like->size,
        .hash = XXH3_64bits(payload, like->size),
    };
    fwrite(&record, sizeof record, 1, out);
    fwrite(payload, record.size, 1, out);
    fwrite(padding, -record.size % 8, 1, out);
}

void capture_write(FILE *out, enum capture_kind kind, const void *head, size_t head_size,
                   const void *bytes, size_t size) {
    char *payload CLEANUP_FREE = mem_alloc(head_size + size + 1);
    memcpy(payload, head, head_size);
    memcpy(payload + head_size, bytes, size);
    capture_write_of(out, &(struct capture_record){.kind = kind, .size = head_size + size},
                     payload);
}

/* The data, which is freed, and a record behind it. */
static char *add_choices(const char *choices, char *data, size_t *size) {
    char *ret = NULL;
    size_t before = *size;
    FILE *out = open_memstream(&ret, size);
    fwrite(data, before, 1, out);
    capture_write(out, CAPTURE_CHOICES, "", 0, choices, strlen(choices) + 1);
    fclose(out);
    free(data);
    return ret;
}

/* Of a deep stack, which has the same pattern again and again, level 3 sees less than half. */
struct error *capture_pack(const char *path, const char *choices) {
    enum { level = 9 };
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &data, &size);
    if (err || is_packed(data, size))
        return err;
    if (choices)
        data = add_choices(choices, data, &size);
    deltas_take(data, size);
    size_t most = ZSTD_compressBound(size);
    char *packed CLEANUP_FREE = mem_alloc(most);
    size_t got = ZSTD_compress(packed, most, data, size, level);
    if (ZSTD_isError(got))
        return error_new(ERROR_FAILED, "cannot compress %s: %s", path, ZSTD_getErrorName(got));
    return io_write_file(path, packed, got);
}

/* A packed trace is compressed, too: what it holds decides.  zstd gives nothing out before a whole
 * block of it is there. */
bool capture_is_file(const char *path) {
    enum { most = ZSTD_BLOCKSIZE_MAX + 1024 };
    struct stat file;
    char *bytes CLEANUP_FREE = mem_alloc(most);
    char first[sizeof(struct capture_record)] = {0};
    uint32_t magic = 0;
    FILE *in = stat(path, &file) == 0 && S_ISREG(file.st_mode) ? fopen(path, "r") : NULL;
    size_t size = in ? fread(bytes, 1, most, in) : 0;
    if (in)
        fclose(in);
    if (is_packed(bytes, size)) {
        ZSTD_DStream *stream = ZSTD_createDStream();
        ZSTD_inBuffer from = {bytes, size, 0};
        ZSTD_outBuffer to = {first, sizeof first, 0};
        ZSTD_decompressStream(stream, &to, &from);
        ZSTD_freeDStream(stream);
        memcpy(&magic, first, sizeof magic);
    } else {
        memcpy(&magic, bytes, size < sizeof magic ? size : sizeof magic);
    }
    return magic == CAPTURE_MAGIC;
}

static bool is_of_other_version(const struct capture_record *record, const char *payload) {
    uint32_t version = CAPTURE_VERSION;
    if (record->kind == CAPTURE_PROGRAM && record->size >= sizeof version)
        memcpy(&version, payload, sizeof version);
    return version != CAPTURE_VERSION;
}

/* Records follow each other at multiples of eight bytes, so that frames can be used in place. */
static struct error *parse(const char *path, struct capture *ret) {
    struct error *err = NULL;
    capture_merge_seen(ret->data, &ret->size);
    size_t size = ret->size;
    for (size_t at = 0; !err && at < size;) {
        struct capture_record record;
        if (size - at < sizeof record)
            err = damaged(path);
        else
            memcpy(&record, ret->data + at, sizeof record);
        if (err)
            break;
        at += sizeof record;
        if (record.magic != CAPTURE_MAGIC || record.size > size - at ||
            record.hash != XXH3_64bits(ret->data + at, record.size))
            err = damaged(path);
        else if (is_of_other_version(&record, ret->data + at))
            err = error_new(ERROR_INPUT,
                            "%s: was left by a program that another version of recut linked", path);
        else if (!take(ret, &record, ret->data + at))
            err = damaged(path);
        at += (record.size + 7) & ~7ULL;
    }
    if (!err && ret->memory.count)
        qsort(ret->memory.data, ret->memory.count, sizeof *ret->memory.data, by_address);
    if (!err && ret->spans.count)
        qsort(ret->spans.data, ret->spans.count, sizeof *ret->spans.data, by_start);
    if (!err && ret->layouts.count)
        qsort(ret->layouts.data, ret->layouts.count, sizeof *ret->layouts.data, by_function);
    for (size_t i = 0; !err && i < ret->states.count; i++)
        qsort(ret->states.data[i].memory.data, ret->states.data[i].memory.count,
              sizeof(struct capture_memory), by_address);
    return err;
}

struct error *capture_read(const char *path, struct capture *ret) {
    *ret = (struct capture){0};
    struct error *err = read_unpacked(path, ret);
    return err ? err : parse(path, ret);
}

struct error *capture_map(const char *path, struct capture *ret) {
    *ret = (struct capture){0};
    struct error *err = io_map_file(path, &ret->data, &ret->size);
    ret->mapped = ret->size;
    return err ? err : parse(path, ret);
}

void capture_state_deinit(struct capture_state *state) {
    VEC_DEINIT(&state->memory);
    VEC_DEINIT(&state->extents);
}

void capture_deinit(struct capture *capture) {
    for (size_t i = 0; i < capture->states.count; i++)
        capture_state_deinit(&capture->states.data[i]);
    VEC_DEINIT(&capture->states);
    VEC_DEINIT(&capture->answers);
    VEC_DEINIT(&capture->called);
    VEC_DEINIT(&capture->spans);
    for (size_t i = 0; i < capture->hidden_names.count; i++)
        free(capture->hidden_names.data[i]);
    VEC_DEINIT(&capture->hidden_names);
    VEC_DEINIT(&capture->hidden);
    VEC_DEINIT(&capture->stack);
    VEC_DEINIT(&capture->copies);
    VEC_DEINIT(&capture->memory);
    VEC_DEINIT(&capture->extents);
    VEC_DEINIT(&capture->layouts);
    if (capture->mapped)
        io_unmap(capture->data, capture->mapped);
    else
        free(capture->data);
}
