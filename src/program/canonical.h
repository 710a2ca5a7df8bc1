/*
 * The canonical program: from the bitcode that a link gathered to an object
 * file whose every memory address is decided before code generation.
 *
 * No LLVM type appears here; src/cc drives it with paths and options.
 */
#ifndef RECUT_PROGRAM_CANONICAL_H
#define RECUT_PROGRAM_CANONICAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Native code of the program's own that is linked in; `name` is for people. */
struct canonical_native {
    const char *object_path, *name;
};

struct canonical_options {
    const char *bitcode_path;  /* merged bitcode of what is linked */
    const char *object_path;   /* code and data of the canonical program go here */
    const char *embedded_path; /* object with the compressed bitcode goes here */
    unsigned opt_level;        /* 0..3, of code generation only */
    bool import_data;          /* list imported variables, which makes the linker place them in E */
    const char *const *wrapped;            /* symbols that the linker wraps; NULL-terminated */
    const struct canonical_native *native; /* may forbid a data stack */
    size_t native_count;
    bool defines_malloc; /* code without bitcode brings its own heap */
};

/* What the linker driver needs to know about the result. */
struct canonical_result {
    bool defines_malloc;    /* the program brings its own heap: do not interpose ours */
    size_t functions;       /* defined */
    size_t left_out;        /* of these, not canonical, each with a reason */
    char whole_reason[256]; /* why no function has its frame moved; empty otherwise */
};

struct error *canonical_build(const struct canonical_options *options,
                              struct canonical_result *ret);

#endif
