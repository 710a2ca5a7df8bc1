/*
 * The numbering of functions and globals that the executable's address table
 * and the variants share.
 *
 * First the functions, variables, aliases and ifuncs of the bitcode, in module
 * order, without LLVM's own; then the extras: functions that the code generator
 * may call by itself (memcpy for a struct copy, fmod for frem), those of the
 * runtime that variants use, and for each weak function what a call of it calls: its
 * address may be none, and is not that of its stub (canonical/environment.c).  Both are found from
 * the bitcode alone, so that whoever writes the table and whoever reads it number alike.
 */
#ifndef RECUT_PROGRAM_TABLE_H
#define RECUT_PROGRAM_TABLE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#define TABLE_SECTION ".recut.table"

LLVMValueRef table_first(LLVMModuleRef module);
LLVMValueRef table_next(LLVMModuleRef module, LLVMValueRef value);

/* The first extras are there in every program, the others if its link has them. */
#define TABLE_REQUIRED_EXTRAS 49

/* What a call of a weak function calls, before its name. */
#define TABLE_WEAK_PREFIX "__recut_weak."

/* Names of the extras, in order. */
char **table_extras(LLVMModuleRef module, size_t *ret_count);
void table_free_extras(char **extras, size_t count);

#endif
