/*
 * The variant of a cut: the functions in replay space, with all that they do to environment and all
 * that environment does to them sent to the runtime (runtime/cut.h); and the functions of
 * environment that write what replay space reads without having it logged.
 *
 * Everything else of the program runs as it is, so that recording a small module costs the rest
 * nothing.
 *
 *     program (environment)              image (replay space)
 *       entry of f: jmp recut.in.3  ───►   recut.in.3 ─► __recut_cut_in ─► f
 *                                            f calls g, which is environment:
 *       g  ◄─── __recut_cut_out ◄─────────   recut.out.7
 *       h: jmp h of the image       ───►   h, with its stores told to __recut_cut_stored
 */
#ifndef RECUT_INSTRUMENT_CUT_H
#define RECUT_INSTRUMENT_CUT_H

#include "base/error.h"
#include "cut/cut.h"
#include "format/model_table.h"
#include "program/embedded.h"

struct cut_variant_options {
    const struct program *program;
    const struct cut *cut;
    const struct embedded *embedded;
    const struct model_table *models;
    const char *image_path;
    bool hashes; /* what replay space is given, and loads, is hashed */
};

/* A function that must be in the image and cannot be is an error, by name and reason. */
struct error *cut_variant_build(const struct cut_variant_options *options);

#endif
