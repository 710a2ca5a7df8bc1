/*
 * The image of a variant: what src/instrument links and src/runtime loads.
 *
 * An image is a static ELF executable for the addresses below the program's
 * own (layout.h), with no relocations left, so that loading it is mapping it.
 * Its entry point is not code but this header.
 */
#ifndef RECUT_FORMAT_VARIANT_H
#define RECUT_FORMAT_VARIANT_H

#include <stdint.h>

#include "format/program_section.h"

#define VARIANT_MAGIC 0x31524156544352ULL /* "RCTVAR1" */

/* Part of the name under which an image is cached: changes with what
 * src/instrument generates. */
#define VARIANT_VERSION 13

enum variant_kind {
    VARIANT_PROFILE = 1,
    VARIANT_LOGGING = 2,
    VARIANT_MONITOR = 3,
    VARIANT_CUT = 4,
};

/* VARIANT_LOGGING: what its calls of the runtime say of an access. */
enum access_how {
    ACCESS_ALWAYS = 1,      /* log it wherever it goes */
    ACCESS_FOR_WRITING = 2, /* the function that is called writes there, too */
    ACCESS_NOT_ENTERED = 4, /* another function is called: nothing is to be done */
    ACCESS_TEXT = 8,        /* of a string of so many bytes at most: what is behind its end is not
                               read, and may not be there */
};

/* VARIANT_LOGGING: what it has, by which a tool can build one that has more. */
enum variant_feature {
    VARIANT_LOADS = 1,    /* accesses to memory of the environment */
    VARIANT_ATOMICS = 2,  /* atomic operations in the order of threads */
    VARIANT_TICKS = 4,    /* threads count how far they come ... */
    VARIANT_ACCESSES = 8, /* ... at every access */
    VARIANT_RACES = 16,   /* all accesses are looked at for races: replay only */
    VARIANT_SHADOW = 32,  /* some functions keep the shadow stack, and tell of it */
    VARIANT_HASHES = 64,  /* VARIANT_CUT: what functions are given, load and return is hashed */
};

/* What an atomic operation does, for __recut_race_atomic(). */
enum race_order {
    RACE_ORDER_LOADS = 1,
    RACE_ORDER_STORES = 2,
    RACE_ORDER_ACQUIRES = 4,
    RACE_ORDER_RELEASES = 8,
};

/* The function at `original` is replaced by the one at `replacement`. */
struct variant_swap {
    uint64_t original, replacement;
};

/* `size` bytes at `address` become `value`: a label of a swapped function that
 * a table of the program holds (computed goto). */
struct variant_poke {
    uint64_t address, size, value;
};

/* A fault of an instruction in [begin, end) is none: the thread goes on at `next`. */
struct variant_fixup {
    uint64_t begin, end, next;
};
#define VARIANT_FIXUPS "recut_fixups" /* section of these */

/*
 * VARIANT_CUT: what stands between the two sides of a cut (instrument/cut.h).  All calls that cross
 * it go through pieces of code that the image brings along, one for each entry of these tables:
 *
 *   recut.in.K    what the entry of a function in replay space leads to; the thread may be in
 * replay space already, or comes into it recut.out.N   what replay space calls instead of something
 * that is environment recut.watch.N what environment calls instead of an external function whose
 * writes are logged
 */
enum cut_register { /* where a result is */
                    CUT_RAX = 1,
                    CUT_RDX = 2,
                    CUT_XMM0 = 4,
                    CUT_XMM1 = 8,
                    CUT_ST0 = 16,
                    CUT_WIDE = 32, /* xmm0 and xmm1 with all of their 16 bytes, also as arguments */
};

struct variant_in {
    uint64_t original, function; /* in the program; in the image */
    uint32_t stack_bytes;        /* of arguments, at most */
    uint8_t integers, vectors;   /* registers with arguments */
    uint8_t result;              /* enum cut_register */
    uint8_t bits;                /* of rax, if that is all; 0: not compared */
};

enum cut_out_flag {
    CUT_OUT_EXTERNAL = 1,   /* `target` is the stub of a function of libraries */
    CUT_OUT_RUNTIME = 2,    /* `target` is recut's version of one */
    CUT_OUT_UNREAD = 4,     /* what it writes is not logged */
    CUT_OUT_BLIND = 8,      /* its arguments cannot be looked at in a replay */
    CUT_OUT_WATCH = 16,     /* called by environment */
    CUT_OUT_IF_LOGGED = 32, /* called as it is where what it reads is valid */
};

/* What __recut_cut_target() is told of a call. */
enum cut_target { CUT_TARGET_LOGGED = 1, CUT_TARGET_WATCHED = 2 };

struct variant_out {
    uint64_t target; /* in the program; 0: whatever the thread says (runtime/cut.h) */
    uint64_t stub;   /* recut.out.N, recut.watch.N */
    uint64_t name;   /* address of its name */
    uint32_t stack_bytes;
    uint8_t result, bits;
    uint8_t flags; /* enum cut_out_flag */
    uint8_t unused;
};

struct variant_header {
    uint64_t magic;
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t kind;
    uint64_t swap_count, swaps;  /* address of struct variant_swap[] */
    uint64_t poke_count, pokes;  /* address of struct variant_poke[] */
    uint64_t counter_count;      /* VARIANT_PROFILE: counters for each thread */
    uint64_t features;           /* VARIANT_LOGGING: enum variant_feature */
    uint64_t fixups, fixups_end; /* addresses of struct variant_fixup[] */
    uint64_t notes, notes_end;   /* of struct shadow_note[] (format/shadow.h) */
    uint64_t in_count, ins;      /* VARIANT_CUT: address of struct variant_in[], by original */
    uint64_t out_count, outs;    /* address of struct variant_out[] */
};

/* Environment of a run with a variant.  Another image may lie over it, behind it in memory: its
 * functions replace those of the first, too. */
#define VARIANT_ENV "RECUT_VARIANT"
#define VARIANT_OVER_ENV "RECUT_VARIANT_OVER"
#define PROFILE_ENV "RECUT_PROFILE_DATA"

/*
 * Counters of a profiled run, a sparse file that all threads and processes of
 * the run map: this header in its first page, then one row of `counter_count`
 * 64-bit counters for each thread that ever ran, padded to pages.
 */
#define PROFILE_MAGIC 0x31464f5250544352ULL /* "RCTPROF1" */
#define PROFILE_HEADER_SIZE 4096
#define PROFILE_MAX_ROWS 65536

struct profile_header {
    uint64_t magic;
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t counter_count;
    uint64_t row_size;
    uint64_t row_count;  /* rows handed out; atomic */
    uint64_t lost_count; /* threads that found no row; atomic */
};

#endif
