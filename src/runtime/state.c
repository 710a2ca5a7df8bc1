/* What does replay space hold right now?  See state.h. */
#include "runtime/state.h"

#include <stdio.h>
#include <string.h>

#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/hash.h"
#include "runtime/mapping.h"
#include "runtime/order.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/thread.h"

extern const struct {
    const void *address;
    uint64_t size;
} __recut_state[];
extern const uint64_t __recut_state_count;
extern const uint64_t __recut_tls_size;

uint64_t __recut_state_every;
bool __recut_state_verifies;
uint64_t __recut_state_verified;

static uint64_t combine(uint64_t hash, uint64_t more) {
    return (hash ^ more) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
}

/* --- what is left out ------------------------------------------------------------------- */

enum { most_left_out = 1 << 16 };
static struct {
    uint32_t lock;
    uint32_t count;
    struct left_out {
        const char *begin, *end;
    } *objects; /* by address, none within another */
} left_out;

static void lock(void) {
    while (__atomic_exchange_n(&left_out.lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}
static void unlock(void) { __atomic_store_n(&left_out.lock, 0, __ATOMIC_RELEASE); }

/* The first that ends behind it. */
static uint32_t find_left_out(const char *at) {
    uint32_t low = 0, high = left_out.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (left_out.objects[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void __recut_state_leave_out(const void *object, size_t size) {
    const char *begin = object, *end = begin + size;
    lock();
    if (!left_out.objects)
        left_out.objects = raw_scratch(most_left_out * sizeof *left_out.objects);
    uint32_t at = left_out.objects ? find_left_out(begin) : 0;
    bool is_known = at < left_out.count && left_out.objects[at].begin < end;
    if (left_out.objects && !is_known && left_out.count < most_left_out) {
        memmove(&left_out.objects[at + 1], &left_out.objects[at],
                (left_out.count - at) * sizeof *left_out.objects);
        left_out.objects[at] = (struct left_out){begin, end};
        left_out.count++;
    }
    unlock();
}

/* --- hashes ----------------------------------------------------------------------------- */

static void add(const void *memory, size_t size, void *data) {
    uint64_t *hash = data;
    const char *at = memory, *end = at + size;
    for (uint32_t i = find_left_out(at); i < left_out.count && left_out.objects[i].begin < end;
         i++) {
        if (left_out.objects[i].begin > at)
            *hash = combine(*hash, __recut_hash(at, (size_t)(left_out.objects[i].begin - at)));
        at = left_out.objects[i].end < end ? left_out.objects[i].end : end;
    }
    if (at < end || !size)
        *hash = combine(*hash, __recut_hash(at, (size_t)(end - at)));
}

bool __recut_state_is_vague;

bool __recut_state_stands_still(void) {
    return !__recut_is_threaded || __recut_is_serial ||
           (__recut_order_is_alone() && !__recut_state_is_vague);
}

enum part { part_variables, part_thread_locals, part_stack, part_heap, part_count };
static const char *const part_names[] = {"variables", "thread-locals", "data stack",
                                         "heap, mappings"};

static void hash_parts(uint64_t ret[part_count]) {
    for (unsigned i = 0; i < part_count; i++)
        ret[i] = i;
    for (uint64_t i = 0; i < __recut_state_count; i++)
        add(__recut_state[i].address, __recut_state[i].size, &ret[part_variables]);
    add(__recut_self.tls_block, __recut_self.tls_block ? __recut_tls_size : 0,
        &ret[part_thread_locals]);
    const struct stack_range *stack = __recut_thread_data_stack();
    if (__recut_self.data_stack >= stack->low && __recut_self.data_stack <= stack->high)
        add(__recut_self.data_stack, (size_t)(stack->high - __recut_self.data_stack),
            &ret[part_stack]);
    __recut_pool_visit(add, &ret[part_heap]);
    __recut_mapping_visit(add, &ret[part_heap]);
}

uint64_t __recut_state_hash(void) {
    uint64_t parts[part_count], hash = 0;
    lock();
    hash_parts(parts);
    unlock();
    /* 16 bits of each, so that a difference can be given a place. */
    for (unsigned i = 0; i < part_count; i++)
        hash |= (parts[i] >> 48) << 16 * i;
    return hash;
}

void __recut_state_note(struct log_writer *log) {
    unsigned char *p = log_begin(log, EVENT_HASH, 30);
    if (!p)
        return;
    p = put_varint(p, log->events);
    log_end(log, put_u64(p, __recut_state_hash()));
}

void __recut_state_verify(struct log_reader *log, uint64_t recorded, struct diverge_place now) {
    if (!__recut_state_verifies)
        return;
    uint64_t actual = __recut_state_hash();
    __recut_state_verified++;
    for (unsigned i = 0; i < part_count; i++) {
        uint16_t left = (uint16_t)(recorded >> 16 * i), right = (uint16_t)(actual >> 16 * i);
        if (left == right)
            continue;
        char what[64], old[24], new[24];
        snprintf(what, sizeof what, "memory: %s", part_names[i]);
        snprintf(old, sizeof old, "hash %04x", left);
        snprintf(new, sizeof new, "hash %04x", right);
        __recut_diverge(log, what, old, new, now);
    }
}
