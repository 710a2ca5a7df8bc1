/* In which order do atomic operations take place?  See atomic.h. */
#include "runtime/atomic.h"

#include <errno.h>

#include "runtime/env_thread.h"

static struct atomic_seen *find_seen(struct env_thread *thread, const void *address) {
    uint64_t hash = ((uint64_t)address >> 2) * 0x9e3779b97f4a7c15ULL;
    return &thread->seen[(hash >> 32) % atomic_most_seen];
}

/* A signal handler may come in between and have operations of its own: those are not
 * ordered. */
static bool is_ordered(const struct env_thread *thread) {
    return __recut_is_threaded && thread && __recut_env_mode != ENV_OFF &&
           !thread->section.atomic_depth;
}

void __recut_atomic_enter(const void *address) {
    struct env_thread *thread = __recut_self.env;
    uint64_t place = (uint64_t)__builtin_return_address(0);
    if (!is_ordered(thread)) {
        if (thread && thread->section.atomic_depth)
            thread->section.atomic_depth++;
        return;
    }
    thread->section.atomic_depth++;
    find_seen(thread, address)->address = NULL;
    if (__recut_env_mode == ENV_REPLAY) {
        __recut_order_wait(order_of(address), place);
        return;
    }
    __recut_order_lock(order_of(address), place);
    __recut_order_write(order_of(address));
}

void __recut_atomic_leave(const void *address) {
    struct env_thread *thread = __recut_self.env;
    if (!__recut_is_threaded || !thread || !thread->section.atomic_depth ||
        --thread->section.atomic_depth)
        return;
    if (__recut_env_mode == ENV_REPLAY)
        __recut_order_done(order_of(address));
    else
        __recut_order_unlock(order_of(address));
}

static uint64_t load(const void *address, uint64_t size) {
    switch (size) {
    case 1:
        return __atomic_load_n((const uint8_t *)address, __ATOMIC_SEQ_CST);
    case 2:
        return __atomic_load_n((const uint16_t *)address, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_load_n((const uint32_t *)address, __ATOMIC_SEQ_CST);
    default:
        return __atomic_load_n((const uint64_t *)address, __ATOMIC_SEQ_CST);
    }
}

/* Record: the count of changes is read after the value, and counted up before one is made. */
static void record_load(struct env_thread *thread, struct atomic_seen *seen, bool is_known,
                        uint64_t place) {
    unsigned counter = order_of(seen->address);
    if (is_known && load(seen->address, seen->size) == seen->value &&
        __recut_order_writes(counter) == seen->writes) {
        env_skip(&thread->out, place);
        return;
    }
    if (is_known)
        __recut_order_lock_told(counter);
    else
        __recut_order_lock(counter, place);
    seen->value = load(seen->address, seen->size);
    seen->writes = __recut_order_writes(counter);
    __recut_order_unlock(counter);
}

static void replay_load(struct env_thread *thread, struct atomic_seen *seen, bool is_known,
                        uint64_t place) {
    unsigned counter = order_of(seen->address);
    if (is_known && !__recut_order_wait_told(counter, place)) {
        if (env_skips(&thread->in, place))
            return;
        is_known = false; /* nothing more is in the log, or something else */
    }
    if (!is_known)
        __recut_order_wait(counter, place);
    seen->value = load(seen->address, seen->size);
    __recut_order_done(counter);
}

const void *__recut_atomic_load(const void *address, uint64_t size) {
    struct env_thread *thread = __recut_self.env;
    uint64_t place = (uint64_t)__builtin_return_address(0);
    if (!is_ordered(thread))
        return address;
    struct atomic_seen *seen = find_seen(thread, address);
    bool is_known = seen->address == address && seen->size == size;
    seen->address = address;
    seen->size = size;
    (__recut_env_mode == ENV_RECORD ? record_load : replay_load)(thread, seen, is_known, place);
    return &seen->value;
}
