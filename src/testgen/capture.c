/* What is in memory that was captured?  See capture.h. */
#include "testgen/capture.h"

#include <string.h>
#include <xxhash.h>

#include "base/io.h"
#include "format/capture.h"
#include "format/layout.h"

static struct error *damaged(const char *path) {
    return error_new(ERROR_INPUT, "%s: is damaged", path);
}

static bool is_frame(const struct shadow_frame *frame, uint64_t left) {
    return left >= sizeof *frame && frame->size >= sizeof *frame && frame->size % 8 == 0 &&
           frame->size <= left;
}

static bool take_shadow(struct capture *capture, const char *payload, uint64_t size) {
    while (size) {
        const struct shadow_frame *frame = (const struct shadow_frame *)payload;
        if (!is_frame(frame, size))
            return false;
        VEC_PUSH(&capture->shadow, frame);
        payload += frame->size;
        size -= frame->size;
    }
    return true;
}

static bool take(struct capture *capture, const struct capture_record *record,
                 const char *payload) {
    struct capture_state *state =
        capture->states.count ? &capture->states.data[capture->states.count - 1] : NULL;
    switch (record->kind) {
    case CAPTURE_SHADOW:
        capture->shadow_thread = record->thread;
        return take_shadow(capture, payload, record->size);
    case CAPTURE_FRAME: {
        const struct shadow_frame *frame = (const struct shadow_frame *)payload;
        if (!is_frame(frame, record->size))
            return false;
        VEC_PUSH(&capture->states, (struct capture_state){.frame = frame, record->thread});
        return true;
    }
    case CAPTURE_MEMORY: {
        if (record->size < 8 || !state)
            return false;
        struct capture_memory memory = {.size = record->size - 8,
                                        .bytes = (const uint8_t *)payload + 8};
        memcpy(&memory.address, payload, 8);
        VEC_PUSH(&state->memory, memory);
        return memory.size <= UINT64_MAX - memory.address;
    }
    default:
        return record->kind == CAPTURE_WHOLE;
    }
}

static int by_address(const void *a, const void *b) {
    const struct capture_memory *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Records follow each other at multiples of eight bytes, so that frames can be used in place. */
struct error *capture_read(const char *path, struct capture *ret) {
    size_t size;
    *ret = (struct capture){0};
    struct error *err = io_read_file(path, &ret->data, &size);
    for (size_t at = 0; !err && at < size;) {
        struct capture_record record;
        if (size - at < sizeof record)
            err = damaged(path);
        else
            memcpy(&record, ret->data + at, sizeof record);
        if (err)
            break;
        at += sizeof record;
        if (record.magic != CAPTURE_MAGIC || record.size > size - at ||
            record.hash != XXH3_64bits(ret->data + at, record.size) ||
            !take(ret, &record, ret->data + at))
            err = damaged(path);
        at += (record.size + 7) & ~7ULL;
    }
    for (size_t i = 0; !err && i < ret->states.count; i++)
        qsort(ret->states.data[i].memory.data, ret->states.data[i].memory.count,
              sizeof(struct capture_memory), by_address);
    return err;
}

void capture_deinit(struct capture *capture) {
    for (size_t i = 0; i < capture->states.count; i++)
        VEC_DEINIT(&capture->states.data[i].memory);
    VEC_DEINIT(&capture->states);
    VEC_DEINIT(&capture->shadow);
    free(capture->data);
}

bool capture_is_movable(uint64_t address) {
    return (address >= RECUT_ARGS_BASE && address < RECUT_TABLES_BASE) ||
           (address >= RECUT_MIRROR_BASE && address < RECUT_MIRROR_END) ||
           (address >= RECUT_DATA_STACK_TOP - RECUT_STACK_MAX && address < RECUT_DATA_STACK_TOP) ||
           (address >= RECUT_THREAD_STACKS && address < RECUT_BRK_END);
}

bool capture_get(const struct capture_state *state, uint64_t address, void *ret, size_t size) {
    if (!capture_is_movable(address) && !(address >= RECUT_IMAGE_BASE && address < RECUT_ARGS_BASE))
        return false;
    memset(ret, 0, size);
    size_t low = 0, high = state->memory.count;
    while (low < high) { /* the first that ends behind it */
        size_t middle = low + (high - low) / 2;
        const struct capture_memory *one = &state->memory.data[middle];
        if (one->address + one->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < state->memory.count && state->memory.data[low].address < address + size; low++) {
        const struct capture_memory *one = &state->memory.data[low];
        uint64_t from = one->address > address ? one->address : address;
        uint64_t end = one->address + one->size;
        end = end < address + size ? end : address + size;
        memcpy((char *)ret + (from - address), one->bytes + (from - one->address), end - from);
    }
    return true;
}
