/* How does a recorded thread end, and who waits for it?  See thread_recorded.h. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cleanup.h"
#include "runtime/env_callback.h"
#include "runtime/pool.h"
#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"
#include "runtime/thread.h"
#include "runtime/thread_made.h"
#include "runtime/thread_recorded.h"

extern const uint64_t __recut_defines_malloc;

/* libc needs the memory of a thread that is over until nobody can ask for its result: the
 * slot is free then. In a section. */
static void release(uint32_t slot) {
    __recut_made[slot].recorded = 0;
    __recut_thread_give_slot(slot);
}

/* --- ends ---------------------------------------------------------------------------- */

/* A first thread that ended is there until all others have. */
static bool has_main_ended(long process) {
    char path[64] = "/proc/self/task/", text[200], digits[24];
    strcat(strcat(path, __recut_decimal((uint64_t)process, digits)), "/stat");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return true;
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    return !name_end || name_end[1] != ' ' || name_end[2] == 'Z' || name_end[2] == 'X';
}

/* libc ends the program in the thread that is the last to go, and that is to be this one. */
static void await_others(void) {
    long process = raw_syscall3(SYS_getpid, 0, 0, 0);
    for (uint32_t slot = 1; slot < __recut_made_end; slot++)
        while (slot != __recut_self.slot && __recut_made[slot].tid &&
               raw_syscall3(SYS_tgkill, process, __recut_made[slot].tid, 0) != -ESRCH)
            sched_yield();
    while (__recut_self.slot && !has_main_ended(process))
        sched_yield();
}

bool __recut_thread_recorded_exit(void) {
    struct env_thread *env = __recut_self.env;
    if (!env || __recut_env_mode == ENV_OFF)
        return false;
    RACE_HOOK(thread_ends());
    if (!__recut_defines_malloc)
        __recut_pool_remote_flush();
    __recut_section_enter(0);
    bool has_ended = __recut_env_mode == ENV_OFF; /* in the meantime */
    if (has_ended || __recut_order_is_alone()) {
        __recut_section_leave();
        if (!has_ended)
            await_others();
        return !has_ended;
    }
    if (__recut_env_mode == ENV_RECORD) {
        unsigned char *p = log_begin(&env->out, EVENT_DONE, 4);
        if (p)
            log_end(&env->out, p);
    } else {
        struct diverge_place now = {"the end of a thread", 0};
        if (!log_next(&env->in))
            __recut_order_park();
        if (env->in.kind != EVENT_DONE)
            __recut_diverge(&env->in, "event", "a call", "the end of the thread", now);
        __recut_env_check_path(&env->in, now);
        __recut_env_expected(&env->in);
    }
    return false;
}

bool __recut_thread_recorded_exited(void) {
    struct env_thread *env = __recut_self.env;
    __recut_cleanup_done();
    if (!env)
        return false;
    if (__recut_env_mode == ENV_OFF) /* its memory is left alone */
        return true;
    bool records = __recut_env_mode == ENV_RECORD;
    if (env != &__recut_env_main) {
        __recut_made[__recut_self.slot].is_over = true;
        if (__recut_made[__recut_self.slot].is_detached)
            release(__recut_self.slot);
    }
    __recut_order_thread(-1);
    __recut_section_leave();
    if (env->section.base)
        __recut_section_end();
    __recut_self.env = NULL;
    if (records)
        __recut_log_close(&env->out);
    else
        __recut_log_unmap(&env->in);
    if (env != &__recut_env_main)
        raw_scratch_end(env, sizeof *env);
    return true;
}

/* --- join ---------------------------------------------------------------------------- */

/* Nobody will ask for its result any more. */
static void joined(pthread_t thread, bool is_detached) {
    uint32_t slot = __recut_made_slot(thread);
    if (!slot)
        return;
    if (!is_detached)
        RACE_HOOK(thread_joined(__recut_made[slot].number));
    __recut_made[slot].is_detached = is_detached;
    if (!is_detached || __recut_made[slot].is_over)
        release(slot);
}

