/*
 * Bitcode in and object files out, with no optimisation of IR in between.
 */
#ifndef RECUT_PROGRAM_CODEGEN_H
#define RECUT_PROGRAM_CODEGEN_H

#include <llvm-c/Core.h>

#include "base/error.h"

/* Parses bitcode; debug information is brought into the form of intrinsics,
 * which LLVM-C can see. `name` is for messages. */
struct error *codegen_parse(LLVMContextRef context, const char *data, size_t size, const char *name,
                            LLVMModuleRef *ret);
struct error *codegen_read(LLVMContextRef context, const char *path, LLVMModuleRef *ret);

/* Generates non-position-independent code for x86-64. The module is used up. */
struct error *codegen_emit(LLVMModuleRef module, unsigned opt_level, const char *object_path);

#endif
