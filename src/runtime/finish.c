/*
 * How does a run that is recorded or replayed end?  See finish.h.
 *
 * exit() tells its status to the first handler that was registered, and after
 * all handlers runs the destructors of the executable.  The last of those is
 * ours: nothing of the program runs after it.
 */
#include "runtime/finish.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/crash.h"
#include "runtime/env_thread.h"
#include "runtime/failure.h"
#include "runtime/process_child.h"
#include "runtime/raw.h"
#include "runtime/state.h"
#include "runtime/stream.h"
#include "runtime/testing.h"

static int exit_status;
static bool is_exiting;

static void note_status(int status, void *data) {
    (void)data;
    exit_status = status;
    is_exiting = true;
    __recut_failure_exits(status);
}

static void record_end(int status) {
    struct log_writer *log = &env_thread()->out;
    bool is_hashed = __recut_state_every && __recut_state_stands_still();
    uint64_t hash = is_hashed ? __recut_state_hash() : 0;
    unsigned char *p = log_begin(log, EVENT_EXIT, 30);
    if (p)
        log_end(log, put_u64(put_varint(p, (uint32_t)status), hash));
    if (__recut_env_mode == ENV_RECORD)
        __recut_log_close(log);
    __recut_env_mode = ENV_OFF;
}

static void replay_end(int status) {
    struct log_reader *log = &env_thread()->in;
    struct diverge_place now = {"exit", 0};
    __recut_process_check();
    if (!log_next(log))
        __recut_env_at_end(log, now);
    if (log->kind != EVENT_EXIT)
        __recut_diverge(log, "event", "a call", "the end of the program", now);
    __recut_env_check_path(log, now);
    uint32_t recorded = (uint32_t)get_varint(log);
    if (recorded != (uint32_t)status)
        __recut_diverge_number(log, "exit status", (int32_t)recorded, status, now);
    uint64_t hash = get_u64(log);
    if (hash && __recut_is_threaded && !__recut_is_serial)
        __recut_order_await_others();
    if (hash)
        __recut_state_verify(log, hash, now);
    if (__recut_state_verifies)
        __recut_replay_verified(log, __recut_state_verified);
    __recut_env_mode = ENV_OFF;
}

void __recut_finish_now(int status) {
    __recut_cut_exit(status);
    if (!env_thread()) /* a library's, of which nothing is recorded */
        __recut_env_mode = ENV_OFF;
    if (__recut_env_mode != ENV_OFF && __recut_is_threaded)
        __recut_section_enter(0);
    if (__recut_env_mode == ENV_RECORD)
        record_end(status);
    else if (__recut_env_mode == ENV_REPLAY)
        replay_end(status);
}

/* libc writes out what its streams hold after this. */
static void finish(void) {
    if (is_exiting)
        __recut_cut_exit(exit_status);
    if (!is_exiting || __recut_env_mode == ENV_OFF)
        return;
    bool replays = __recut_env_mode == ENV_REPLAY;
    __recut_finish_now(exit_status);
    if (replays) {
        __recut_stream_flush_all();
        raw_syscall3(SYS_exit_group, exit_status & 0xff, 0, 0);
    }
}

__attribute__((section(".fini_array.0"), used)) static void (*const entry)(void) = finish;

/* Registered when libc already has what runs destructors in its list, so that
 * it comes before those, and before any handler of the program, so that it comes
 * after. */
static void watch_exit(void) {
    __recut_env_start();
    if (__recut_env_mode != ENV_OFF || __recut_cut_mode != CUT_OFF || __recut_failure_by_exit ||
        __recut_testing_is_on)
        on_exit(note_status, NULL);
}

__attribute__((section(".init_array.0"), used)) static void (*const watch)(void) = watch_exit;

void __recut_finish_inside(struct log_reader *log, struct diverge_place now) {
    if (log->kind == EVENT_CRASH)
        __recut_crash_inside(log, now);
    __recut_replay_ends(log, now);
}

#define EXIT_NOW(name)                                                                             \
    void __recut_special_##name(int) __attribute__((noreturn));                                    \
    void __recut_special_##name(int status) {                                                      \
        __recut_finish_now(status);                                                                \
        raw_syscall3(SYS_exit_group, status & 0xff, 0, 0);                                         \
        __builtin_unreachable();                                                                   \
    }
EXIT_NOW(_exit)
EXIT_NOW(_Exit)
