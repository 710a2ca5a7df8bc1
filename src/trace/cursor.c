/*
 * Which events does a stream hold, one after the other?
 *
 * The cursor keeps what events refer to: the sites so far, the number of the
 * last call, how deep the program has been called into.  It checks the hash of
 * a chunk when it enters it, so that reading the beginning of a long trace does
 * not cost reading its end.
 */
#include <stdlib.h>

#include "format/model_table.h"
#include "trace/trace_impl.h"

/* Longer than any name that a linker takes from C. */
enum { MAX_NAME = 4096, SITES_PER_BLOCK = 1024 };

struct trace_cursor {
    const struct trace *trace;
    const struct trace_stream *stream;
    struct arena arena;
    size_t chunk; /* the next one */
    struct reader reader;
    uint64_t chunk_offset; /* of the first event of the present one, in the file */
    const uint8_t *chunk_begin;
    VEC(struct trace_site *) blocks; /* of sites, which stay where they are */
    uint32_t site_count;
    uint64_t number; /* calls so far, as many as events have told */
    uint32_t depth;
    bool has_ended; /* by LOST, or an error */
    struct trace_event event;
};

struct trace_cursor *trace_cursor_new(const struct trace *trace, size_t stream) {
    BUG_IF(stream >= trace->streams.count);
    struct trace_cursor *cursor = mem_zalloc(1, sizeof *cursor);
    cursor->trace = trace;
    cursor->stream = &trace->streams.data[stream];
    cursor->reader = reader_of((struct bytes){NULL, 0});
    return cursor;
}

void trace_cursor_free(struct trace_cursor *cursor) {
    if (!cursor)
        return;
    for (size_t i = 0; i < cursor->blocks.count; i++)
        free(cursor->blocks.data[i]);
    VEC_DEINIT(&cursor->blocks);
    arena_deinit(&cursor->arena);
    free(cursor);
}

static bool is_printable(struct bytes name) {
    for (size_t i = 0; i < name.size; i++)
        if (name.data[i] <= ' ' || name.data[i] == 0x7f)
            return false;
    return name.size > 0 && name.size <= MAX_NAME;
}

static struct trace_site *find_site(const struct trace_cursor *cursor, uint64_t id) {
    if (id >= cursor->site_count)
        return NULL;
    return &cursor->blocks.data[id / SITES_PER_BLOCK][id % SITES_PER_BLOCK];
}

static const char *add_site(struct trace_cursor *cursor) {
    struct reader reader = reader_of(cursor->event.body);
    uint64_t id = reader_varint(&reader), address = reader_varint(&reader);
    struct bytes name = reader_bytes(&reader);
    if (!reader_is_done(&reader))
        return "the event has not the size of what it holds";
    if (id != cursor->site_count || id >= LOG_MAX_SITES)
        return "a site out of order";
    if (!is_printable(name))
        return "a site without a name";
    if (id % SITES_PER_BLOCK == 0)
        VEC_PUSH(&cursor->blocks, mem_alloc(SITES_PER_BLOCK * sizeof(struct trace_site)));
    struct trace_site *site = &cursor->blocks.data[id / SITES_PER_BLOCK][id % SITES_PER_BLOCK];
    site->id = (uint32_t)id;
    site->address = address;
    site->name = arena_strndup(&cursor->arena, (const char *)name.data, name.size);
    site->model = model_table_find(cursor->trace->models, site->name);
    site->last = 0;
    cursor->site_count++;
    cursor->event.site = site;
    return NULL;
}

/* Calls that were left out are told once, by the next event that can tell. */
static const char *count_calls(struct trace_cursor *cursor) {
    struct trace_event *event = &cursor->event;
    if (event->skipped >= UINT64_MAX - cursor->number)
        return "a number of calls that cannot be";
    cursor->number += event->skipped;
    cursor->number += event_has_number(event->kind);
    event->number = cursor->number;
    return NULL;
}

/* Of a cut, results are told by how they differ from the one before. */
static void add_difference(struct trace_site *site, struct trace_event *event) {
    site->last = (int64_t)((uint64_t)site->last + (uint64_t)event->call.result.number[0]);
    event->call.result.number[0] = site->last;
}

static const char *read_event(struct trace_cursor *cursor) {
    struct trace_event *event = &cursor->event;
    struct trace_site *site = NULL;
    event->site = NULL;
    const char *wrong = event_envelope(cursor->trace->info.cut, &cursor->reader, event);
    if (!wrong)
        wrong = count_calls(cursor);
    if (!wrong && event->kind == EVENT_SITE)
        wrong = add_site(cursor);
    if (!wrong && event->kind == EVENT_CALL) {
        struct reader body = reader_of(event->body);
        event->site = site = find_site(cursor, reader_varint(&body));
        wrong = site ? NULL : "a call from a site that is not known";
    }
    if (!wrong && event->kind == EVENT_LEAVE && cursor->depth == 0)
        wrong = "the end of a call into the program that never began";
    if (wrong)
        return wrong;
    cursor->depth -= event->kind == EVENT_LEAVE;
    event->depth = cursor->depth;
    cursor->depth += event->kind == EVENT_ENTER;
    cursor->has_ended = event->kind == EVENT_LOST;
    wrong = event_decode(cursor->trace->models, cursor->trace->info.cut, event);
    if (!wrong && site && cursor->trace->info.cut)
        add_difference(site, event);
    return wrong;
}

static struct error *enter_chunk(struct trace_cursor *cursor) {
    const struct trace_chunk *chunk = &cursor->stream->chunks.data[cursor->chunk++];
    struct error *err = trace_chunk_check(cursor->stream, chunk);
    /* The call that opens a chunk may be counted already when it does. */
    if (!err && chunk->first_event - cursor->number > 1)
        err = trace_damaged(cursor->stream, chunk->offset, "a chunk out of order");
    if (err)
        return err;
    cursor->reader = reader_of(chunk->events);
    cursor->chunk_begin = cursor->reader.at;
    cursor->chunk_offset = chunk->offset + sizeof(struct chunk_header);
    return NULL;
}

struct error *trace_next(struct trace_cursor *cursor, const struct trace_event **ret) {
    while (!cursor->has_ended && reader_left(&cursor->reader) == 0) {
        if (cursor->chunk == cursor->stream->chunks.count) {
            cursor->has_ended = true;
            *ret = NULL;
            return trace_stream_error(cursor->stream);
        }
        struct error *err = enter_chunk(cursor);
        if (err) {
            cursor->has_ended = true;
            return err;
        }
    }
    if (cursor->has_ended) {
        *ret = NULL;
        return NULL;
    }
    uint64_t offset = cursor->chunk_offset + (uint64_t)(cursor->reader.at - cursor->chunk_begin);
    cursor->event.offset = offset;
    const char *wrong = read_event(cursor);
    if (!wrong && cursor->event.kind == EVENT_LOST &&
        (reader_left(&cursor->reader) || cursor->chunk != cursor->stream->chunks.count ||
         cursor->stream->wrong))
        wrong = "events after the recording was given up";
    if (wrong) {
        cursor->has_ended = true;
        return trace_damaged(cursor->stream, offset, "%s", wrong);
    }
    *ret = &cursor->event;
    return NULL;
}

struct error *trace_check(const struct trace *trace) {
    struct error *err = NULL;
    for (size_t i = 0; !err && i < trace->streams.count; i++) {
        const struct trace_event *event = NULL;
        struct trace_cursor *cursor = trace_cursor_new(trace, i);
        do
            err = trace_next(cursor, &event);
        while (!err && event);
        trace_cursor_free(cursor);
    }
    return err;
}
