/* Who runs a once function, and who comes after it?  See sync.c for the other operations. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/baton.h"
#include "runtime/race.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"

static _Thread_local struct {
    void (*function)(void);
    const struct operation *operation;
    bool did_run;
    unsigned depth; /* serial: of the section */
} once;

/* The thread that runs it says so before, since others may wait for what it does; and it
 * has its number before libc lets those others go on, who must come after it. */
static void run_once(void) {
    if (__recut_env_mode == ENV_RECORD)
        __recut_sync_log(once.operation, 1);
    once.function();
    once.did_run = true;
    __recut_sync_number(once.operation);
}

/* Serial: others that come while it runs wait in libc, without the baton, and so do we; it
 * runs with the baton.  Two events if it does, before it and after; else one, or none if
 * libc says at once that all is done. */
static bool is_done(const void *control) {
    enum { glibc_done = 2 };
    return __atomic_load_n((const int *)control, __ATOMIC_ACQUIRE) == glibc_done;
}

static void run_once_serial(void) {
    __recut_section_come_back(once.depth);
    __typeof__(once) ours = once;
    if (__recut_env_mode == ENV_RECORD)
        __recut_sync_log(once.operation, 1);
    once.function();
    once = ours;
    once.did_run = true;
    once.depth = __recut_section_go_out();
}

static void record_once_serial(void (*call)(void *, void (*)(void)), void *control) {
    const struct operation *operation = once.operation;
    if (is_done(control)) {
        env_skip(&env_thread()->out, operation->from);
        return;
    }
    once.depth = __recut_section_go_out();
    call(control, run_once_serial);
    __recut_section_come_back(once.depth);
    if (__recut_env_mode == ENV_RECORD)
        __recut_sync_log(operation, 0);
}

static void replay_once_serial(void) {
    const struct operation *operation = once.operation;
    if (__recut_sync_replay_serial(operation) == 0) {
        RACE_HOOK(acquire(operation->object));
        return;
    }
    once.function();
    RACE_HOOK(release(operation->object));
    __recut_sync_replay_serial(operation);
}

/* In the log both are pthread_once(), whose result says which event it is. */
static void once_serial(struct operation operation, void *control,
                        void (*call)(void *, void (*)(void))) {
    operation.special = SPECIAL_pthread_once;
    operation.is_void = false;
    once.operation = &operation;
    if (__recut_env_mode == ENV_REPLAY)
        replay_once_serial();
    else
        record_once_serial(call, control);
}

#define ONCE(type, name, control_type, call)                                                       \
    static void name##_serial(void *control, void (*run)(void)) { call; }                          \
    type __recut_special_##name(control_type *, void (*)(void));                                   \
    type __recut_special_##name(control_type *control, void (*function)(void)) {                   \
        BEGIN(name, control, "hn");                                                                \
        operation.is_void = _Generic((type(*)(void))0, void (*)(void): true, default: false);      \
        if (mode == ENV_OFF) {                                                                     \
            void (*run)(void) = function;                                                          \
            return (type)call;                                                                     \
        }                                                                                          \
        __typeof__(once) outer = once;                                                             \
        once = (__typeof__(once)){function, &operation, false, 0};                                 \
        void (*run)(void) = run_once;                                                              \
        if (__recut_is_serial) {                                                                   \
            once_serial(operation, control, name##_serial);                                        \
            once = outer;                                                                          \
            return (type)0;                                                                        \
        }                                                                                          \
        int64_t told;                                                                              \
        bool runs = mode == ENV_RECORD || __recut_sync_take(&operation, &told);                    \
        if (runs)                                                                                  \
            call;                                                                                  \
        if (!once.did_run)                                                                         \
            __recut_sync_number(&operation);                                                       \
        once = outer;                                                                              \
        return (type)0;                                                                            \
    }

ONCE(int, pthread_once, pthread_once_t, REAL(pthread_once)(control, run))
ONCE(void, call_once, once_flag, REAL(call_once)(control, run))
