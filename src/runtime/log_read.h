/*
 * Reading a stream of events in a replay; format/log.h has the format.
 *
 * log_next() makes the next event that a replay waits for current, and takes
 * in what only describes others (SITE) on the way.  The event stays current
 * until log_take().  Its body is then read from `at` to `end` with get_*(),
 * which never go beyond it: a body that is too short sets `damaged` and gives
 * zeros.
 */
#ifndef RECUT_RUNTIME_LOG_READ_H
#define RECUT_RUNTIME_LOG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/log.h"

struct log_site {
    uint64_t return_address;
    const char *name; /* not NUL-terminated */
    int64_t last;     /* of a cut: rax of the last call */
    uint32_t name_length;
    uint32_t index;        /* of the function in this executable, or ENV_NONE cut short */
    const char *name_text; /* the same name, from this executable; NULL if it has none such */
};

struct log_reader {
    const unsigned char *at, *end; /* of the current body */
    enum event_kind kind;          /* EVENT_END: no event is left */
    unsigned flags;
    bool is_current;
    bool damaged;
    bool is_cut;       /* of a part of the program */
    bool is_short;     /* a CALL whose head has its size */
    uint64_t skipped;  /* calls before it that are not in the log */
    uint64_t repeated; /* of a cut: loads before it that are not */
    uint64_t repeats;  /* of them, since the last event */
    uint32_t path;
    uint64_t events;                     /* calls of this run so far */
    uint64_t skips;                      /* of them, not in the log and since the last that is */
    uint32_t skips_path;                 /* hash of where those were made from */
    const unsigned char *cursor, *limit; /* in the chunk */
    const unsigned char *file;
    uint64_t file_size, next_chunk;
    uint64_t skipped_at_end; /* with threads: calls that are not in the log, after its end */
    uint64_t repeated_at_end;
    struct log_site *sites;
    uint32_t site_count;
    const struct log_site *site; /* of the call that is being answered */
    const unsigned char *buffer; /* stream_in.c: what a stream has ready after the call */
    size_t buffer_size;
    uint64_t buffer_tag;
    uint64_t stop_at; /* event to stop at (recut replay -g), or 0 */
};

/* Opens DIR/log.SLOT of the trace. NULL, or why it cannot be used. */
const char *__recut_log_open(struct log_reader *log, const char *directory, uint32_t slot,
                             const struct trace_header *trace);

/* It is not read any more. */
void __recut_log_unmap(struct log_reader *log);

extern uint64_t *__recut_progress; /* bytes of the log that were read; may be NULL */

/* False when the log is at its end. */
bool __recut_log_next(struct log_reader *log);
static inline bool log_next(struct log_reader *log) {
    return log->is_current ? log->kind != EVENT_END : __recut_log_next(log);
}
static inline void log_take(struct log_reader *log) { log->is_current = false; }

static inline uint64_t get_varint(struct log_reader *log) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && log->at < log->end; shift += 7) {
        unsigned char byte = *log->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    log->damaged = true;
    return 0;
}

static inline int64_t get_svarint(struct log_reader *log) {
    uint64_t value = get_varint(log);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static inline const unsigned char *get_raw(struct log_reader *log, size_t count) {
    if ((size_t)(log->end - log->at) < count) {
        log->damaged = true;
        log->at = log->end;
        return NULL;
    }
    const unsigned char *bytes = log->at;
    log->at += count;
    return bytes;
}

static inline uint32_t get_u32(struct log_reader *log) {
    uint32_t value = 0;
    const unsigned char *bytes = get_raw(log, sizeof value);
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t get_u64(struct log_reader *log) {
    uint64_t value = 0;
    const unsigned char *bytes = get_raw(log, sizeof value);
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    return value;
}

/* All that is left of the event. */
static inline const unsigned char *get_rest(struct log_reader *log, size_t *ret_count) {
    *ret_count = (size_t)(log->end - log->at);
    return get_raw(log, *ret_count);
}

static inline const unsigned char *get_bytes(struct log_reader *log, size_t *ret_count) {
    *ret_count = get_varint(log);
    const unsigned char *bytes = get_raw(log, *ret_count);
    if (!bytes)
        *ret_count = 0;
    return bytes;
}

#endif
