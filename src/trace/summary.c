/*
 * How long was a run, and how did it end?
 *
 * Only the last chunk of each stream is looked at: its header says how many
 * calls came before it.  So this costs the same for a run of a second and one of
 * a day; the rest of the log is not checked.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "trace/directory.h"
#include "trace/trace_impl.h"

/* An end that says more replaces one that says less. */
static void note_end(struct trace_summary *summary, const struct trace_event *event) {
    switch (event->kind) {
    case EVENT_CRASH:
        summary->end = TRACE_CRASHED;
        summary->signal = event->crash.state.signal;
        summary->crash = event->crash.state;
        summary->stack = event->crash.stack;
        summary->mappings = event->crash.mappings;
        break;
    case EVENT_EXIT:
        if (summary->end != TRACE_CRASHED) {
            summary->end = TRACE_EXITED;
            summary->status = event->exit.status;
        }
        break;
    case EVENT_LOST:
        if (summary->end == TRACE_KILLED) {
            summary->end = TRACE_LOST;
            summary->reason = event->lost;
        }
        break;
    default:
        break;
    }
}

static struct error *summarise_stream(const struct trace_stream *stream, uint64_t cut,
                                      struct trace_summary *summary) {
    if (stream->wrong || !stream->chunks.count)
        return trace_stream_error(stream);
    /* An empty chunk may have been begun and not used. */
    size_t last = stream->chunks.count - 1;
    while (last > 0 && stream->chunks.data[last].events.size == 0)
        last--;
    const struct trace_chunk *chunk = &stream->chunks.data[last];
    struct error *err = trace_chunk_check(stream, chunk);
    if (err)
        return err;
    struct reader reader = reader_of(chunk->events);
    uint64_t calls = chunk->first_event;
    while (reader_left(&reader)) {
        struct trace_event event = {0};
        uint64_t offset = chunk->offset + sizeof(struct chunk_header) +
                          (uint64_t)(reader.at - chunk->events.data);
        const char *wrong = event_envelope(cut, &reader, &event);
        if (!wrong && event.kind != EVENT_SITE && event.kind != EVENT_CALL)
            wrong = event_decode(NULL, cut, &event);
        if (wrong)
            return trace_damaged(stream, offset, "%s", wrong);
        calls += event.skipped + event_has_number(event.kind);
        note_end(summary, &event);
    }
    summary->calls += calls;
    return NULL;
}

/* Whoever records holds a lock on the header; see directory.h. */
static bool is_recording(const struct trace *trace) {
    if (!trace->path)
        return false;
    char *path CLEANUP_FREE = trace_file(trace->path, TRACE_HEADER_NAME);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return is_held;
}

struct error *trace_summarise(const struct trace *trace, struct trace_summary *ret) {
    struct trace_summary summary = {.end = TRACE_KILLED, .threads = trace->streams.count};
    for (size_t i = 0; i < trace->streams.count; i++) {
        struct error *err = summarise_stream(&trace->streams.data[i], trace->info.cut, &summary);
        if (err)
            return err;
    }
    if (summary.end == TRACE_KILLED && is_recording(trace))
        summary.end = TRACE_RECORDING;
    *ret = summary;
    return NULL;
}
