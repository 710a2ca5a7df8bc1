/*
 * Where the program and its environment meet in memory: the accesses that a
 * recorder has to look at.
 *
 * In replay the environment is not there.  So a load that may read its memory,
 * or memory that it may have changed since, has to be logged; a store that may
 * go to its memory has to be left out.  All other accesses replay by themselves.
 *
 *     struct environment *environment = environment_build(pta);
 *     if (environment_of_access(environment, i, ACCESS_READ) & ENVIRONMENT_LOGGED)
 *         ... instrument the load
 *
 * An access whose only bit is ENVIRONMENT_HANDLE is nearly always one to the
 * program's own memory, through a set into which a handle has strayed: comparing
 * its address with the ranges of replay space is enough, and with
 * ENVIRONMENT_ALWAYS it is a real one (the macros of getc_unlocked()).
 */
#ifndef RECUT_ANALYSIS_ENVIRONMENT_H
#define RECUT_ANALYSIS_ENVIRONMENT_H

#include <stdint.h>

#include "analysis/pta.h"

enum environment_bit {
    /* (a) memory that the environment owns: in replay it is not there. */
    ENVIRONMENT_OWNED = 1 << 0,
    /* (b) memory of the program that the environment may write at times that no
     * model announces: in reach of a function without a model, kept to be
     * written, a variable of a library. */
    ENVIRONMENT_WRITTEN = 1 << 1,
    /* (a) again, behind an opaque pointer (FILE *) of a function with a model.  Programs
     * hardly ever look there; points-to sets say so more often than it is true. */
    ENVIRONMENT_HANDLE = 1 << 2,
    /* Memory of the environment whose contents a model describes, so that replay
     * can put it there: what localtime() returns. */
    ENVIRONMENT_DESCRIBED = 1 << 3,
    /* Nothing is known to be there: code that is never reached, or an address
     * that was computed in a way that is not followed (docs/analysis.md). */
    ENVIRONMENT_UNKNOWN = 1 << 4,
    /* It can be nothing but memory of the environment. */
    ENVIRONMENT_ALWAYS = 1 << 5,
    /* Memory of the program's that other processes may write, too, if it was mapped
     * so: the address tells. */
    ENVIRONMENT_SHARED = 1 << 6,
    ENVIRONMENT_LOGGED =
        ENVIRONMENT_OWNED | ENVIRONMENT_WRITTEN | ENVIRONMENT_HANDLE | ENVIRONMENT_SHARED,
};

/* What a recorder looks at: an access that may be behind a handle, and may be
 * something else, is taken for the something else, unless its types say that it is a
 * stream (instrument/logging.c). */
static inline uint8_t environment_logged(uint8_t bits) {
    uint8_t logged = bits & (ENVIRONMENT_OWNED | ENVIRONMENT_WRITTEN | ENVIRONMENT_SHARED);
    return bits & ENVIRONMENT_ALWAYS ? logged | (bits & ENVIRONMENT_HANDLE) : logged;
}

enum access { ACCESS_READ, ACCESS_WRITE };

struct environment;

/* `pta` must outlive it. */
struct environment *environment_build(const struct pta *pta);
void environment_free(struct environment *environment);

/* Bits of the address that an instruction (load, store, atomic, memcpy and its
 * kind) reads or writes at; 0 if it does not. */
uint8_t environment_of_access(const struct environment *environment, instruction_id instruction,
                              enum access access);
/* Bits of what a pointer leads to. */
uint8_t environment_of_address(const struct environment *environment, value_id address);
/* Bits of an argument of a call that may enter an external function with a model,
 * and which that function looks into; 0 for others. */
uint8_t environment_of_argument(const struct environment *environment, instruction_id call,
                                uint32_t number);
/* Functions that the environment may call, ascending. */
const function_id *environment_callbacks(const struct environment *environment,
                                         uint32_t *ret_count);

struct environment_figures {
    uint32_t accesses; /* addresses of loads, stores and memory intrinsics */
    uint32_t owned, written, handle, described, unknown, shared; /* of those, with the bit */
    uint32_t always;
    uint32_t logged; /* with one of ENVIRONMENT_LOGGED */
    uint32_t arguments, arguments_logged;
    uint32_t unmodelled; /* external functions that are called, without a model */
};
struct environment_figures environment_figures(const struct environment *environment);

#endif
