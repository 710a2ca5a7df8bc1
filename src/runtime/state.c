/* What does replay space hold right now?  See state.h. */
#include "runtime/state.h"

#include <stdio.h>

#include "runtime/hash.h"
#include "runtime/mapping.h"
#include "runtime/pool.h"
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

static void add(const void *memory, size_t size, void *data) {
    uint64_t *hash = data;
    *hash = combine(*hash, __recut_hash(memory, size));
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
    hash_parts(parts);
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