static void worked(const struct operation *operation, pthread_t thread, bool detaches) {
    SECTION(operation->from);
    if (__recut_env_mode == ENV_RECORD)
        env_skip(&env_thread()->out, operation->from);
    else
        env_skips(&env_thread()->in, operation->from);
    joined(thread, detaches);
}

/* What the thread returned is stored by now, and in a replay only after the event: no hash of
 * memory goes with it. */
static void log_unhashed(const struct operation *operation, int64_t answer) {
    struct log_writer *log = &env_thread()->out;
    uint64_t next_hash = log->next_hash;
    log->next_hash = UINT64_MAX;
    __recut_sync_log(operation, answer);
    log->next_hash = next_hash;
}

/* `call`: with `real` as the thread; `again`: what a replay does if it worked. */
#define JOIN(name, parameters, letters, detaches, call, again)                                     \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        struct operation operation = {                                                             \
            SPECIAL_##name, HERE, (void *)thread, letters, errno, false};                          \
        pthread_t real = thread;                                                                   \
        int64_t answer;                                                                            \
        if (__recut_env_mode == ENV_OFF || !__recut_is_threaded ||                                 \
            !env_is_from_program(operation.from))                                                  \
            return call;                                                                           \
        if (__recut_is_serial && __recut_env_mode == ENV_RECORD) {                                 \
            answer = ENV_OUTSIDE(call);                                                            \
            if (__recut_env_mode == ENV_RECORD)                                                    \
                log_unhashed(&operation, answer);                                                  \
            if (__recut_env_mode == ENV_RECORD && answer == 0)                                     \
                joined(thread, detaches);                                                          \
            return (int)answer;                                                                    \
        }                                                                                          \
        if (__recut_is_serial) {                                                                   \
            answer = __recut_sync_replay_serial(&operation);                                       \
            real = __recut_made_real(thread);                                                      \
            if (answer == 0) {                                                                     \
                answer = again;                                                                    \
                joined(thread, detaches);                                                          \
            }                                                                                      \
            return (int)answer;                                                                    \
        }                                                                                          \
        if (__recut_env_mode == ENV_RECORD) {                                                      \
            answer = ENV_OUTSIDE(call);                                                            \
            if (__recut_env_mode == ENV_RECORD && answer != 0)                                     \
                __recut_sync_log(&operation, answer);                                              \
            else if (__recut_env_mode == ENV_RECORD)                                               \
                worked(&operation, thread, detaches);                                              \
            return (int)answer;                                                                    \
        }                                                                                          \
        if (__recut_sync_take_waited(&operation, &answer))                                         \
            return (int)answer;                                                                    \
        real = __recut_made_real(thread);                                                          \
        __recut_order_block_on(__recut_made_slot(thread));                                         \
        answer = again;                                                                            \
        __recut_order_unblock();                                                                   \
        worked(&operation, thread, detaches);                                                      \
        return (int)answer;                                                                        \
    }

JOIN(pthread_join, (pthread_t thread, void **result), "p", false, REAL(pthread_join)(real, result),
     REAL(pthread_join)(real, result))
JOIN(pthread_tryjoin_np, (pthread_t thread, void **result), "p", false,
     REAL(pthread_tryjoin_np)(real, result), pthread_join(real, result))
JOIN(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until), "ph",
     false, REAL(pthread_timedjoin_np)(real, result, until), pthread_join(real, result))
JOIN(thrd_join, (thrd_t thread, int *result), "p", false, REAL(thrd_join)(real, result),
     REAL(thrd_join)(real, result))
JOIN(pthread_detach, (pthread_t thread), "p", true, REAL(pthread_detach)(real),
     REAL(pthread_detach)(real))
JOIN(thrd_detach, (thrd_t thread), "p", true, REAL(thrd_detach)(real), REAL(thrd_detach)(real))
