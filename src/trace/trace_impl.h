/*
 * Inside of struct trace; for src/trace alone.
 */
#ifndef RECUT_TRACE_IMPL_H
#define RECUT_TRACE_IMPL_H

#include "base/arena.h"
#include "base/mem.h"
#include "trace/trace.h"

/* A chunk as its header said when the trace was opened. */
struct trace_chunk {
    uint64_t offset; /* of its header in the file */
    struct bytes events;
    uint64_t first_event, hash;
    bool is_sealed;
};

struct trace_stream {
    uint32_t slot;
    struct bytes file;
    VEC(struct trace_chunk) chunks; /* up to where its layout is damaged */
    struct error *wrong;            /* there; NULL if it is whole */
};

struct trace {
    struct arena arena;
    char *path, *program;
    struct trace_info info;
    const struct model_table *models;
    VEC(struct trace_stream) streams; /* by slot */
    VEC(struct bytes) maps;           /* to unmap */
};

/* header.c: checks a header; its strings stay where they are. */
struct error *trace_header_parse(struct bytes file, struct arena *arena, struct trace_info *ret);

/* stream.c: checks the layout of a stream. */
void trace_stream_init(struct trace_stream *stream, const struct trace_info *info, uint32_t slot,
                       struct bytes file);
void trace_stream_deinit(struct trace_stream *stream);
/* What is wrong with its layout, for a caller of the trace; NULL if nothing is. */
struct error *trace_stream_error(const struct trace_stream *stream);
/* The hash of a chunk is what its header says, or it has none. */
struct error *trace_chunk_check(const struct trace_stream *stream, const struct trace_chunk *chunk);
/* "log.3, byte 4160: is damaged: WHAT" */
struct error *trace_damaged(const struct trace_stream *stream, uint64_t offset, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

/*
 * decode.c: one event at a time.
 *
 * event_envelope() takes an event off a reader and sets kind, flags, skipped
 * and repeated (as they are in the log), path, size and body; event_decode()
 * reads the body, but of a SITE, which the cursor knows.  Both return what is
 * wrong, NULL if nothing is.  `cut`: enum trace_cut of the trace.
 */
const char *event_envelope(uint64_t cut, struct reader *reader, struct trace_event *event);
const char *event_decode(const struct model_table *models, uint64_t cut, struct trace_event *event);

#endif
