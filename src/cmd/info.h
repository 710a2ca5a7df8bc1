/*
 * What `recut info` finds out, and the two ways to print it.
 */
#ifndef RECUT_CMD_INFO_H
#define RECUT_CMD_INFO_H

#include <stdio.h>

#include "program/native.h"
#include "program/program.h"

struct info_reason {
    const char *reason;
    size_t functions;
};

struct info {
    const struct program *program;
    struct native_code native;

    size_t defined, canonical, unoptimised, with_frame;
    uint64_t frame_bytes;
    VEC(struct info_reason) left_out;    /* by reason, in the order of the functions */
    VEC(function_id) environment;        /* external functions that are used, by name */
    VEC(function_id) unmodelled;         /* those of them that recut has no model of, by name */
    VEC(function_id) refused;            /* those that cannot be recorded, by name */
    VEC(function_id) runtime;            /* of recut's runtime, for what they replace, by name */
    size_t globals, constants, imported; /* without recut's own */
    uint64_t global_bytes, constant_bytes;
    size_t thread_locals_moved;
    VEC(memory_id) thread_locals_native;
    size_t heap_sites, indirect_calls, assembly_calls;
    VEC(char *) warnings; /* owned */
};

/* Details: every environment function, every native one. */
void info_print_text(const struct info *info, bool details, FILE *out);
void info_print_json(const struct info *info, FILE *out);

#endif
