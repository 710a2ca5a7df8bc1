/*
 * The numbering of functions and globals that the executable's address table
 * and the variants share: functions first, then variables, in module order,
 * without LLVM's own.
 */
#ifndef RECUT_PROGRAM_TABLE_H
#define RECUT_PROGRAM_TABLE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#define TABLE_SECTION ".recut.table"

LLVMValueRef table_first(LLVMModuleRef module);
LLVMValueRef table_next(LLVMModuleRef module, LLVMValueRef value);

#endif
