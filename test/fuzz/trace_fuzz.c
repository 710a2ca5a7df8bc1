/*
 * Fuzz target: the reader of traces.
 *
 * The first byte says what the rest is.  Most damage would end at a checksum, so
 * that the events, or whole chunks, are put into a trace that is right around
 * them, with checksums that are right.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/trace_writer.h"
#include "base/mem.h"
#include "trace_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct made_trace *frame_trace(void) {
    static struct made_trace made;
    if (!made.part_count) {
        made_trace_init(&made, "/bin/prog", NULL);
        made_trace_log(&made, 0);
        made_trace_finish(&made);
    }
    return &made;
}

/* Replaces one part by a copy of these bytes, aligned and with nothing behind. */
static void walk_with(size_t part, const uint8_t *data, size_t size, bool is_log_tail) {
    const struct made_trace *made = frame_trace();
    struct trace_part parts[3];
    memcpy(parts, made->parts, sizeof parts);
    size_t head = is_log_tail ? STREAM_HEADER_SIZE : 0;
    uint8_t *copy = mem_alloc(head + size + 1);
    if (head)
        memcpy(copy, made->parts[2].bytes.data, head);
    if (size)
        memcpy(copy + head, data, size);
    copy = mem_realloc(copy, head + size ? head + size : 1, 1);
    parts[part].bytes = (struct bytes){copy, head + size};
    made_repair(part == 0 ? copy : NULL, part == 0 ? size : 0, part == 1 ? copy : NULL,
                part == 1 ? size : 0, part == 2 ? copy : NULL, part == 2 ? head + size : 0);
    walk_trace(parts, 3);
    free(copy);
}

/* A chunk around the bytes. */
static void walk_events(const uint8_t *data, size_t size) {
    size_t capacity = (size + CHUNK_ALIGN) / CHUNK_ALIGN * CHUNK_ALIGN;
    uint8_t *chunk = mem_zalloc(1, sizeof(struct chunk_header) + capacity);
    *(struct chunk_header *)chunk = (struct chunk_header){
        .magic = CHUNK_MAGIC, .capacity = (uint32_t)capacity, .used = (uint32_t)size, .sealed = 1};
    memcpy(chunk + sizeof(struct chunk_header), data, size);
    walk_with(2, chunk, sizeof(struct chunk_header) + capacity, true);
    free(chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    switch (data[0] % 6) {
    case 0:
        walk_events(data + 1, size - 1);
        break;
    case 1:
        walk_with(2, data + 1, size - 1, true);
        break;
    case 2:
        walk_with(2, data + 1, size - 1, false);
        break;
    case 3:
        walk_with(0, data + 1, size - 1, false);
        break;
    case 4:
        walk_with(1, data + 1, size - 1, false);
        break;
    default:
        walk_archive((struct bytes){data + 1, size - 1});
    }
    return 0;
}
