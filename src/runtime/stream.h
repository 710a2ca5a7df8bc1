/*
 * Streams of stdio, as recorder and replay see them.
 *
 * Most calls on a stream move bytes between the program and the stream's
 * buffer, and what they do follows from what the buffer holds.  So the log
 * holds each byte of input once, when it comes into the buffer, and nothing
 * for the calls that take it out of there; and of output only the moments at
 * which the buffer was written out (iTarget §3.2: cut where the data is
 * smallest).
 *
 *   input    `ready` is what the stream has in its buffer and the log has too.
 *            A call that `ready` is enough for leaves nothing in the log.  Any
 *            other uses `ready` up, and its event holds what more it returned
 *            and what is in the buffer after it.
 *   output   `pending` is what was put into the stream and not written yet.  A
 *            call that adds to it as the buffering says leaves nothing in the log.
 *            Any other's event says how much is pending after it, so that a
 *            replay shows the rest.
 *
 * In a recording the bytes of `ready` are a copy, too: whether a call changed
 * the buffer is found by comparing, since a stream may be used behind our back by
 * a library it was passed to.
 */
#ifndef RECUT_RUNTIME_STREAM_H
#define RECUT_RUNTIME_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/env_callback.h"
#include "runtime/log_read.h"
#include "runtime/log_write.h"

enum stream_buffering { STREAM_UNKNOWN, STREAM_FULL, STREAM_LINE, STREAM_NONE };

struct stream {
    FILE *file;    /* in a replay: as it was in the recorded run */
    bool is_known; /* `ready` is what the buffer holds */
    char *bytes;   /* memory of `ready`, or of what is pending in a replay */
    size_t capacity;
    size_t begin, end;    /* ready: bytes[begin, end) */
    const char *position; /* record: in the stream's buffer, where `begin` is */
    uint64_t epoch;       /* record: when that was so */
    enum stream_buffering buffering;
    size_t pending;
    int fd;                 /* -1: unknown */
    bool at_end, has_error; /* as the program was told last */
};

/* Record, with threads: the stream is the thread's until the call is in the log, so that
 * what is logged of the stream is what the call left. False: another thread has it, the
 * call has to wait outside of the section, and what is known of the stream does not count. */
bool __recut_stream_hold(FILE *file);
void __recut_stream_wait(FILE *file);
/* The value of a call that may wait: for the stream, or for the world. It has to be logged. */
#define STREAM_OUTSIDE(file, call)                                                                 \
    ({                                                                                             \
        bool is_held_ = __recut_stream_hold(file);                                                 \
        ENV_OUTSIDE((is_held_ ? (void)0 : __recut_stream_wait(file), (call)));                     \
    })

/* The stream's state; made on first use. */
struct stream *__recut_stream(FILE *file);
/* It is closed, or leads somewhere else from now on. */
void __recut_stream_forget(FILE *file);
/* Streams may have been used behind our back. */
void __recut_stream_doubt(void);

/* Record: may calls be answered from `ready`?  It is what the buffer holds. */
bool __recut_stream_is_ready(struct stream *stream);
/* Record: the program took `count` of `ready`, by a call that was made. */
void __recut_stream_took(struct stream *stream, size_t count);

/* Record: the outputs of an input call's event: what is ready after it. */
size_t __recut_stream_bound(FILE *file);
unsigned char *__recut_stream_put(unsigned char *p, struct stream *stream);
/* Replay: takes such an output; false if the tag is none of ours. */
bool __recut_stream_take(struct stream *stream, uint64_t tag, const unsigned char *bytes,
                         size_t size);

/* Both: `count` bytes are put into the stream. What is pending after that if
 * the buffer was not full. */
size_t __recut_stream_predict(const struct stream *stream, const char *bytes, size_t count);
/* Record: what really is pending, and how the stream is buffered. */
size_t __recut_stream_pending(FILE *file);
enum stream_buffering __recut_stream_buffering(FILE *file);
/* Record: may the call that puts `count` bytes in wait for the world? */
bool __recut_stream_may_wait(FILE *file, size_t count);
/* Replay: puts bytes in; all but the last `pending` are shown. */
void __recut_stream_show(struct stream *stream, const char *bytes, size_t count, size_t pending);
/* Its descriptor, -1 if it has none. */
int __recut_stream_fd(FILE *file);
/* An output that is a number; one that is OUTPUT_FD, from the log. */
unsigned char *__recut_stream_put_number(unsigned char *p, uint64_t tag, int64_t number);
int __recut_stream_take_fd(struct log_reader *log);
/* Both: fflush(), for a function that the program called from there. */
int __recut_flush(uint64_t from, FILE *file);
/* Replay: shows what is pending, of one or of all. */
void __recut_stream_flush(struct stream *stream);
void __recut_stream_flush_all(void);

#endif
