/* The numbering of functions and globals; see table.h. */
#include "program/table.h"

#include <string.h>

static bool is_numbered(LLVMValueRef value) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return strncmp(name, "llvm.", 5) != 0;
}

static LLVMValueRef step(LLVMModuleRef module, LLVMValueRef value) {
    if (LLVMIsAFunction(value)) {
        LLVMValueRef next = LLVMGetNextFunction(value);
        return next ? next : LLVMGetFirstGlobal(module);
    }
    return LLVMGetNextGlobal(value);
}

LLVMValueRef table_first(LLVMModuleRef module) {
    LLVMValueRef value = LLVMGetFirstFunction(module);
    if (!value)
        value = LLVMGetFirstGlobal(module);
    while (value && !is_numbered(value))
        value = step(module, value);
    return value;
}

LLVMValueRef table_next(LLVMModuleRef module, LLVMValueRef value) {
    do
        value = step(module, value);
    while (value && !is_numbered(value));
    return value;
}
