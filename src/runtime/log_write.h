/*
 * Writing a stream of events; format/log.h has the format.
 *
 *     unsigned char *p = log_begin(&log, EVENT_CALL, bound);
 *     if (p) {
 *         p = put_varint(p, …);
 *         log_end(&log, p);
 *     }
 *
 * `bound` is the most that the body can take.  log_begin() returns NULL once
 * the stream cannot be written any more (disk full, file gone); the reason was
 * told then and recording has ended.
 */
#ifndef RECUT_RUNTIME_LOG_WRITE_H
#define RECUT_RUNTIME_LOG_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/log.h"

struct log_writer {
    bool is_writing;               /* an event is not whole */
    bool is_cut;                   /* of a part of the program */
    unsigned char *cursor, *limit; /* in the chunk's events */
    unsigned char *event;          /* where the event being written begins */
    unsigned char *size_at, *body; /* of that event */
    struct chunk_header *chunk;    /* where events go: the window, or memory of a large event */
    struct chunk_header *window;   /* mapped: DIR/tail.SLOT */
    size_t window_size;
    struct chunk_header *large;
    size_t large_size;
    uint64_t file_offset; /* of the next chunk in DIR/log.SLOT */
    uint64_t events;      /* calls so far, also those not in the log */
    uint64_t skipped;     /* of them, since the last one in the log */
    uint64_t repeated;    /* of a cut: loads since then that are not in the log */
    uint32_t path;        /* hash of where those were made from */
    uint64_t next_hash;   /* event from which on a hash of memory is due */
    int fd;
    uint64_t device, inode; /* of the file behind fd */
};

/* Creates DIR/log.SLOT. False after telling why not. */
bool __recut_log_create(struct log_writer *log, const char *directory, uint32_t slot,
                        const struct trace_header *trace);
/* Writes out what is there and closes the stream. */
void __recut_log_close(struct log_writer *log);
/* Closes it without writing: it is another process's. */
void __recut_log_drop(struct log_writer *log);
/* Room for an event whose body has at most this many bytes, in a new chunk. */
bool __recut_log_make_room(struct log_writer *log, size_t need);

static inline unsigned char *put_varint(unsigned char *p, uint64_t value) {
    while (value >= 0x80) {
        *p++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *p++ = (unsigned char)value;
    return p;
}

static inline unsigned char *put_svarint(unsigned char *p, int64_t value) {
    return put_varint(p, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static inline unsigned char *put_u32(unsigned char *p, uint32_t value) {
    memcpy(p, &value, sizeof value);
    return p + sizeof value;
}

static inline unsigned char *put_u64(unsigned char *p, uint64_t value) {
    memcpy(p, &value, sizeof value);
    return p + sizeof value;
}

static inline unsigned char *put_raw(unsigned char *p, const void *bytes, size_t count) {
    memcpy(p, bytes, count);
    return p + count;
}

static inline unsigned char *put_bytes(unsigned char *p, const void *bytes, size_t count) {
    return put_raw(put_varint(p, count), bytes, count);
}

/* The size of a body stands before it in as many bytes as the bound needs. */
static inline unsigned log_size_bytes(size_t bound) { return bound < 0x80 ? 1 : 5; }

/* What was left out before the event. */
static inline unsigned char *log_put_skipped(struct log_writer *log, unsigned char *p) {
    if (log->is_cut) {
        p = put_varint(p, log->repeated << 1 | (log->skipped != 0));
        p = log->skipped ? put_varint(p, log->skipped) : p;
    } else {
        p = put_u32(put_varint(p, log->skipped), log->path);
    }
    log->skipped = log->repeated = log->path = 0;
    log->window->skipped = log->window->repeated = 0;
    return p;
}

/* The most that stands in front of a body. */
enum { log_head_most = 1 + 10 + 10 + 5 };

static inline unsigned char *log_begin_sized(struct log_writer *log, unsigned head, size_t bound,
                                             unsigned size_bytes) {
    size_t need = log_head_most + bound;
    log->is_writing = true; /* a signal has to wait */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if ((size_t)(log->limit - log->cursor) < need && !__recut_log_make_room(log, need))
        return NULL;
    unsigned char *p = log->event = log->cursor;
    bool skipped = (log->skipped | log->repeated) && head != EVENT_SITE && head != EVENT_START;
    *p++ = (unsigned char)(head | (skipped ? EVENT_SKIPPED : 0));
    if (skipped)
        p = log_put_skipped(log, p);
    log->size_at = p;
    log->body = p + size_bytes;
    return log->body;
}

static inline unsigned char *log_begin(struct log_writer *log, unsigned head, size_t bound) {
    return log_begin_sized(log, head, bound, log_size_bytes(bound));
}

/* A LOAD has `size` bytes. */
static inline unsigned char *log_begin_load(struct log_writer *log, size_t size) {
    unsigned bits = load_size_bits(size);
    return log_begin_sized(log, EVENT_LOAD | bits, size, bits ? 0 : log_size_bytes(size));
}

/* A CALL of a cut that has so few bytes that its head can say how many. */
static inline unsigned char *log_begin_call(struct log_writer *log, size_t size) {
    return log_begin_sized(log, EVENT_CALL | (unsigned)size << call_size_shift, size, 0);
}

static inline void log_end(struct log_writer *log, unsigned char *end) {
    size_t size = (size_t)(end - log->body);
    unsigned char *p = log->size_at;
    if (log->body - p == 1)
        *p = (unsigned char)size;
    else if (log->body != p)
        for (unsigned i = 0; i < 5; i++, size >>= 7)
            p[i] = (unsigned char)((size & 0x7f) | (i < 4 ? 0x80 : 0));
    log->cursor = end;
    /* What a killed process leaves ends here. */
    __atomic_store_n(&log->chunk->used, (uint32_t)(end - (unsigned char *)(log->chunk + 1)),
                     __ATOMIC_RELEASE);
    if (__builtin_expect(log->chunk != log->window, 0))
        __recut_log_make_room(log, 0); /* a large one goes to the file at once */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log->is_writing = false;
}

#endif
