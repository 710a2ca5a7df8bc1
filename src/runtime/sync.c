/*
 * Locks, conditions, semaphores and barriers of a program with threads, while it is
 * recorded or replayed.
 *
 * libc does the work in both runs; the order of what it does is logged, and kept in a
 * replay (order.h).  Three kinds of operations:
 *
 *   acquire   takes something that only one has, or that another gave.  Record: done
 *             first, then it gets its number.  Replay: waits for its number, then does
 *             it, which may still wait for a thread that is about to let go.
 *   give      lets others go on (sem_post, a signal).  The number comes first.
 *   release   lets go of what was acquired: no number, since whoever acquires it next
 *             has one.
 *
 * What an operation returns follows from that, but for those that may give up: their
 * result is logged when it is not success.
 *
 * Before the first thread is made nothing waits for anybody: libc is called in both
 * runs and nothing is logged.
 *
 * Objects that libc placed (sem_open) are not there in a replay: their results come
 * from the log.
 *
 * In serial mode (baton.h) an operation that need not wait leaves nothing in the log,
 * one that waits gives the baton away meanwhile and is an event like any call, and a
 * replay has no locks at all.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <threads.h>

#include "runtime/access.h"
#include "runtime/baton.h"
#include "runtime/cancel.h"
#include "runtime/env_callback.h"
#include "runtime/race.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"

/* Is the object there in a replay, and nobody else's? */
static bool is_private(const void *object) {
    return access_is_ours(object) && !__recut_env_is_shared(object, 1);
}

/* Record: it did not succeed, or did in a way that is told. */
void __recut_sync_log(const struct operation *operation, int64_t result) {
    unsigned char *p =
        __recut_special_write(operation->special, operation->from, operation->old_errno, 100);
    if (!p)
        return;
    for (const char *input = operation->inputs; *input; input++)
        p = *input == 'h' ? put_u32(p, 0)
                          : put_svarint(p, *input == 'p' ? (intptr_t)operation->object : 0);
    p = operation->is_void ? __recut_special_errno(p, operation->old_errno)
                           : __recut_special_result(p, result, operation->old_errno);
    __recut_special_end(put_varint(p, 0));
}

/* Replay: what is in the event; 0 if it returns nothing. */
static int64_t take_event(const struct operation *operation, struct log_reader *log) {
    int64_t result = 0;
    for (const char *input = operation->inputs; *input; input++)
        *input == 'h' ? (void)get_u32(log) : (void)get_svarint(log);
    if (operation->is_void)
        __recut_special_take_errno(log);
    else
        result = __recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_special_done(log);
    return result;
}

/* Replay: handlers that ran meanwhile; then whether there is such an event. */
bool __recut_sync_take(const struct operation *operation, int64_t *ret) {
    struct log_reader *log = &env_thread()->in;
    struct diverge_place now = {__recut_special_name(SPECIAL_BASE + operation->special),
                                operation->from};
    __recut_env_meanwhile(log, now);
    if (log->kind != EVENT_CALL || log->skips != log->skipped ||
        !__recut_special_is_next(operation->special))
        return false;
    __recut_special_read(operation->special, operation->from);
    int64_t result = take_event(operation, log);
    if (!operation->is_void)
        *ret = result;
    return true;
}

bool __recut_sync_take_waited(const struct operation *operation, int64_t *ret) {
    struct log_reader *log = &env_thread()->in;
    if (__recut_sync_take(operation, ret))
        return true;
    if (cancel_is_next(log))
        __recut_cancel_take(log, (struct diverge_place){NULL, operation->from});
    return false;
}

/* --- races --------------------------------------------------------------------------- */

/* The operation took the object: that of a thread that died with it, too. */
static bool has_acquired(int64_t result) { return result == 0 || result == EOWNERDEAD; }

