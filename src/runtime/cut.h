/*
 * Runs of which a part is recorded: the functions on one side of a cut (src/cut), which a replay
 * executes again, while all other functions of the program are environment, as libraries are
 * (iTarget §4.1).
 *
 * The variant of the cut (instrument/cut.h) has replay space.  The program itself stays as it is
 * without a recording: its stubs lead to libc, and __recut_env_mode is ENV_OFF.  What crosses the
 * cut comes here:
 *
 *   __recut_cut_in       environment calls replay space: ENTER, then LEAVE
 *   __recut_cut_out      replay space calls environment: CALL, behind the ENTER and STORE of the
 * call
 *   __recut_cut_stored   environment has written what is valid in a replay: STORE
 *   __recut_cut_watch    environment calls a function of a library that does: STORE
 *   __recut_cut_loaded   replay space reads what is not valid: LOAD
 *   __recut_cut_ready, __recut_cut_refilled
 *                        replay space reads a character of a stream (cut_stream.c): LOAD
 *   __recut_cut_atomic_enter, __recut_cut_atomic_leave
 *                        around an atomic operation of replay space, which has a number
 *
 *     main ─ENTER─► f ─► g ─CALL─► apr_pool_create
 *            │             ◄─────      │
 *            ◄─LEAVE─
 *
 * Each side has a data stack and an arena of its own, so that what replay space allocates lies at
 * the same addresses in both runs: a crossing exchanges them (struct cut_side).  Those of replay
 * space belong to the slot of the thread plus CUT_SLOTS.
 *
 * A replay begins where the program would: each thread goes through its stream, makes the calls and
 * puts into memory what was written.  Pages of environment that it needs for that, or that replay
 * space writes to, are made when they are touched.
 *
 * Order: every crossing, of any thread, takes the next number.  An ORDER event stands before one if
 * another thread had numbers in between; in a replay everything happens by number.  Loads have
 * none.
 *
 * Rules for this side: as in env.h.
 */
#ifndef RECUT_RUNTIME_CUT_H
#define RECUT_RUNTIME_CUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "format/log.h"
#include "format/variant.h"

enum cut_mode { CUT_OFF, CUT_RECORD, CUT_REPLAY };
extern enum cut_mode __recut_cut_mode;

/* Slots of threads from here on are those of their other sides. */
#define CUT_SLOTS (RECUT_MAX_THREADS / 2)

/* What a thread has on one side. */
struct cut_side {
    char *data_stack, *stack_limit;
    struct pool_arena *arena;
    uint32_t slot;
};

enum { cut_most_signals = 32 };

/* Record: an array that environment is sorting. */
struct cut_sorted {
    const void *at; /* NULL: it is not */
    size_t size;
    uint64_t hash; /* of what the log has of it */
};

/* What a load of so many bytes from somewhere gave the last time (cut_load.c). */
struct cut_remembered {
    uint64_t key; /* 0: none */
    uint64_t value;
};

/* What calls go out through, in one thread. */
struct cut_place {
    uint32_t site; /* 1 + its id, 0: the log knows of none */
    int64_t last;  /* what the last call returned in rax */
};

struct cut_effects;
struct cut_streams;

/* Of each thread that was in replay space. */
struct cut_thread {
    struct cut_side other; /* the side on which the thread is not now */
    uint64_t silents;      /* crossings without an event, since the last one with one, or ORDER */
    uint64_t next;         /* number after that of its last crossing */
    bool is_turn;          /* replay: it is in its next crossing already */
    bool is_locked;        /* record: it has the lock that crossings are made with */
    bool is_atomic;        /* it is in an atomic operation */
    bool counts;           /* those have numbers */
    uint64_t hash;         /* of what replay space was given, loaded and returned */
    struct cut_sorted sorted;
    unsigned busy;                  /* record: the runtime is at work for it ... */
    volatile unsigned signal_count; /* ... and signals wait (cut_signal.c) */
    siginfo_t signals[cut_most_signals];
    struct cut_effects *effects, *spare; /* record: of calls that are under way; of none */
    struct cut_streams *streams;
    struct cut_place *places; /* record: by the number of what calls go out through */
    uint32_t site_count;
    struct cut_remembered *remembered;
    uint64_t value; /* what was loaded last, if it is no more than this */
    int error;      /* errno when the thread left replay space */
    uint32_t stream;
};

/* Replay space has the upper half of the range that arenas share. */
#define CUT_POOL_SHARED ((RECUT_POOL_SHARED + RECUT_POOL_END) / 2)

/* Is it a block, or a stack, of replay space? */
static inline bool cut_is_own_block(const void *block) {
    uint64_t at = (uint64_t)block;
    return (at >= RECUT_POOL_THREADS + CUT_SLOTS * RECUT_POOL_THREAD_WINDOW &&
            at < RECUT_POOL_SHARED) ||
           (at >= CUT_POOL_SHARED && at < RECUT_POOL_END);
}

struct variant_header;
/* The image is one of a cut (variant.c). */
void __recut_cut_loaded_image(const struct variant_header *header);

/* How much machine stack main has that has this much by itself: a crossing takes some hundred bytes
 * of it, and a program may cross the cut as deep as it likes.  A replay needs no less than a
 * recording. */
static inline uint64_t cut_machine_stack(uint64_t size) {
    uint64_t factor = __recut_cut_mode == CUT_REPLAY ? 64 : 32;
    return size < RECUT_STACK_MAX / factor ? size * factor : RECUT_STACK_MAX;
}

/* Begin; the calling thread is main.  NULL, or why not. */
struct model_table;
const char *__recut_cut_record(const struct model_table *models);
const char *__recut_cut_replay(const struct model_table *models, bool verifies);
/* Replay, when libc is up: goes through the log.  Does not return. */
void __recut_cut_run(void) __attribute__((noreturn));

/* Record: no more, for a reason that is told. */
void __recut_cut_stop(const char *function, const char *reason);
/* The same in a child process, silently: the log is the parent's. */
void __recut_cut_forked(void);
/* Record: the process ends; a thread does. */
void __recut_cut_exit(int status);
void __recut_cut_thread_exit(void);
/* Replay, in a handler: is it memory of environment, which need not be there?  It is now. */
bool __recut_cut_fault(const void *address);

/* How far all threads are; replay: waits until they are as far. */
uint64_t __recut_cut_order_now(void);
void __recut_cut_order_reach(uint64_t number);

/* Record: stands in front of the program's handlers. */
void __recut_cut_on_signal(int number, siginfo_t *info, void *context);

/* Each side has arenas of its own from here on; not linked if the program has its own malloc. */
void __recut_cut_heap_begin(void);
/* Replay space resizes a block of environment; true: that was it. */
bool __recut_cut_resizes(void *block, size_t size, void **ret);

#endif
