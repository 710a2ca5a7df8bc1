/*
 * The two passes of a link; link.c says what they are for.
 */
#ifndef RECUT_CC_LINK_PASS_H
#define RECUT_CC_LINK_PASS_H

#include "base/io.h"
#include "cc/args.h"
#include "program/canonical.h"

struct link {
    const struct cc_args *args;
    char *directory;    /* temporary */
    char *bitcode;      /* merged */
    char *object;       /* canonical */
    char *embedded;     /* object that carries the canonical bitcode */
    char *trace;        /* files that pass 1 loaded, one a line, and who defines malloc */
    VEC(char *) others; /* by argument: object of a source without bitcode, else NULL */
    char *messages;     /* of the compiler, about these */
    char *executable;   /* result of pass 2 */
    bool unwritable;    /* it cannot be put in its place: nobody else's could either */
    struct canonical_result canonical;
};

/* Pass 1: sources without bitcode become objects, then everything with bitcode
 * becomes one file. */
struct error *link_compile_others(struct link *link);
struct error *link_gather(struct link *link, const char *extra, struct io_child *ret);

/* Does an object other than libc's bring a heap? After pass 1. */
bool link_defines_malloc(const struct link *link);

/* Pass 2: the executable. */
struct error *link_final(struct link *link, struct io_child *ret);

/* The first error that a tool printed, for a one-line reason. */
struct error *link_tool_failed(const char *what, const struct io_child *child);

#endif