/* Replay: what the operation took orders the thread after those who gave it. */
static void tell_acquired(const struct operation *operation) {
    switch (operation->special) {
    case SPECIAL_pthread_rwlock_rdlock:
    case SPECIAL_pthread_rwlock_tryrdlock:
    case SPECIAL_pthread_rwlock_timedrdlock:
        RACE_HOOK(acquire_shared(operation->object));
        break;
    case SPECIAL_pthread_rwlock_wrlock:
    case SPECIAL_pthread_rwlock_trywrlock:
    case SPECIAL_pthread_rwlock_timedwrlock:
        RACE_HOOK(acquire_exclusive(operation->object));
        break;
    default:
        RACE_HOOK(acquire(operation->object));
    }
}

/* The same for one that is not watched, since it returns to a library: the last thing that a
 * function did which that called. */
static int64_t tell_result(const struct operation *operation, int64_t result) {
    if (has_acquired(result))
        tell_acquired(operation);
    return result;
}

/* Replay: before others can have it.  Conditions order nothing, their mutexes do. */
static void tell_released(const struct operation *operation) {
    switch (operation->special) {
    case SPECIAL_pthread_rwlock_unlock:
        RACE_HOOK(release_either(operation->object));
        break;
    case SPECIAL_pthread_cond_signal:
    case SPECIAL_pthread_cond_broadcast:
    case SPECIAL_cnd_signal:
    case SPECIAL_cnd_broadcast:
        break;
    default:
        RACE_HOOK(release(operation->object));
    }
}

/* What has an order and nothing else: libc does not do it again in a replay. */
void __recut_sync_number(const struct operation *operation) {
    unsigned counter = order_of(operation->object);
    if (__recut_env_mode == ENV_RECORD)
        __recut_order_note(counter, operation->from);
    if (__recut_env_mode != ENV_REPLAY)
        return;
    __recut_order_wait(counter, operation->from);
    RACE_HOOK(acquire(operation->object));
    RACE_HOOK(release(operation->object));
    __recut_order_done(counter);
}

/* --- serial -------------------------------------------------------------------------- */

/* Record: nothing was waited for. */
int64_t __recut_sync_made_serial(const struct operation *operation, int64_t result) {
    if (__recut_env_mode != ENV_RECORD)
        return result;
    if (result != 0)
        __recut_sync_log(operation, result);
    else
        env_skip(&env_thread()->out, operation->from);
    return result;
}

/* Record: it waited. */
int64_t __recut_sync_waited_serial(const struct operation *operation, int64_t result) {
    int saved = errno;
    if (__recut_env_mode == ENV_RECORD)
        __recut_sync_log(operation, result);
    errno = saved;
    return result;
}

int64_t __recut_sync_replay_serial(const struct operation *operation) {
    struct log_reader *log = &env_thread()->in;
    if (env_skips(log, operation->from))
        return 0;
    __recut_special_read(operation->special, operation->from);
    return take_event(operation, log);
}

int64_t __recut_sync_acquire_serial(const struct operation *operation) {
    int64_t result = __recut_sync_replay_serial(operation);
    if (has_acquired(result))
        tell_acquired(operation);
    return result;
}

int64_t __recut_sync_release_serial(const struct operation *operation) {
    tell_released(operation);
    return __recut_sync_replay_serial(operation);
}

/* The mutex of a condition that the thread waits for: until it has it again. */
static void give_back(const struct operation *operation, const void *mutex) {
    env_thread()->gives_back.mutex = mutex;
    env_thread()->gives_back.from = operation->from;
}

static int64_t replay_wait_serial(const struct operation *operation, const void *mutex) {
    RACE_HOOK(release(mutex));
    give_back(operation, mutex);
    int64_t result = __recut_sync_replay_serial(operation);
    env_thread()->gives_back.mutex = NULL;
    RACE_HOOK(acquire(mutex));
    return result;
}

static int64_t replay_barrier_serial(const struct operation *operation) {
    uint32_t round = 0;
    if (__recut_race_is_on)
        round = __recut_race_arrive(operation->object);
    int64_t result = __recut_sync_replay_serial(operation);
    RACE_HOOK(depart(operation->object, round));
    return result;
}

