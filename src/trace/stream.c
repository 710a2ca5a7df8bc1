/*
 * Is a file a stream of this trace, and where are its chunks?
 *
 * Walks the headers of the chunks, which touches one page for each, and leaves
 * the events to a cursor.  A file may still be written to: `used` is read before
 * anything else of a chunk, and once.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <xxhash.h>

#include "trace/trace_impl.h"

static struct error *foreign(uint32_t slot, const char *what) {
    return error_new(ERROR_INPUT, "%s%u: %s", TRACE_LOG_PREFIX, slot, what);
}

struct error *trace_damaged(const struct trace_stream *stream, uint64_t offset, const char *format,
                            ...) {
    va_list args;
    va_start(args, format);
    char *what CLEANUP_FREE = mem_vprintf(format, args);
    va_end(args);
    return error_new(ERROR_INPUT, "%s%u: is damaged at byte %" PRIu64 ": %s", TRACE_LOG_PREFIX,
                     stream->slot, offset, what);
}

/* *ret_is_empty: the program ended before the runtime had written anything. */
static struct error *check_header(const struct trace_info *info, uint32_t slot, struct bytes file,
                                  bool *ret_is_empty) {
    struct stream_header header;
    if (file.size == 0) {
        *ret_is_empty = true;
        return NULL;
    }
    if (file.size < STREAM_HEADER_SIZE && file.size != sizeof header)
        return foreign(slot, "is cut off in its header");
    memcpy(&header, file.data, sizeof header);
    *ret_is_empty = file.size == sizeof header;
    if (header.magic != STREAM_MAGIC)
        return foreign(slot, "is not a log of recut's");
    if (header.version != LOG_VERSION)
        return error_new(ERROR_INPUT, "%s%u: has format version %u, this recut reads %u",
                         TRACE_LOG_PREFIX, slot, header.version, LOG_VERSION);
    if (header.id != info->id)
        return foreign(slot, "belongs to another trace");
    if (memcmp(header.build_id, info->build_id, BUILD_ID_SIZE) != 0)
        return foreign(slot, "belongs to another build of the program");
    if (header.slot != slot)
        return foreign(slot, "belongs to another thread");
    return NULL;
}

/* *ret_end is where the next chunk would begin. */
static struct error *read_chunk(const struct trace_stream *stream, uint64_t offset,
                                struct trace_chunk *ret, uint64_t *ret_end) {
    const uint8_t *at = stream->file.data + offset;
    uint64_t left = stream->file.size - offset - sizeof(struct chunk_header);
    /* Grows while we look; what is below it does not change. */
    uint32_t used = __atomic_load_n((const uint32_t *)(at + offsetof(struct chunk_header, used)),
                                    __ATOMIC_ACQUIRE);
    struct chunk_header header;
    memcpy(&header, at, sizeof header);
    if (header.sealed)
        used = header.used;
    if (header.capacity == 0 || header.capacity > CHUNK_MAX_CAPACITY ||
        header.capacity % CHUNK_ALIGN != 0)
        return trace_damaged(stream, offset, "a chunk of %u bytes", header.capacity);
    if (used > header.capacity)
        return trace_damaged(stream, offset, "%u bytes in a chunk of %u", used, header.capacity);
    if (header.capacity > left)
        return trace_damaged(stream, offset, "the file is cut off");
    *ret = (struct trace_chunk){
        .offset = offset,
        .events = {at + sizeof header, used},
        .first_event = header.first_event,
        .hash = header.hash,
        .is_sealed = header.sealed != 0,
    };
    *ret_end = offset + sizeof header + header.capacity;
    return NULL;
}

/* Is there a chunk at this offset?  A magic of 0 ends the stream; so does a rest
 * that no header fits in, which a full disk leaves. */
static struct error *find_chunk(const struct trace_stream *stream, uint64_t offset, bool *ret) {
    uint32_t magic = 0;
    uint64_t left = stream->file.size - offset;
    if (left >= sizeof magic)
        memcpy(&magic, stream->file.data + offset, sizeof magic);
    if (magic == CHUNK_MAGIC && left < sizeof(struct chunk_header))
        return trace_damaged(stream, offset, "the file is cut off");
    if (magic != 0 && magic != CHUNK_MAGIC)
        return trace_damaged(stream, offset, "no chunk begins here");
    *ret = magic != 0;
    return NULL;
}

static struct error *read_chunks(struct trace_stream *stream) {
    uint64_t offset = STREAM_HEADER_SIZE, end;
    bool is_there;
    struct error *err = find_chunk(stream, offset, &is_there);
    uint64_t calls = 0;
    while (!err && is_there) {
        struct trace_chunk chunk;
        err = read_chunk(stream, offset, &chunk, &end);
        if (!err)
            err = find_chunk(stream, end, &is_there);
        /* A running program may have filled it in the meantime. */
        if (!err && is_there && !chunk.is_sealed)
            err = read_chunk(stream, offset, &chunk, &end);
        if (!err && is_there && !chunk.is_sealed)
            err = trace_damaged(stream, offset, "a chunk has no checksum and is not the last");
        if (!err && chunk.first_event < calls)
            err = trace_damaged(stream, offset, "a chunk out of order");
        if (err)
            return err;
        calls = chunk.first_event;
        VEC_PUSH(&stream->chunks, chunk);
        offset = end;
    }
    return err;
}

void trace_stream_init(struct trace_stream *stream, const struct trace_info *info, uint32_t slot,
                       struct bytes file) {
    bool is_empty;
    *stream = (struct trace_stream){.slot = slot, .file = file};
    stream->wrong = check_header(info, slot, file, &is_empty);
    if (!stream->wrong && !is_empty)
        stream->wrong = read_chunks(stream);
}

void trace_stream_deinit(struct trace_stream *stream) {
    VEC_DEINIT(&stream->chunks);
    error_free(stream->wrong);
}

struct error *trace_stream_error(const struct trace_stream *stream) {
    return stream->wrong ? error_new(stream->wrong->code, "%s", stream->wrong->message) : NULL;
}

struct error *trace_chunk_check(const struct trace_stream *stream,
                                const struct trace_chunk *chunk) {
    if (chunk->is_sealed && XXH3_64bits(chunk->events.data, chunk->events.size) != chunk->hash)
        return trace_damaged(stream, chunk->offset, "the checksum of a chunk is wrong");
    return NULL;
}
