/*
 * What a thread that is recorded or replayed keeps, and the steps that all
 * kinds of calls share.
 */
#ifndef RECUT_RUNTIME_ENV_THREAD_H
#define RECUT_RUNTIME_ENV_THREAD_H

#include "runtime/diverge.h"
#include "runtime/env.h"
#include "runtime/log_read.h"
#include "runtime/log_write.h"

struct env_thread {
    struct log_writer out; /* ENV_RECORD */
    struct log_reader in;  /* ENV_REPLAY */
};

/* One stream, main's, until threads are recorded. */
extern struct env_thread __recut_env_main;
static inline struct env_thread *env_thread(void) { return &__recut_env_main; }

/* Record: the id of the place a call comes from; the log learns of a new one. */
uint32_t __recut_env_site(struct log_writer *log, uint64_t return_address, uint64_t index);

/* Record: a call that went as it always does and leaves nothing in the log. */
static inline void env_skip(struct log_writer *log, uint64_t return_address) {
    if (!env_is_from_program(return_address))
        return;
    log->events++;
    log->skipped++;
    log->path = log->path * 31 + (uint32_t)return_address;
}

/* Replay: where a call is made from, as the recorded run has it.  A function that
 * the environment called and that ends in a jump to another one returns, as it
 * were, from where itself was called: that is the runtime, and another place of it. */
void __recut_env_invoked(void);
void __recut_callback_return(void);
static inline uint64_t env_place(uint64_t return_address) {
    return return_address == (uint64_t)__recut_env_invoked ? (uint64_t)__recut_callback_return
                                                           : return_address;
}

/* Replay: may this call be one that is not in the log?  Counts it if so. */
static inline bool env_skips(struct log_reader *log, uint64_t return_address) {
    log_next(log);
    if (log->skips >= log->skipped)
        return false;
    log->events++;
    log->skips++;
    log->skips_path = log->skips_path * 31 + (uint32_t)env_place(return_address);
    if (__builtin_expect(log->events == log->stop_at, 0))
        __recut_replay_stop(log, (struct diverge_place){NULL, return_address});
    return true;
}

/* Replay: the call that is made now is the next one in the log; its body is
 * ready to be read behind the site.  Does not return if it is another. */
void __recut_env_expect(struct log_reader *log, uint64_t return_address, uint64_t index);

/* Replay: the body was read to its end. */
void __recut_env_expected(struct log_reader *log);

/* Replay: the calls that are not in the log were those of the recorded run. */
void __recut_env_check_path(struct log_reader *log, struct diverge_place now);
/* Replay: all effects of the call are there; compares memory if the recorded
 * run took a hash of it here. */
void __recut_env_answered(struct log_reader *log);
/* Record: after each event; a hash of memory if one is due. */
void __recut_env_note(struct log_writer *log);

/* Replay: what is in the log is a call into the program: makes it. */
void __recut_env_reenter(struct log_reader *log);

#endif