/* `call` does not wait; `slow` does; `replayed` is what a replay does. */
#define SERIAL(call, slow, replayed)                                                               \
    if (__recut_is_serial) {                                                                       \
        __recut_baton_chance(operation.from);                                                      \
        if (mode == ENV_REPLAY)                                                                    \
            return (int)(replayed);                                                                \
        int64_t made = (call);                                                                     \
        return (int)(made == EBUSY                                                                 \
                         ? __recut_sync_waited_serial(&operation, ENV_OUTSIDE((int64_t)(slow)))    \
                         : __recut_sync_made_serial(&operation, made));                            \
    }

/* --- acquire ------------------------------------------------------------------------- */

static void acquired(const struct operation *operation) {
    __recut_order_note(order_of(operation->object), operation->from);
}

/* Record: after the operation. */
static int64_t record_acquire(const struct operation *operation, int64_t result) {
    int saved = errno;
    if (__recut_env_mode != ENV_RECORD)
        return result;
    if (result != 0 || !is_private(operation->object))
        __recut_sync_log(operation, result);
    if (has_acquired(result))
        acquired(operation);
    errno = saved;
    return result;
}

/* Replay: before the operation, if it succeeded; else its result. */
static bool replay_acquire(const struct operation *operation, int64_t *ret) {
    *ret = 0;
    bool is_told = __recut_sync_take_waited(operation, ret);
    if (is_told && !has_acquired(*ret))
        return false;
    __recut_order_wait(order_of(operation->object), operation->from);
    if (is_private(operation->object))
        return true;
    tell_acquired(operation);
    __recut_order_done(order_of(operation->object));
    return false;
}

/* `again`: what a replay does. */
#define REPLAY_ACQUIRE(type, again)                                                                \
    if (!replay_acquire(&operation, &result))                                                      \
        return (type)result;                                                                       \
    __recut_order_block();                                                                         \
    result = (again);                                                                              \
    __recut_order_unblock();                                                                       \
    tell_acquired(&operation);                                                                     \
    __recut_order_done(order_of(operation.object));                                                \
    return (type)result;

/* `quick`: the same without waiting, or EBUSY. */
#define ACQUIRE(type, name, parameters, pointer, letters, quick, slow, again)                      \
    type __recut_special_##name parameters;                                                        \
    type __recut_special_##name parameters {                                                       \
        BEGIN(name, pointer, letters);                                                             \
        int64_t result;                                                                            \
        if (mode == ENV_OFF)                                                                       \
            return (type)tell_result(&operation, (slow));                                          \
        SERIAL(quick, slow, __recut_sync_acquire_serial(&operation))                               \
        if (mode == ENV_RECORD) {                                                                  \
            result = (quick);                                                                      \
            if (result == EBUSY)                                                                   \
                result = ENV_OUTSIDE(slow);                                                        \
            return (type)record_acquire(&operation, result);                                       \
        }                                                                                          \
        REPLAY_ACQUIRE(type, again)                                                                \
    }

/* Those that never wait. */
#define TRY(type, name, parameters, pointer, call, again)                                          \
    type __recut_special_##name parameters;                                                        \
    type __recut_special_##name parameters {                                                       \
        BEGIN(name, pointer, "h");                                                                 \
        int64_t result;                                                                            \
        if (mode == ENV_OFF)                                                                       \
            return (type)tell_result(&operation, (call));                                          \
        if (__recut_is_serial) {                                                                   \
            __recut_baton_chance(operation.from);                                                  \
            return (type)(mode == ENV_REPLAY ? __recut_sync_acquire_serial(&operation)             \
                                             : __recut_sync_made_serial(&operation, (call)));      \
        }                                                                                          \
        if (mode == ENV_RECORD)                                                                    \
            return (type)record_acquire(&operation, (call));                                       \
        REPLAY_ACQUIRE(type, again)                                                                \
    }

static int try_mutex(void *mutex) { return pthread_mutex_trylock(mutex); }
/* C11's have other numbers for what went wrong: all but success is found out again. */
static int try_standard(mtx_t *mutex) { return try_mutex(mutex) == 0 ? 0 : EBUSY; }
static int try_semaphore(sem_t *semaphore) {
    int saved = errno, failed = sem_trywait(semaphore);
    errno = saved;
    return failed ? EBUSY : 0;
}

