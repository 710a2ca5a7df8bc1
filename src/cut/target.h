/*
 * Targets of a cut: from what a user writes to functions of a program.
 *
 *     deflate_out_filter     a function, by its symbol or its name in the source
 *     mod_deflate.c          the functions of a source file, of all that are called so
 *     repmgr/                of all source files in a folder of that name
 *     'ap_*', '*_filter.c'   functions or files that fit, by the wildcards of a shell
 *
 * Errors say what is wrong and name the nearest thing that there is.
 */
#ifndef RECUT_CUT_TARGET_H
#define RECUT_CUT_TARGET_H

#include "base/bitset.h"
#include "base/error.h"
#include "program/program.h"

/* Adds the functions that a text means. */
struct error *target_add(const struct program *program, const char *text, struct bitset *functions);

#endif
