/* What was at a place of memory, in a frame, or in a block of the heap?  See capture.h. */
#include <stdio.h>
#include <string.h>

#include "format/layout.h"
#include "testgen/capture.h"

bool capture_is_foreign(const struct capture *capture, uint64_t address) {
    const struct capture_crash *crash = capture->crash;
    if (address >= RECUT_BRK_END)
        return true;
    if (address >= RECUT_ARGS_BASE || !crash)
        return false;
    char *text CLEANUP_FREE =
        mem_strndup((const char *)(crash + 1) + crash->stack_size, crash->mappings_size);
    const char *heap = strstr(text, "[heap]");
    unsigned long long low, high;
    while (heap && heap > text && heap[-1] != '\n')
        heap--;
    return heap && sscanf(heap, "%llx-%llx", &low, &high) == 2 && address >= low && address < high;
}

bool capture_is_machine(uint64_t address) {
    return address >= RECUT_THREAD_MACHINE && address < RECUT_MACHINE_STACK_TOP;
}

bool capture_is_movable(uint64_t address) {
    return (address >= RECUT_ARGS_BASE && address < RECUT_TABLES_BASE) ||
           (address >= RECUT_MIRROR_BASE && address < RECUT_MIRROR_END) ||
           capture_is_machine(address) ||
           (address >= RECUT_DATA_STACK_TOP - RECUT_STACK_MAX && address < RECUT_BRK_END);
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

static const struct shadow_layout *layout_of(const struct capture *capture, uint32_t function) {
    size_t low = 0, high = capture->layouts.count;
    while (low < high) { /* the first that is not before it */
        size_t middle = low + (high - low) / 2;
        if (capture->layouts.data[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < capture->layouts.count && capture->layouts.data[low].function == function;
    return is_there ? &capture->layouts.data[low] : NULL;
}

/* In code in front of the function's own the record is not there yet. */
bool capture_call_at(const struct capture *capture, struct capture_place place,
                     struct capture_call *ret) {
    const struct shadow_layout *layout = layout_of(capture, place.function);
    uint64_t sp = capture->crash ? capture->crash->event.sp : 0;
    if (!layout || !place.slot || place.address < layout->code || !capture->crash)
        return false;
    uint64_t at = place.slot + (uint64_t)(int64_t)layout->offset, size = layout->size;
    if (at < sp || at - sp > capture->stack.count || size > capture->stack.count - (at - sp))
        return false;
    const uint8_t *bytes = capture->stack.data + (at - sp);
    *ret = (struct capture_call){.record = at};
    if (layout->has_entry) {
        size -= sizeof ret->entry;
        memcpy(&ret->entry, bytes + size, sizeof ret->entry);
    }
    memcpy(ret->words, bytes, size);
    ret->copy_words = layout->copied / 8;
    ret->argument_words = size / 8 - ret->copy_words;
    return true;
}

/* The last one of that frame: an older one is of a call that is over. */
struct capture_memory capture_copies_of(const struct capture *capture, struct capture_place place) {
    struct capture_memory found = {0};
    struct copies_block block;
    for (size_t at = 0; capture->copies.count - at >= sizeof block; at += block.size) {
        memcpy(&block, capture->copies.data + at, sizeof block);
        if (block.size < sizeof block || block.size > capture->copies.count - at)
            break;
        if (block.slot == place.slot && block.function == place.function)
            found = (struct capture_memory){.size = block.size - sizeof block,
                                            .bytes = capture->copies.data + at + sizeof block};
    }
    return found;
}

uint64_t capture_block_left(const struct capture *capture, uint64_t address) {
    size_t low = 0, high = capture->spans.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (capture->spans.data[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct capture_span *span = low ? &capture->spans.data[low - 1] : NULL;
    if (!span || address - span->address >= span->size)
        return 0;
    return span->block - (address - span->address) % span->block;
}