ACQUIRE(int, pthread_mutex_lock, (pthread_mutex_t * mutex), mutex, "h", try_mutex(mutex),
        pthread_mutex_lock(mutex), pthread_mutex_lock(mutex))
TRY(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), mutex, pthread_mutex_trylock(mutex),
    pthread_mutex_lock(mutex))
ACQUIRE(int, pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *until),
        mutex, "hh", try_mutex(mutex), REAL(pthread_mutex_timedlock)(mutex, until),
        pthread_mutex_lock(mutex))
ACQUIRE(int, pthread_mutex_clocklock,
        (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until), mutex, "hnh",
        try_mutex(mutex), REAL(pthread_mutex_clocklock)(mutex, clock, until),
        pthread_mutex_lock(mutex))
ACQUIRE(int, mtx_lock, (mtx_t * mutex), mutex, "h", try_standard(mutex), REAL(mtx_lock)(mutex),
        REAL(mtx_lock)(mutex))
TRY(int, mtx_trylock, (mtx_t * mutex), mutex, REAL(mtx_trylock)(mutex),
    pthread_mutex_lock((pthread_mutex_t *)mutex))
ACQUIRE(int, mtx_timedlock, (mtx_t * mutex, const struct timespec *until), mutex, "hh",
        try_standard(mutex), REAL(mtx_timedlock)(mutex, until),
        pthread_mutex_lock((pthread_mutex_t *)mutex))

ACQUIRE(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), lock, "h",
        pthread_rwlock_tryrdlock(lock), REAL(pthread_rwlock_rdlock)(lock),
        REAL(pthread_rwlock_rdlock)(lock))
ACQUIRE(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), lock, "h",
        pthread_rwlock_trywrlock(lock), REAL(pthread_rwlock_wrlock)(lock),
        REAL(pthread_rwlock_wrlock)(lock))
TRY(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), lock,
    REAL(pthread_rwlock_tryrdlock)(lock), pthread_rwlock_rdlock(lock))
TRY(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), lock,
    REAL(pthread_rwlock_trywrlock)(lock), pthread_rwlock_wrlock(lock))
ACQUIRE(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec *until),
        lock, "hh", pthread_rwlock_tryrdlock(lock), REAL(pthread_rwlock_timedrdlock)(lock, until),
        pthread_rwlock_rdlock(lock))
ACQUIRE(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec *until),
        lock, "hh", pthread_rwlock_trywrlock(lock), REAL(pthread_rwlock_timedwrlock)(lock, until),
        pthread_rwlock_wrlock(lock))

ACQUIRE(int, pthread_spin_lock, (pthread_spinlock_t * lock), lock, "h", pthread_spin_trylock(lock),
        REAL(pthread_spin_lock)(lock), REAL(pthread_spin_lock)(lock))
TRY(int, pthread_spin_trylock, (pthread_spinlock_t * lock), lock, REAL(pthread_spin_trylock)(lock),
    pthread_spin_lock(lock))

ACQUIRE(int, sem_wait, (sem_t * semaphore), semaphore, "h", try_semaphore(semaphore),
        REAL(sem_wait)(semaphore), REAL(sem_wait)(semaphore))
TRY(int, sem_trywait, (sem_t * semaphore), semaphore, REAL(sem_trywait)(semaphore),
    sem_wait(semaphore))
ACQUIRE(int, sem_timedwait, (sem_t * semaphore, const struct timespec *until), semaphore, "hh",
        try_semaphore(semaphore), REAL(sem_timedwait)(semaphore, until), sem_wait(semaphore))
ACQUIRE(int, sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
        semaphore, "hnh", try_semaphore(semaphore), REAL(sem_clockwait)(semaphore, clock, until),
        sem_wait(semaphore))

/* --- release ------------------------------------------------------------------------- */

