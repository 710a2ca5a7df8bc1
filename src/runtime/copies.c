/* What can a function reach?  See copies.h. */
#include "runtime/copies.h"

#include <stdbool.h>
#include <string.h>

#include "format/capture.h"
#include "format/layout.h"
#include "format/shadow.h"
#include "runtime/capture.h"
#include "runtime/careful.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/state.h"
#include "runtime/thread.h"

enum {
    most_memory = 64 << 20, /* of a thread */
    most_block = 1 << 20,   /* of a call */
    most_object = 64 << 10,
    most_objects = 4096, /* of a call; a power of two */
    unknown_size = 64,
    most_stack = 16 << 20, /* what is farther off is another one */
};

struct reached {
    uint64_t address, size;
    uint64_t depth; /* pointers that may be followed from here on */
};

/* Of a thread, in front of its blocks. */
struct copies {
    uint64_t end;  /* of the blocks, from `blocks` on */
    uint64_t last; /* where the last of them begins; `end` is 0 if there is none */
    bool is_busy;  /* a signal's handler that comes now has no copies */
    uint64_t count;
    struct reached objects[most_objects];
    uint32_t known[2 * most_objects]; /* by address: number of an object, from 1 */
    char blocks[];
};

static _Thread_local struct copies *copies;

static bool prepare(void) {
    if (!copies) {
        long at = raw_syscall6(SYS_mmap, 0, sizeof *copies + most_memory, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at < 0 && at > -4096)
            return false;
        copies = (struct copies *)at;
    }
    return true;
}

static struct copies_block *block_at(uint64_t offset) {
    return (struct copies_block *)(copies->blocks + offset);
}

/* Blocks of frames that have returned, or were jumped out of. */
static void drop_dead(uint64_t slot) {
    while (copies->end) {
        const struct copies_block *last = block_at(copies->last);
        if (last->slot > slot || slot - last->slot >= most_stack)
            return;
        copies->end = copies->last;
        copies->last = last->before;
    }
}

void __recut_copies_begin(void *slot, uint64_t function) {
    if (!prepare() || copies->is_busy)
        return;
    drop_dead((uint64_t)slot);
    if (copies->end + most_block > most_memory)
        return;
    copies->is_busy = true;
    copies->count = 0;
    *block_at(copies->end) =
        (struct copies_block){.slot = (uint64_t)slot, .function = function, .before = copies->last};
    copies->last = copies->end;
    copies->end += sizeof(struct copies_block);
}

/* --- objects ------------------------------------------------------------------------------ */

/* Where the object begins and ends that a pointer leads to; false if that is no memory of the
 * program's. */
static bool find_object(uint64_t address, uint64_t size, uint64_t *ret_start, uint64_t *ret_size) {
    void *start;
    size_t whole;
    *ret_start = address;
    *ret_size = size ? size : unknown_size;
    if (pool_contains((void *)address)) {
        if (!__recut_pool_find((void *)address, &start, &whole))
            return false;
        if (whole <= most_object) {
            *ret_start = (uint64_t)start;
            *ret_size = whole;
        } else { /* what is behind the pointer, of a huge one */
            uint64_t left = (uint64_t)start + whole - *ret_start;
            *ret_size = left < most_object ? left : most_object;
        }
        return true;
    }
    if (address >= RECUT_IMAGE_BASE && address < RECUT_ARGS_BASE) {
        if (!__recut_state_find_variable(address, ret_start, ret_size))
            return false;
        if (*ret_size > most_object) {
            uint64_t end = *ret_start + *ret_size;
            *ret_start = address & ~7ULL;
            *ret_size = end - *ret_start < most_object ? end - *ret_start : most_object;
        }
        return true;
    }
    const struct stack_range *stack = __recut_thread_data_stack();
    if (address >= (uint64_t)stack->low && address < (uint64_t)stack->high) {
        uint64_t left = (uint64_t)stack->high - *ret_start;
        *ret_size = *ret_size < left ? *ret_size : left;
        return true;
    }
    return (address >= RECUT_ARGS_BASE && address < RECUT_TABLES_BASE) ||
           (address >= RECUT_THREAD_STACKS && address < RECUT_BRK_END);
}

/* Its place in `known`, or the empty one that it would have. */
static uint32_t *place_of(uint64_t start) {
    for (uint64_t at = start / 8 * 0x9e3779b97f4a7c15ULL >> 32;; at++) {
        uint32_t *number = &copies->known[at % (2 * most_objects)];
        if (!*number || copies->objects[*number - 1].address == start)
            return number;
    }
}

static void reach(uint64_t address, uint64_t size, uint64_t depth) {
    uint64_t start;
    if (!depth || !address || copies->count == most_objects ||
        !find_object(address, size, &start, &size))
        return;
    uint32_t *number = place_of(start);
    if (*number)
        return;
    copies->objects[copies->count++] = (struct reached){start, size, depth};
    *number = (uint32_t)copies->count;
}

struct load {
    const uint64_t *at;
    uint64_t value;
};

static void load(void *data) {
    struct load *load = data;
    load->value = *load->at;
}

void __recut_copies_add(void *base, int64_t field, uint64_t size, uint64_t depth) {
    enum { no_field = INT32_MIN };
    if (!copies || !copies->is_busy || !base)
        return;
    struct load from = {(const uint64_t *)((char *)base + field), (uint64_t)base};
    if (field != no_field && !__recut_carefully(load, &from))
        return;
    reach(from.value, size, depth);
}

/* --- copying ------------------------------------------------------------------------------ */

struct move {
    char *to;
    const char *from;
    uint64_t size;
};

static void move(void *data) {
    const struct move *move = data;
    memcpy(move->to, move->from, move->size);
}

/* A copy, and what the words in it lead to. */
static bool copy(struct reached one) {
    struct shadow_copy head = {one.address, one.size};
    uint64_t used = copies->end - copies->last;
    if (used + sizeof head + shadow_copy_room(one.size) > most_block)
        return false;
    char *to = copies->blocks + copies->end + sizeof head;
    if (!__recut_carefully(move, &(struct move){to, (const char *)one.address, one.size}))
        return true;
    memcpy(copies->blocks + copies->end, &head, sizeof head);
    copies->end += sizeof head + shadow_copy_room(one.size);
    for (uint64_t i = -one.address % 8; one.depth > 1 && i + 8 <= one.size; i += 8) {
        uint64_t value;
        memcpy(&value, to + i, sizeof value);
        reach(value, 0, one.depth - 1);
    }
    return true;
}

/* The farther from the roots, the later: what is left out is farthest.  Every object is found by
 * the shortest way, since all roots have the same depth.  `known` is emptied in the opposite order,
 * so that each is found as long as it is there. */
void __recut_copies_end(void) {
    if (!copies || !copies->is_busy)
        return;
    for (uint64_t i = 0; i < copies->count && copy(copies->objects[i]); i++)
        ;
    block_at(copies->last)->size = copies->end - copies->last;
    while (copies->count) {
        *place_of(copies->objects[copies->count - 1].address) = 0;
        copies->count--;
    }
    copies->is_busy = false;
}

void __recut_copies_write(struct capture_writer *writer) {
    enum { most = 48 << 10 };
    /* In the middle of a call's copies the last block has no size yet, and is left out. */
    uint64_t end = !copies ? 0 : copies->is_busy ? copies->last : copies->end;
    for (uint64_t at = 0; at < end; at += most)
        __recut_capture_write(writer, CAPTURE_COPIES, &at, sizeof at, copies->blocks + at,
                              end - at < most ? end - at : most);
}
