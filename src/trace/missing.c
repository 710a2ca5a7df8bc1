/*
 * Which logs should a trace have, and has not?
 *
 * The call that made a thread has the number of its stream (OUTPUT_THREAD), so that a log which
 * is gone is missed by that of its maker.  Only calls of functions that make threads are taken
 * apart, all others are passed over by their length; damage ends the look at a stream, and is
 * told by whoever reads it.
 */
#include <inttypes.h>

#include "format/model_table.h"
#include "trace/trace_impl.h"

struct look {
    const struct trace *trace;
    const struct trace_stream *stream;
    VEC(struct trace_site) makers; /* calls of this stream that make threads */
    uint64_t number;               /* of the last call */
    /* Of all streams. */
    uint64_t missing, maker, event; /* the first that is, and who made it */
    size_t count;
};

static bool makes_threads(struct bytes name) {
    static const char *const names[] = {"pthread_create", "thrd_create"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.size == strlen(names[i]) && memcmp(name.data, names[i], name.size) == 0)
            return true;
    return false;
}

static void note_site(struct look *look, const struct trace_event *event) {
    struct reader reader = reader_of(event->body);
    struct trace_site site = {.id = (uint32_t)reader_varint(&reader)};
    site.address = reader_varint(&reader);
    struct bytes name = reader_bytes(&reader);
    if (!reader_is_done(&reader) || !makes_threads(name))
        return;
    char *text CLEANUP_FREE = mem_strndup((const char *)name.data, name.size);
    site.model = model_table_find(look->trace->models, text);
    VEC_PUSH(&look->makers, site);
}

static int by_slot(const void *key, const void *stream) {
    uint64_t slot = *(const uint64_t *)key, other = ((const struct trace_stream *)stream)->slot;
    return (slot > other) - (slot < other);
}

static bool has_stream(const struct trace *trace, uint64_t slot) {
    return trace->streams.count && bsearch(&slot, trace->streams.data, trace->streams.count,
                                           sizeof *trace->streams.data, by_slot);
}

/* Sites are in order of their ids. */
static int by_id(const void *key, const void *site) {
    uint64_t id = *(const uint64_t *)key, other = ((const struct trace_site *)site)->id;
    return (id > other) - (id < other);
}

static void note_thread(struct look *look, struct bytes numbers) {
    struct reader reader = reader_of(numbers);
    reader_varint(&reader); /* its slot in memory */
    uint64_t number = reader_varint(&reader);
    if (!reader_is_done(&reader) || has_stream(look->trace, number))
        return;
    if (!look->count++ || number < look->missing) {
        look->missing = number;
        look->maker = look->stream->slot;
        look->event = look->number;
    }
}

static void note_call(struct look *look, struct trace_event *event) {
    struct reader reader = reader_of(event->body);
    uint64_t id = reader_varint(&reader);
    event->site =
        bsearch(&id, look->makers.data, look->makers.count, sizeof *look->makers.data, by_id);
    if (!event->site || event_decode(look->trace->models, look->trace->info.cut, event))
        return;
    struct bytes rest = event->call.outputs;
    struct trace_output output;
    while (trace_output_next(&rest, &output))
        if (output.tag == OUTPUT_THREAD)
            note_thread(look, output.bytes);
}

static void look_at_chunk(struct look *look, const struct trace_chunk *chunk) {
    struct reader reader = reader_of(chunk->events);
    while (reader_left(&reader)) {
        struct trace_event event = {0};
        if (event_envelope(look->trace->info.cut, &reader, &event))
            return;
        look->number += event.skipped + (uint64_t)event_has_number(event.kind);
        if (event.kind == EVENT_SITE)
            note_site(look, &event);
        else if (event.kind == EVENT_CALL && look->makers.count)
            note_call(look, &event);
    }
}

struct error *trace_find_missing(const struct trace *trace) {
    struct look look = {.trace = trace};
    if (!has_stream(trace, 0))
        return error_new(ERROR_INPUT, "%s0 is missing", TRACE_LOG_PREFIX);
    for (size_t i = 0; i < trace->streams.count; i++) {
        look.stream = &trace->streams.data[i];
        look.makers.count = 0;
        look.number = 0;
        for (size_t k = 0; k < look.stream->chunks.count; k++)
            look_at_chunk(&look, &look.stream->chunks.data[k]);
    }
    VEC_DEINIT(&look.makers);
    if (!look.count)
        return NULL;
    char *more CLEANUP_FREE =
        look.count > 1 ? mem_printf(", and %zu more are missing", look.count - 1) : mem_strdup("");
    return error_new(ERROR_INPUT,
                     "%s%" PRIu64 " is missing: event %" PRIu64 " of thread %" PRIu64
                     " made that thread%s",
                     TRACE_LOG_PREFIX, look.missing, look.event, look.maker, more);
}
