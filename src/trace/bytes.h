/*
 * Bytes that came from a file, and a reader over them that cannot leave them.
 *
 * A reader goes bad once and stays so: what it returns from then on is 0 and
 * empty, nothing behind the end is touched, and one look at `bad` when all is
 * read tells whether the values mean anything.
 *
 *     struct reader reader = reader_of(body);
 *     uint64_t site = reader_varint(&reader);
 *     struct bytes name = reader_bytes(&reader);
 *     if (!reader_is_done(&reader))
 *         return damaged(...);
 *
 * A count from a file is no reason to allocate: compare it with what is left.
 */
#ifndef RECUT_TRACE_BYTES_H
#define RECUT_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *data;
    size_t size;
};

struct reader {
    const uint8_t *at, *end;
    bool bad;
};

static inline struct reader reader_of(struct bytes bytes) {
    /* NULL + 0 is undefined in C. */
    static const uint8_t none[1];
    const uint8_t *data = bytes.size ? bytes.data : none;
    return (struct reader){data, data + bytes.size, false};
}

static inline size_t reader_left(const struct reader *reader) {
    return (size_t)(reader->end - reader->at);
}

/* All was there, and nothing is left. */
static inline bool reader_is_done(const struct reader *reader) {
    return !reader->bad && reader->at == reader->end;
}

static inline void reader_fail(struct reader *reader) {
    reader->bad = true;
    reader->at = reader->end;
}

/* The next so many bytes. */
static inline struct bytes reader_take(struct reader *reader, uint64_t size) {
    if (size > reader_left(reader)) {
        reader_fail(reader);
        return (struct bytes){NULL, 0};
    }
    struct bytes taken = {reader->at, (size_t)size};
    reader->at += size;
    return taken;
}

/* Copies a fixed number of bytes; zeros if they are not there. */
static inline void reader_copy(struct reader *reader, void *ret, size_t size) {
    struct bytes bytes = reader_take(reader, size);
    if (bytes.size)
        memcpy(ret, bytes.data, size);
    else
        memset(ret, 0, size);
}

static inline uint8_t reader_u8(struct reader *reader) {
    uint8_t value;
    reader_copy(reader, &value, sizeof value);
    return value;
}

static inline uint32_t reader_u32(struct reader *reader) {
    uint32_t value;
    reader_copy(reader, &value, sizeof value);
    return value;
}

static inline uint64_t reader_u64(struct reader *reader) {
    uint64_t value;
    reader_copy(reader, &value, sizeof value);
    return value;
}

/* LEB128 of at most ten bytes, the last of which holds one bit. */
static inline uint64_t reader_varint(struct reader *reader) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && reader->at < reader->end; shift += 7) {
        uint8_t byte = *reader->at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    reader_fail(reader);
    return 0;
}

/* The same of a number that was zigzag-coded. */
static inline int64_t reader_svarint(struct reader *reader) {
    uint64_t value = reader_varint(reader);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* A count, then as many bytes. */
static inline struct bytes reader_bytes(struct reader *reader) {
    return reader_take(reader, reader_varint(reader));
}

#endif
