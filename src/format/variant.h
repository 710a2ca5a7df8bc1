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
#define VARIANT_VERSION 9

enum variant_kind {
    VARIANT_PROFILE = 1,
    VARIANT_LOGGING = 2,
    VARIANT_MONITOR = 3,
};

/* VARIANT_LOGGING: what its calls of the runtime say of an access. */
enum access_how {
    ACCESS_ALWAYS = 1,      /* log it wherever it goes */
    ACCESS_FOR_WRITING = 2, /* the function that is called writes there, too */
    ACCESS_NOT_ENTERED = 4, /* another function is called: nothing is to be done */
};

/* VARIANT_LOGGING: what it has, by which a tool can build one that has more. */
enum variant_feature {
    VARIANT_LOADS = 1,    /* accesses to memory of the environment */
    VARIANT_ATOMICS = 2,  /* atomic operations in the order of threads */
    VARIANT_TICKS = 4,    /* threads count how far they come ... */
    VARIANT_ACCESSES = 8, /* ... at every access */
    VARIANT_RACES = 16,   /* all accesses are looked at for races: replay only */
    VARIANT_SHADOW = 32,  /* some functions keep the shadow stack, and tell of it */
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

struct variant_header {
    uint64_t magic;
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t kind;
    uint64_t swap_count, swaps;  /* address of struct variant_swap[] */
    uint64_t poke_count, pokes;  /* address of struct variant_poke[] */
    uint64_t counter_count;      /* VARIANT_PROFILE: counters for each thread */
    uint64_t features;           /* VARIANT_LOGGING: enum variant_feature */
    uint64_t fixups, fixups_end; /* addresses of struct variant_fixup[] */
};

/* Environment of a run with a variant. */
#define VARIANT_ENV "RECUT_VARIANT"
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
