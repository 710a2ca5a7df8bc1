/*
 * Operations by which threads wait for each other, in the log; sync.c says how they
 * are recorded and replayed.
 */
#ifndef RECUT_RUNTIME_SYNC_H
#define RECUT_RUNTIME_SYNC_H

#include "runtime/env_thread.h"
#include "runtime/special.h"
#include "runtime/state.h"

struct operation {
    enum special special;
    uint64_t from;
    const void *object;
    const char *inputs; /* as the model has them: 'p' the object, 'n' another number, 'h' a hash */
    int old_errno;      /* before it */
    bool is_void;       /* returns nothing */
};

/* Record: the operation did not succeed, or did in a way that is told. */
void __recut_sync_log(const struct operation *operation, int64_t result);
/* Replay: makes the calls into the program that came meanwhile; then, whether there is
 * such an event. */
bool __recut_sync_take(const struct operation *operation, int64_t *ret);
/* The same, of one in which the thread may have been cancelled: then it does not return. */
bool __recut_sync_take_waited(const struct operation *operation, int64_t *ret);
/* Replay, serial: what the operation returned; 0 if the log has nothing of it. */
int64_t __recut_sync_replay_serial(const struct operation *operation);

/* Record, serial: the operation was made without waiting, or waited; its result. */
int64_t __recut_sync_made_serial(const struct operation *operation, int64_t result);
int64_t __recut_sync_waited_serial(const struct operation *operation, int64_t result);
/* Replay, serial: something was taken, or let go. */
int64_t __recut_sync_acquire_serial(const struct operation *operation);
int64_t __recut_sync_release_serial(const struct operation *operation);

/* Is it to be recorded or replayed?  Asked once, since another thread may end the
 * recording. */
static inline enum env_mode sync_mode(const struct operation *operation) {
    bool is_watched = __recut_is_threaded && env_is_from_program(operation->from);
    return is_watched && env_thread() ? __recut_env_mode : ENV_OFF;
}

/* How the functions begin. */
#define BEGIN(name, pointer, letters)                                                              \
    struct operation operation = {SPECIAL_##name, HERE,  (const void *)(pointer),                  \
                                  (letters),      errno, false};                                   \
    if (__builtin_expect(state_is_hashed(), 0))                                                    \
        __recut_state_leave_out(operation.object, sizeof *(pointer));                              \
    enum env_mode mode = sync_mode(&operation)

/* The thread was cancelled while it waited for a condition: the mutex is its own again. */
void __recut_sync_take_back(void);

/* Both: the operation has its place in the order of threads; libc has no part in it. */
void __recut_sync_number(const struct operation *operation);

#endif
