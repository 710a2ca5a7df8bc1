/* What did the program read of libraries' memory, all in all?  See capture.h.
 *
 * A text that is read one character at a time is one text.  Records that follow each other are
 * sorted by their addresses; those that touch become one. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/mem.h"
#include "testgen/capture.h"

struct piece {
    struct capture_seen head;
    const char *bytes;
    uint64_t size;
};

typedef VEC(struct piece) piece_vec;

static int by_address(const void *a, const void *b) {
    const struct piece *x = a, *y = b;
    return (x->head.address > y->head.address) - (x->head.address < y->head.address);
}

static bool touches(const struct piece *piece, const struct piece *next, uint64_t end) {
    return next->head.address == end && next->head.argument == piece->head.argument &&
           next->head.base == piece->head.base;
}

static char *put_record(char *to, struct capture_record record, const char *payload) {
    record.hash = XXH3_64bits(payload, record.size);
    memcpy(to, &record, sizeof record);
    memcpy(to + sizeof record, payload, record.size);
    memset(to + sizeof record + record.size, 0, -record.size % 8);
    return to + sizeof record + ((record.size + 7) & ~7ULL);
}

/* A payload has room for what many have. */
static char *put_pieces(char *to, const struct capture_record *like, piece_vec *pieces) {
    struct capture_record record = *like;
    record.kind = CAPTURE_SEEN;
    if (pieces->count)
        qsort(pieces->data, pieces->count, sizeof *pieces->data, by_address);
    for (size_t i = 0, end; i < pieces->count; i = end) {
        const struct piece *first = &pieces->data[i];
        uint64_t size = first->size;
        for (end = i + 1; end < pieces->count; end++) {
            if (!touches(first, &pieces->data[end], first->head.address + size) ||
                size + pieces->data[end].size > CAPTURE_RECORD_MOST / 2)
                break;
            size += pieces->data[end].size;
        }
        char *payload CLEANUP_FREE = mem_alloc(sizeof first->head + size), *at = payload;
        memcpy(at, &first->head, sizeof first->head);
        at += sizeof first->head;
        for (size_t k = i; k < end; k++) {
            memcpy(at, pieces->data[k].bytes, pieces->data[k].size);
            at += pieces->data[k].size;
        }
        record.size = (uint64_t)(at - payload);
        to = put_record(to, record, payload);
    }
    pieces->count = 0;
    return to;
}

static bool is_good(const struct capture_record *record, const char *payload, const char *end) {
    return record->magic == CAPTURE_MAGIC && record->size <= (uint64_t)(end - payload) &&
           ((record->size + 7) & ~7ULL) <= (uint64_t)(end - payload) &&
           record->hash == XXH3_64bits(payload, record->size) &&
           (record->kind != CAPTURE_SEEN || record->size > sizeof(struct capture_seen));
}

/* In a crash file there are none, and most programs have none. */
static bool has_seen(const char *data, size_t size) {
    struct capture_record record;
    for (size_t at = 0; size - at >= sizeof record;) {
        memcpy(&record, data + at, sizeof record);
        at += sizeof record;
        if (record.kind == CAPTURE_SEEN)
            return true;
        if (record.size > size - at || ((record.size + 7) & ~7ULL) > size - at)
            return false;
        at += (record.size + 7) & ~7ULL;
    }
    return false;
}

void capture_merge_seen(char *data, size_t *size) {
    if (!has_seen(data, *size))
        return;
    char *merged CLEANUP_FREE = mem_alloc(*size + 1), *to = merged;
    const char *end = data + *size;
    piece_vec pieces = {0};
    struct capture_record record = {0};
    bool is_damaged = false;
    for (const char *at = data; at < end && !is_damaged;) {
        is_damaged = (size_t)(end - at) < sizeof record;
        if (is_damaged)
            break;
        memcpy(&record, at, sizeof record);
        at += sizeof record;
        is_damaged = !is_good(&record, at, end);
        if (is_damaged)
            break;
        if (record.kind == CAPTURE_SEEN) {
            struct piece piece = {.size = record.size - sizeof piece.head,
                                  .bytes = at + sizeof piece.head};
            memcpy(&piece.head, at, sizeof piece.head);
            VEC_PUSH(&pieces, piece);
        } else {
            to = put_pieces(to, &record, &pieces);
            to = put_record(to, record, at);
        }
        at += (record.size + 7) & ~7ULL;
    }
    to = put_pieces(to, &record, &pieces);
    VEC_DEINIT(&pieces);
    if (is_damaged)
        return;
    *size = (size_t)(to - merged);
    memcpy(data, merged, *size);
}
