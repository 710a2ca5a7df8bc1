/*
 * Does the program look into what is behind a handle of libc's (FILE, DIR)?
 *
 * Types tell: those of address computations, and those of accesses (TBAA) where
 * optimisation has taken the others away.
 */
#include <string.h>

#include "program/canonical/rewrite.h"

static bool names_handle(const char *text) {
    return strstr(text, "_IO_FILE") || strstr(text, "__dirstream");
}

static bool is_handle_member(LLVMValueRef address) {
    if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumOperands(address) <= 2)
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    return name && names_handle(name);
}

bool rewrite_looks_into_handle(LLVMValueRef instruction) {
    bool is_load = LLVMIsALoadInst(instruction), is_store = LLVMIsAStoreInst(instruction);
    if (!is_load && !is_store)
        return false;
    if (is_handle_member(LLVMGetOperand(instruction, is_load ? 0 : 1)))
        return true;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    LLVMValueRef tag = LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(context, "tbaa", 4));
    if (!tag || LLVMGetMDNodeNumOperands(tag) < 1)
        return false;
    LLVMValueRef parts[8];
    if (LLVMGetMDNodeNumOperands(tag) > 8)
        return false;
    LLVMGetMDNodeOperands(tag, parts);
    /* The struct; its first operand is its name. */
    LLVMValueRef base = parts[0];
    int count = base ? LLVMGetMDNodeNumOperands(base) : 0;
    if (count < 1 || count > 256)
        return false;
    LLVMValueRef members[256];
    LLVMGetMDNodeOperands(base, members);
    unsigned length;
    const char *name = members[0] ? LLVMGetMDString(members[0], &length) : NULL;
    return name && names_handle(name);
}
