/*
 * What happens to blocks of one side's heap when the other side frees or resizes them?  See cut.h.
 *
 * Each side allocates from arenas of its own.  What environment does to a block of replay space is
 * an event, since replay space may get that memory again; a block of environment is not there in a
 * replay.
 */
#include <string.h>

#include "runtime/cut_impl.h"
#include "runtime/heap.h"
#include "runtime/pool_impl.h"

static bool is_inside(void) { return __recut_self.inside; }

/* The owner of the arena finds it later, as pool_remote.c has it. */
static void give(void *block) {
    struct pool_arena *owner = __recut_pool_owner((uintptr_t)block);
    if (owner)
        __recut_pool_remote_free(owner, (uintptr_t)block);
}

/* A block that is not of the arena of the thread, which may never have been in replay space. */
static bool frees(void *block) {
    if (__recut_cut_mode == CUT_OFF)
        return false;
    if (!cut_is_own_block(block))
        return is_inside() && __recut_cut_mode == CUT_REPLAY;
    if (!__recut_pool_owner((uintptr_t)block))
        return false; /* the pool says what is wrong with it */
    if (!__recut_self.attached && __recut_cut_mode == CUT_RECORD)
        __recut_cut_stop("free", "a thread that is not the program's frees a block of its");
    struct env_thread *thread = env_thread() ? env_thread() : __recut_cut_thread();
    if (!thread)
        return false;
    /* What environment does in a replay is in the log: __recut_cut_free_replayed(). */
    __recut_cut_order_begin(thread, is_inside());
    if (!is_inside())
        __recut_cut_write_store(thread, block, 0, EVENT_FREED);
    give(block);
    __recut_cut_order_end(thread);
    return true;
}

void __recut_cut_free_replayed(void *block) { give(block); }

static bool begin(const struct pool_arena *arena) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread || arena->slot < CUT_SLOTS)
        return false;
    __recut_cut_order_begin(thread, true);
    return true;
}

static void end(void) { __recut_cut_order_end(env_thread()); }

void __recut_cut_heap_begin(void) {
    static const struct pool_border border = {frees, begin, end, CUT_SLOTS};
    __recut_pool_border = &border;
}

/* Replay space resizes a block of environment: it moves over, and what is in it is logged. */
bool __recut_cut_resizes(void *block, size_t size, void **ret) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread || !block || !is_inside() || cut_is_own_block(block))
        return false;
    bool records = __recut_cut_mode == CUT_RECORD;
    *ret = size ? __recut_pool_malloc(size) : NULL;
    if (*ret) {
        uint64_t count = 0;
        if (records) {
            count = __recut_malloc_usable_size(block);
            count = count < size ? count : size;
        }
        const void *bytes = __recut_cut_given(block, &count);
        memcpy(*ret, bytes, count);
    }
    if (records && (*ret || !size))
        __recut_free(block);
    return true;
}