#define RELEASE(name, parameters, pointer, letters, call)                                          \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        BEGIN(name, pointer, letters);                                                             \
        int64_t result;                                                                            \
        if (mode == ENV_OFF) {                                                                     \
            tell_released(&operation);                                                             \
            return call;                                                                           \
        }                                                                                          \
        SERIAL(call, 0, __recut_sync_release_serial(&operation))                                   \
        if (mode == ENV_RECORD) {                                                                  \
            result = call;                                                                         \
            if (result != 0 || !is_private(operation.object))                                      \
                __recut_sync_log(&operation, result);                                              \
            else                                                                                   \
                env_skip(&env_thread()->out, operation.from);                                      \
            return (int)result;                                                                    \
        }                                                                                          \
        tell_released(&operation);                                                                 \
        if (__recut_sync_take(&operation, &result))                                                \
            return (int)result;                                                                    \
        env_skips(&env_thread()->in, operation.from);                                              \
        return call;                                                                               \
    }

RELEASE(pthread_mutex_unlock, (pthread_mutex_t * mutex), mutex, "h", pthread_mutex_unlock(mutex))
RELEASE(mtx_unlock, (mtx_t * mutex), mutex, "h", REAL(mtx_unlock)(mutex))
RELEASE(pthread_rwlock_unlock, (pthread_rwlock_t * lock), lock, "h",
        REAL(pthread_rwlock_unlock)(lock))
RELEASE(pthread_spin_unlock, (pthread_spinlock_t * lock), lock, "h",
        REAL(pthread_spin_unlock)(lock))

/* --- give ---------------------------------------------------------------------------- */

/* `again`: what a replay does. */
#define GIVE(name, parameters, pointer, letters, call, again)                                      \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        BEGIN(name, pointer, letters);                                                             \
        int64_t result = 0;                                                                        \
        if (mode == ENV_OFF) {                                                                     \
            tell_released(&operation);                                                             \
            return call;                                                                           \
        }                                                                                          \
        SERIAL(call, 0, __recut_sync_release_serial(&operation))                                   \
        if (mode == ENV_RECORD) {                                                                  \
            __recut_order_note(order_of(operation.object), operation.from);                        \
            result = call;                                                                         \
            if (result != 0)                                                                       \
                __recut_sync_log(&operation, result);                                              \
            return (int)result;                                                                    \
        }                                                                                          \
        __recut_order_wait(order_of(operation.object), operation.from);                            \
        tell_released(&operation);                                                                 \
        if (is_private(operation.object))                                                          \
            again;                                                                                 \
        __recut_order_done(order_of(operation.object));                                            \
        __recut_sync_take(&operation, &result);                                                    \
        return (int)result;                                                                        \
    }

GIVE(sem_post, (sem_t * semaphore), semaphore, "h", REAL(sem_post)(semaphore),
     REAL(sem_post)(semaphore))
GIVE(pthread_cond_signal, (pthread_cond_t * condition), condition, "h",
     REAL(pthread_cond_signal)(condition), (void)0)
GIVE(pthread_cond_broadcast, (pthread_cond_t * condition), condition, "h",
     REAL(pthread_cond_broadcast)(condition), (void)0)
GIVE(cnd_signal, (cnd_t * condition), condition, "h", REAL(cnd_signal)(condition), (void)0)
GIVE(cnd_broadcast, (cnd_t * condition), condition, "h", REAL(cnd_broadcast)(condition), (void)0)

/* --- conditions ---------------------------------------------------------------------- */

/* Replay: when it is its turn to. */
static void lock_again(pthread_mutex_t *mutex, uint64_t place) {
    __recut_order_wait(order_of(mutex), place);
    if (is_private(mutex)) {
        __recut_order_block();
        pthread_mutex_lock(mutex);
        __recut_order_unblock();
    }
    RACE_HOOK(acquire(mutex));
    __recut_order_done(order_of(mutex));
}

void __recut_sync_take_back(void) {
    pthread_mutex_t *mutex = (pthread_mutex_t *)env_thread()->gives_back.mutex;
    uint64_t from = env_thread()->gives_back.from;
    env_thread()->gives_back.mutex = NULL;
    if (!mutex)
        return;
    if (__recut_is_serial)
        RACE_HOOK(acquire(mutex));
    else if (__recut_env_mode == ENV_RECORD)
        __recut_order_note(order_of(mutex), from);
    else
        lock_again(mutex, from);
}

/* A replay never waits on a condition: who was woken takes the lock again when it is its
 * turn to. */
