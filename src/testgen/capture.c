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

static bool take_crash(struct capture *capture, const struct capture_record *record,
                       const char *payload) {
    const struct capture_crash *crash = (const struct capture_crash *)payload;
    if (record->size < sizeof *crash)
        return false;
    uint64_t left = record->size - sizeof *crash;
    capture->crash = crash;
    capture->thread = record->thread;
    return crash->stack_size <= left && crash->mappings_size == left - crash->stack_size;
}

static bool take_frame(struct capture *capture, const struct capture_record *record,
                       const char *payload) {
    struct capture_state state = {.thread = record->thread};
    if (record->size < sizeof state.frame || record->size % 8)
        return false;
    memcpy(&state.frame, payload, sizeof state.frame);
    state.words = (const uint64_t *)(payload + sizeof state.frame);
    state.word_count = (record->size - sizeof state.frame) / 8;
    VEC_PUSH(&capture->states, state);
    return true;
}

static bool take(struct capture *capture, const struct capture_record *record,
                 const char *payload) {
    struct capture_memory memory = {.size = record->size - 8,
                                    .bytes = (const uint8_t *)payload + 8};
    switch (record->kind) {
    case CAPTURE_CRASH:
        return take_crash(capture, record, payload);
    case CAPTURE_FRAME:
        return take_frame(capture, record, payload);
    case CAPTURE_SHADOW:
    case CAPTURE_MEMORY:
        if (record->size < 8 || (record->kind == CAPTURE_MEMORY && !capture->states.count))
            return false;
        memcpy(&memory.address, payload, 8);
        if (record->kind == CAPTURE_SHADOW)
            VEC_PUSH(&capture->shadow, memory);
        else
            VEC_PUSH(&capture->states.data[capture->states.count - 1].memory, memory);
        return memory.size <= UINT64_MAX - memory.address;
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

/* Pieces are in order; what is between them is zero. */
static void copy(const struct capture_memory *pieces, size_t count, uint64_t address, void *ret,
                 size_t size) {
    memset(ret, 0, size);
    size_t low = 0, high = count;
    while (low < high) { /* the first that ends behind it */
        size_t middle = low + (high - low) / 2;
        if (pieces[middle].address + pieces[middle].size > address)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < count && pieces[low].address < address + size; low++) {
        const struct capture_memory *one = &pieces[low];
        uint64_t from = one->address > address ? one->address : address;
        uint64_t end = one->address + one->size;
        end = end < address + size ? end : address + size;
        memcpy((char *)ret + (from - address), one->bytes + (from - one->address), end - from);
    }
}

bool capture_get(const struct capture_state *state, uint64_t address, void *ret, size_t size) {
    if (!capture_is_movable(address) && !(address >= RECUT_IMAGE_BASE && address < RECUT_ARGS_BASE))
        return false;
    copy(state->memory.data, state->memory.count, address, ret, size);
    return true;
}

bool capture_record_at(const struct capture *capture, uint64_t slot, struct shadow_end *ret,
                       uint64_t *ret_words, size_t most) {
    uint64_t end = SHADOW_START + SHADOW_SCALE * (slot % SHADOW_WINDOW);
    copy(capture->shadow.data, capture->shadow.count, end - sizeof *ret, ret, sizeof *ret);
    if (ret->slot != slot || ret->size < sizeof *ret || ret->size > SHADOW_RECORD_MOST)
        return false;
    uint64_t size = ret->size - sizeof *ret;
    copy(capture->shadow.data, capture->shadow.count, end - ret->size, ret_words,
         size < 8 * most ? size : 8 * most);
    return true;
}
