/* Where was a thread cancelled?  See cancel.h. */
#include "runtime/cancel.h"

#include <pthread.h>

#include "runtime/cleanup.h"
#include "runtime/env_callback.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"
#include "runtime/thread_recorded.h"

/* --- record ----------------------------------------------------------------------------- */

static void log_cancel(struct env_thread *thread) {
    struct log_writer *log = &thread->out;
    uint64_t place = thread->section.guarded_count ? __recut_section_place() : 0;
    unsigned flags = env_call_head(false) & EVENT_OUTSIDE;
    unsigned char *p = log_begin(log, EVENT_CANCEL | flags, 20);
    if (!p)
        return;
    log->events++;
    log_end(log, put_varint(p, place));
}

void __recut_cancel_note(void) {
    struct env_thread *thread = __recut_self.env;
    if (!thread)
        return;
    if (!__recut_self.data_stack && thread->outside_stack)
        __recut_env_come_back(thread->away[thread->entered_count]);
    if (__recut_env_mode == ENV_RECORD)
        log_cancel(thread);
    __recut_section_abandon();
    if (__recut_env_mode == ENV_RECORD)
        __recut_sync_take_back();
}

/* --- replay ----------------------------------------------------------------------------- */

void __recut_cancel_take(struct log_reader *log, struct diverge_place now) {
    __recut_env_check_path(log, now);
    get_varint(log);
    log->events++;
    __recut_env_expected(log);
    __recut_section_abandon();
    __recut_sync_take_back();
    if (log->events == log->stop_at)
        __recut_replay_stop(log, now);
    __recut_cleanup_end(PTHREAD_CANCELED);
}

/* --- the functions ---------------------------------------------------------------------- */

static const char ends_anywhere[] = "a thread that is cancelled anywhere cannot be replayed";

int __recut_special_pthread_cancel(pthread_t);
int __recut_special_pthread_cancel(pthread_t target) {
    uint64_t from = HERE;
    int old = errno;
    if (__recut_env_mode == ENV_REPLAY && env_is_from_program(from)) {
        struct log_reader *log = __recut_special_read(SPECIAL_pthread_cancel, from);
        __recut_special_input(log, "thread", (int64_t)target);
        int64_t result = __recut_special_take_result(log);
        if (get_varint(log) != 0)
            log->damaged = true;
        __recut_special_done(log);
        return (int)result;
    }
    if (__recut_env_mode == ENV_RECORD && !__recut_thread_recorded_is_made(target))
        __recut_env_stop("pthread_cancel", "what it cancels is no thread that the program made");
    if (__recut_env_mode == ENV_RECORD && !__recut_thread_recorded_cancel(target))
        __recut_env_stop("pthread_cancel", ends_anywhere);
    int result = pthread_cancel(target);
    if (__recut_env_mode != ENV_RECORD)
        return result;
    unsigned char *p = __recut_special_write(SPECIAL_pthread_cancel, from, old, 60);
    if (p) {
        p = put_svarint(p, (int64_t)target);
        p = __recut_special_result(p, result, old);
        __recut_special_end(put_varint(p, 0));
    }
    return result;
}

/* It leaves nothing in the log as long as it does nothing. */
void __recut_special_pthread_testcancel(void);
void __recut_special_pthread_testcancel(void) {
    uint64_t from = HERE;
    if (__recut_env_mode != ENV_REPLAY)
        pthread_testcancel();
    if (!env_thread() || !env_is_from_program(from))
        return;
    if (__recut_env_mode == ENV_RECORD)
        env_skip(&env_thread()->out, from);
    else if (__recut_env_mode == ENV_REPLAY && !env_skips(&env_thread()->in, from))
        __recut_special_read(SPECIAL_pthread_testcancel, from);
}

int __recut_special_pthread_setcanceltype(int, int *);
int __recut_special_pthread_setcanceltype(int type, int *old) {
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS && __recut_env_mode == ENV_RECORD &&
        !__recut_thread_recorded_asynchronous(true))
        __recut_env_stop("pthread_setcanceltype", ends_anywhere);
    int result = pthread_setcanceltype(type, old);
    if (type == PTHREAD_CANCEL_DEFERRED && __recut_env_mode == ENV_RECORD)
        __recut_thread_recorded_asynchronous(false);
    return result;
}