static int64_t replay_wait(const struct operation *operation, pthread_mutex_t *mutex) {
    int64_t result = 0;
    bool is_ours = is_private(mutex);
    RACE_HOOK(release(mutex));
    if (is_ours)
        pthread_mutex_unlock(mutex);
    give_back(operation, mutex);
    __recut_sync_take_waited(operation, &result);
    env_thread()->gives_back.mutex = NULL;
    if (result == EINVAL || result == EPERM) {
        if (is_ours)
            pthread_mutex_lock(mutex);
        return result;
    }
    __recut_order_wait(order_of(operation->object), operation->from);
    __recut_order_done(order_of(operation->object));
    lock_again(mutex, operation->from);
    return result;
}

static int64_t record_wait(const struct operation *operation, pthread_mutex_t *mutex,
                           int64_t result) {
    if (__recut_env_mode != ENV_RECORD)
        return result;
    if (result != 0)
        __recut_sync_log(operation, result);
    if (result == EINVAL || result == EPERM)
        return result;
    acquired(operation);
    __recut_order_note(order_of(mutex), operation->from);
    return result;
}

#define WAIT(name, parameters, letters, call)                                                      \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        BEGIN(name, condition, letters);                                                           \
        if (mode == ENV_OFF)                                                                       \
            return call;                                                                           \
        SERIAL(EBUSY, call, replay_wait_serial(&operation, mutex))                                 \
        if (mode == ENV_RECORD) {                                                                  \
            give_back(&operation, mutex);                                                          \
            int64_t result = ENV_OUTSIDE(call);                                                    \
            env_thread()->gives_back.mutex = NULL;                                                 \
            return (int)record_wait(&operation, (pthread_mutex_t *)mutex, result);                 \
        }                                                                                          \
        return (int)replay_wait(&operation, (pthread_mutex_t *)mutex);                             \
    }

WAIT(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), "hh",
     REAL(pthread_cond_wait)(condition, mutex))
WAIT(pthread_cond_timedwait,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until), "hhh",
     REAL(pthread_cond_timedwait)(condition, mutex, until))
WAIT(pthread_cond_clockwait,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
      const struct timespec *until),
     "hhnh", REAL(pthread_cond_clockwait)(condition, mutex, clock, until))
WAIT(cnd_wait, (cnd_t * condition, mtx_t *mutex), "hh", REAL(cnd_wait)(condition, mutex))
WAIT(cnd_timedwait, (cnd_t * condition, mtx_t *mutex, const struct timespec *until), "hhh",
     REAL(cnd_timedwait)(condition, mutex, until))

/* --- barriers ------------------------------------------------------------------------ */

int __recut_special_pthread_barrier_wait(pthread_barrier_t *);
int __recut_special_pthread_barrier_wait(pthread_barrier_t *barrier) {
    BEGIN(pthread_barrier_wait, barrier, "h");
    int64_t result = 0;
    if (mode == ENV_OFF)
        return REAL(pthread_barrier_wait)(barrier);
    SERIAL(EBUSY, REAL(pthread_barrier_wait)(barrier), replay_barrier_serial(&operation))
    if (mode == ENV_RECORD) {
        __recut_order_note(order_of(barrier), operation.from);
        result = ENV_OUTSIDE(REAL(pthread_barrier_wait)(barrier));
        if (__recut_env_mode != ENV_RECORD)
            return (int)result;
        if (result != 0) /* one of the threads is told so */
            __recut_sync_log(&operation, result);
        else
            env_skip(&env_thread()->out, operation.from);
        return (int)result;
    }
    __recut_order_wait(order_of(barrier), operation.from);
    uint32_t round = __recut_race_is_on ? __recut_race_arrive(barrier) : 0;
    __recut_order_done(order_of(barrier));
    __recut_order_block();
    if (is_private(barrier))
        REAL(pthread_barrier_wait)(barrier);
    __recut_order_unblock();
    RACE_HOOK(depart(barrier, round));
    if (!__recut_sync_take(&operation, &result))
        env_skips(&env_thread()->in, operation.from);
    return (int)result;
}
