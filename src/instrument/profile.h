/*
 * The profile variant: counts how often each function is entered and each
 * access to memory is made, and how many bytes it moves.
 */
#ifndef RECUT_INSTRUMENT_PROFILE_H
#define RECUT_INSTRUMENT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/model_table.h"
#include "program/embedded.h"

enum { PROFILE_NO_COUNTER = UINT32_MAX };

struct profile_function {
    char *name;        /* in the canonical program: unique */
    char *source_name; /* as the source has it */
    char *file;        /* "" without debug information */
    uint32_t line;
    uint32_t entry_counter;
    uint32_t first_access, access_count;
    uint32_t first_call, call_count;
};

enum profile_kind { PROFILE_LOAD, PROFILE_STORE, PROFILE_COPY, PROFILE_FILL, PROFILE_UPDATE };

/* One instruction that reads or writes the program's memory. */
struct profile_access {
    uint32_t function;    /* index */
    uint32_t instruction; /* number within the function, debug intrinsics not counted */
    enum profile_kind kind;
    uint32_t line, column;
    uint64_t size;          /* bytes each time, if bytes_counter is none */
    uint32_t counter;       /* how often */
    uint32_t bytes_counter; /* sum of bytes, where the size varies */
};

/* One call, other than of an intrinsic. */
struct profile_call {
    uint32_t instruction; /* as above */
    uint32_t line, column;
    uint32_t counter;
    uint32_t bytes_counter; /* sum of what an external function put into memory, as far as its model
                               tells; PROFILE_NO_COUNTER: not known, or nothing */
};

struct profile_skipped {
    char *name;
    const char *reason;
};

struct profile_map {
    struct profile_function *functions;
    struct profile_access *accesses;
    struct profile_call *calls;
    struct profile_skipped *skipped;
    size_t function_count, access_count, call_count, skipped_count;
    uint32_t counter_count;
};

struct profile_options {
    const char *const *only; /* names of functions or files; NULL-terminated; NULL for all */
    const char *image_path;  /* where to build the image; NULL: only the map */
    const struct model_table *models; /* of external functions; may be NULL */
    bool each;                        /* a counter for every access: slower, must agree */
};

struct error *profile_build(const struct embedded *embedded, const struct profile_options *options,
                            struct profile_map *ret);
void profile_map_deinit(struct profile_map *map);

/* Bytes that an access reads and writes when it is made `count` times. */
bool profile_reads(enum profile_kind kind);
bool profile_writes(enum profile_kind kind);
const char *profile_kind_name(enum profile_kind kind);

#endif
