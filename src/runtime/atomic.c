/* In which order do atomic operations take place?  See atomic.h. */
#include "runtime/atomic.h"

#include <errno.h>

#include "runtime/env_thread.h"

/* A signal handler may come in between and have operations of its own: those are not
 * ordered. */
void __recut_atomic_enter(const void *address) {
    struct env_thread *thread = __recut_self.env;
    uint64_t place = (uint64_t)__builtin_return_address(0);
    if (!__recut_is_threaded || !thread || __recut_env_mode == ENV_OFF ||
        thread->section.atomic_depth++)
        return;
    if (__recut_env_mode == ENV_RECORD)
        __recut_order_lock(order_of(address), place);
    else
        __recut_order_wait(order_of(address), place);
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
