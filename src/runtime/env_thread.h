/*
 * What a thread that is recorded or replayed keeps, and the steps that all
 * kinds of calls share.
 */
#ifndef RECUT_RUNTIME_ENV_THREAD_H
#define RECUT_RUNTIME_ENV_THREAD_H

#include "runtime/async.h"
#include "runtime/atomic.h"
#include "runtime/baton.h"
#include "runtime/cut.h"
#include "runtime/diverge.h"
#include "runtime/env.h"
#include "runtime/log_read.h"
#include "runtime/log_write.h"
#include "runtime/order.h"
#include "runtime/section.h"
#include "runtime/self.h"

/* Places that calls come from, by return address: open addressing, at most half full. */
struct env_sites {
    struct env_site {
        uint64_t return_address;
        uint32_t index, id;
    } *entries;
    uint32_t size, count;
};

/* A call by the environment that is not over (env_callback.c). */
struct env_entered {
    void *return_address; /* what it returns to */
    void **return_slot;
    char *outside;
};

/* What a thread had that makes a call of the environment (env_callback.h). */
struct env_outside {
    char *data_stack;
    char *outer;
    unsigned depth; /* of the section */
    FILE *held;     /* in it */
};

enum { env_most_entered = 256, env_fast_places = 16 };

struct env_thread {
    struct log_writer out; /* ENV_RECORD */
    struct log_reader in;  /* ENV_REPLAY */
    struct env_sites sites;
    /* The last place that a fast function (fast.c) was called from. */
    struct {
        uint64_t from;
        uint32_t site;
    } fast[env_fast_places];
    struct env_entered entered[env_most_entered];
    unsigned entered_count;
    struct env_outside away[env_most_entered + 1]; /* the last one, by calls that are not over */
    char *outside_stack; /* the data stack while the thread is outside; NULL if it is not */
    struct section_state section;
    struct async_state async;
    struct atomic_seen seen[atomic_most_seen];
    struct {
        const void *mutex; /* while the thread waits for a condition ... */
        uint64_t from;     /* ... at this place */
    } gives_back;
    struct cut_thread cut;
    uint64_t order[order_count]; /* by counter: the number after the last one of this thread */
};

/* Of the calling thread; NULL if the runtime does not know it. */
extern struct env_thread __recut_env_main;
static inline struct env_thread *env_thread(void) { return __recut_self.env; }

/* Record: the id of the place a call comes from; the log learns of a new one. */
uint32_t __recut_env_site(struct log_writer *log, uint64_t return_address, uint64_t index);

/* Record: the head of a call's event. */
static inline unsigned env_call_head(bool errno_changed) {
    struct section_state *section = &env_thread()->section;
    unsigned head = EVENT_CALL | (errno_changed ? EVENT_ERRNO : 0);
    if (__builtin_expect(section->is_counted, 0))
        __recut_section_uncount();
    if (__builtin_expect(section->went_out, 0)) {
        section->went_out = false;
        head |= EVENT_OUTSIDE;
    }
    return head;
}

/* Record: a call that went as it always does and leaves nothing in the log. */
static inline void env_skip(struct log_writer *log, uint64_t return_address) {
    if (!env_is_from_program(return_address))
        return;
    log->events++;
    log->skipped++;
    log->path = log->path * 31 + (uint32_t)return_address;
    if (__builtin_expect(__recut_is_threaded, 0))
        log->window->skipped = log->skipped; /* others may wait for it in a replay */
}

/* Replay: is the code the one that was recorded?  If it is another variant, calls come from
 * other addresses. */
extern bool __recut_env_same_code;

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
    if (__builtin_expect(__recut_is_serial, 0))
        __recut_async_expect();
    if (__builtin_expect(log->events == log->stop_at, 0))
        __recut_replay_stop(log, (struct diverge_place){NULL, return_address});
    return true;
}

/* Replay: the call that is made now is the next one in the log; its body is
 * ready to be read behind the site.  Does not return if it is another. */
void __recut_env_expect(struct log_reader *log, uint64_t return_address, uint64_t index);

/* Replay: the calls into the program that were made while a call waited. */
void __recut_env_meanwhile(struct log_reader *log, struct diverge_place now);

/* The thread goes on with the first stream of another directory. False: it cannot be. */
bool __recut_env_move(struct env_thread *thread, const char *directory);
/* The directory of this process, and of the first. */
const char *__recut_env_directory(void);
const char *__recut_env_root(void);

/* Replay: the body was read to its end. */
void __recut_env_expected(struct log_reader *log);

/* Replay: the log has no more events. So the replay is over, or, with threads, this one
 * waits for the others. */
void __recut_env_at_end(struct log_reader *log, struct diverge_place now) __attribute__((noreturn));

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
