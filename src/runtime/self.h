/*
 * What the runtime keeps for each thread, in the thread's own memory.
 *
 * Canonical code reads and writes `data_stack` and `tls_block` directly with
 * one %fs-relative instruction; variants do the same by offset.  The order of
 * the first fields is therefore part of the contract with the code generator
 * (src/program/canonical) and with src/instrument.  A thread that never ran
 * canonical code has all fields zero; see thread.h for how it is attached.
 */
#ifndef RECUT_RUNTIME_SELF_H
#define RECUT_RUNTIME_SELF_H

#include <stdint.h>

struct env_thread;
struct pool_arena;

struct recut_self {
    char *data_stack;         /* top of the data stack; grows down, 16-aligned */
    char *tls_block;          /* this thread's copy of the program's thread-locals */
    uint64_t *counters;       /* profile variant: this thread's counters */
    char *stack_limit;        /* lowest address of the data stack that is mapped */
    uint64_t callback[22];    /* arguments of a call by the environment: integers, then floats */
    struct pool_arena *arena; /* pool: NULL until the first heap call */
    uint32_t slot;            /* thread slot; 0 is main */
    uint32_t attached;        /* data_stack and tls_block are set */
    struct env_thread *env;   /* what is recorded or replayed of it (env_thread.h) */
    int32_t ticks;            /* serial variant: counts down to the next tick (baton.h) */
    uint32_t inside;          /* of a cut: the thread is in replay space (cut.h) */
    uint64_t random;          /* what counts are drawn from, with chaos */
};

extern _Thread_local struct recut_self __recut_self __attribute__((tls_model("local-exec")));

#endif
