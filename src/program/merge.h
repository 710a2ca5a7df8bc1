/*
 * Several bitcode modules in one object file become one.
 */
#ifndef RECUT_PROGRAM_MERGE_H
#define RECUT_PROGRAM_MERGE_H

#include "base/error.h"

/* Reads the modules that `ld -r` left side by side and writes one. */
struct error *merge_modules(const char *object_path, const char *bitcode_path);

#endif
