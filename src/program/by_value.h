/*
 * Structs that are passed by value become locals of the function that gets them.
 *
 * In bitcode such a parameter is an address: of the caller's own struct, as it looks, though the
 * code generator hands over a copy.  What the function writes to it must not be taken for a change
 * of the caller's.  Executables of recut-cc have the locals already (canonical/frame.c).
 */
#ifndef RECUT_PROGRAM_BY_VALUE_H
#define RECUT_PROGRAM_BY_VALUE_H

#include <llvm-c/Core.h>

void by_value_copy(LLVMModuleRef module);

#endif
