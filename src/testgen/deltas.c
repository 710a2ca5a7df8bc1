/*
 * How do differences make a crash file smaller?  See deltas.h.
 *
 * The distance is found by trying all of them on a part of the record: the one at which most words
 * are the same.  If that is no more than there are zeros, the record stays as it is, and also if it
 * is clearly larger by itself when both are compressed: with the other records it may be smaller.
 *
 * Cost: for each record as many comparisons as the part has words, times the distances, and twice
 * its compression.
 */
#include "testgen/deltas.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/mem.h"
#include "format/capture.h"

enum {
    most_distance = 512, /* words */
    most_part = 1536,
    least_part = 64,
    distance_shift = 16, /* in a record's kind */
};

struct words {
    char *bytes;
    size_t count;
};

static uint64_t get(const char *bytes, size_t i) {
    uint64_t word;
    memcpy(&word, bytes + 8 * i, sizeof word);
    return word;
}

static void put(char *bytes, size_t i, uint64_t word) { memcpy(bytes + 8 * i, &word, sizeof word); }

static size_t count_same(const uint64_t *part, const uint64_t *other, size_t count) {
    size_t ret = 0;
    for (size_t i = 0; i < count; i++)
        ret += part[i] == other[i];
    return ret;
}

/* 0: as it is. */
static uint32_t find_distance(struct words words) {
    static const uint64_t zeros[most_part];
    uint64_t part[most_distance + most_part];
    if (words.count < 2 * least_part)
        return 0;
    size_t most = words.count / 2 < most_distance ? words.count / 2 : most_distance;
    size_t count = words.count - most < most_part ? words.count - most : most_part;
    size_t first = (words.count - most - count) / 2;
    memcpy(part, words.bytes + 8 * first, 8 * (most + count));
    size_t best = count_same(part + most, zeros, count) + count / 16, ret = 0;
    for (size_t distance = 1; distance <= most; distance++) {
        size_t same = count_same(part + most, part + most - distance, count);
        if (same <= best)
            continue;
        best = same;
        ret = distance;
    }
    return (uint32_t)ret;
}

static void subtract(struct words words, uint32_t distance) {
    for (size_t i = words.count; i-- > distance;)
        put(words.bytes, i, get(words.bytes, i) - get(words.bytes, i - distance));
}

static void add(struct words words, uint32_t distance) {
    for (size_t i = distance; i < words.count; i++)
        put(words.bytes, i, get(words.bytes, i) + get(words.bytes, i - distance));
}

/* What follows the address in records of memory. */
static struct words words_of(char *payload, const struct capture_record *record) {
    uint16_t kind = (uint16_t)record->kind;
    bool is_memory = kind == CAPTURE_MEMORY || kind == CAPTURE_STACK || kind == CAPTURE_SHADOW ||
                     kind == CAPTURE_SEEN || kind == CAPTURE_COPIES;
    return (struct words){payload + 8, is_memory && record->size > 8 ? (record->size - 8) / 8 : 0};
}

static size_t packed_size(struct words words) {
    size_t most = ZSTD_compressBound(8 * words.count);
    void *packed CLEANUP_FREE = mem_alloc(most);
    size_t size = ZSTD_compress(packed, most, words.bytes, 8 * words.count, 1);
    return ZSTD_isError(size) ? most : size;
}

static void take(char *payload, struct capture_record *record) {
    struct words words = words_of(payload, record);
    uint32_t distance = find_distance(words);
    if (record->kind >> distance_shift || !distance)
        return;
    size_t before = packed_size(words);
    subtract(words, distance);
    if (packed_size(words) > before + before / 8)
        add(words, distance);
    else
        record->kind |= distance << distance_shift;
}

static void undo(char *payload, struct capture_record *record) {
    struct words words = words_of(payload, record);
    uint32_t distance = record->kind >> distance_shift;
    if (!distance || distance >= words.count)
        return;
    add(words, distance);
    record->kind = (uint16_t)record->kind;
}

static void each(char *data, size_t size, void (*change)(char *, struct capture_record *)) {
    struct capture_record record;
    for (size_t at = 0; size - at >= sizeof record;) {
        memcpy(&record, data + at, sizeof record);
        char *payload = data + at + sizeof record;
        if (record.magic != CAPTURE_MAGIC || record.size > size - at - sizeof record)
            return;
        change(payload, &record);
        memcpy(data + at, &record, sizeof record);
        at += sizeof record + ((record.size + 7) & ~7ULL);
        if (at > size)
            return;
    }
}

void deltas_take(char *data, size_t size) { each(data, size, take); }

void deltas_undo(char *data, size_t size) { each(data, size, undo); }
