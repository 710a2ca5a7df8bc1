/*
 * The command line of a C compiler, classified.
 *
 * recut-cc understands as much of it as it must: what is asked for (compile,
 * link, neither), which arguments are inputs and of what kind, and which
 * options it replaces or refuses.  Everything else goes to clang as it came.
 */
#ifndef RECUT_CC_ARGS_H
#define RECUT_CC_ARGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/mem.h"

enum arg_kind {
    ARG_OPTION,  /* goes to clang, in both passes of a link */
    ARG_C,       /* source that becomes bitcode */
    ARG_OTHER,   /* source that does not: assembly, C++ */
    ARG_FILE,    /* object, archive, shared library or linker script */
    ARG_LIBRARY, /* -lNAME */
    ARG_OUTPUT,  /* -o and its value */
    ARG_ONCE,    /* linker output on the side: maps and the like; only in the last pass */
    ARG_DROP,    /* replaced by recut-cc: -flto, -fuse-ld=, -pie, ... */
};

/* One argument, with its value if that is a word of its own. */
struct arg {
    enum arg_kind kind;
    const char *text, *value;
    const char *language; /* of an input: what -x said last, NULL if nothing */
};

enum cc_mode {
    CC_PASS,       /* nothing for recut to do: -E, -S, --version, ... */
    CC_COMPILE,    /* -c */
    CC_LINK,       /* an executable */
    CC_LINK_PLAIN, /* a shared library or a relocatable object, linked as clang does */
};

struct cc_args {
    VEC(struct arg) list;
    enum cc_mode mode;
    const char *output; /* of -o; NULL if not given */
    unsigned opt_level;
    bool is_static;
    bool no_start_files;
    VEC(const char *) wrapped; /* symbols of the linker's --wrap */
};

/* Expands @files and classifies. The strings live as long as the process. */
struct error *cc_args_parse(int argc, char **argv, struct cc_args *ret);

#endif
