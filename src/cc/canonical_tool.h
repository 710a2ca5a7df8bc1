/*
 * The part of a link that needs LLVM, in a process of its own.
 *
 * recut-cc runs for every object of a build and would spend most of its time
 * on loading LLVM.  And should LLVM fail on a program, then only that process
 * does, and recut-cc links without it.  The functions are those of
 * program/canonical.h and program/merge.h, by way of lib/recut/recut-canonical.
 */
#ifndef RECUT_CC_CANONICAL_TOOL_H
#define RECUT_CC_CANONICAL_TOOL_H

#include "program/canonical.h"

struct error *canonical_tool_build(const struct canonical_options *options,
                                   struct canonical_result *ret);
struct error *canonical_tool_merge(const char *object_path, const char *bitcode_path);

/* What recut-canonical prints on success: one line each, "KEY VALUE". */
#define CANONICAL_RESULT_FORMAT                                                                    \
    "defines-malloc %d\n"                                                                          \
    "functions %zu\n"                                                                              \
    "left-out %zu\n"                                                                               \
    "reason %s\n"

#endif
