/* What is behind `...` in a call?  See variadic.h. */
#include "instrument/variadic.h"

#include <stddef.h>
#include <string.h>

#include "format/shadow.h"

/* struct __va_list_tag of the System V convention: two offsets, then these. */
enum { va_list_size = 24, va_list_stack = 8, va_list_saved = 16 };

static bool is_call_of(LLVMValueRef instruction, LLVMValueRef function) {
    return LLVMIsACallInst(instruction) && LLVMGetCalledValue(instruction) == function;
}

static bool is_va_start(LLVMValueRef instruction) {
    static const char name[] = "llvm.va_start";
    LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    size_t length = 0;
    const char *own = called ? LLVMGetValueName2(called, &length) : "";
    return strncmp(own, name, sizeof name - 1) == 0;
}

static bool looks_at_them(LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_va_start(i))
                return true;
    return false;
}

/* Of a call: as if all of them were on the stack, each at the alignment that the largest have. */
static uint64_t passed_by(const struct variant *variant, LLVMValueRef call) {
    enum { most_aligned = 16 };
    unsigned named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    LLVMAttributeIndex first = 1;
    uint64_t size = 0;
    for (unsigned i = named; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(
            call, first + i, LLVMGetEnumAttributeKindForName("byval", 5));
        LLVMTypeRef type =
            by_value ? LLVMGetTypeAttributeValue(by_value) : LLVMTypeOf(LLVMGetOperand(call, i));
        uint64_t own = (LLVMABISizeOfType(variant->layout, type) + 7) & ~7ULL;
        size += own > 8 ? own + most_aligned - 8 : own;
    }
    return size;
}

/* By any call whose callee is not a name. */
static uint64_t passed_by_pointers(const struct variant *variant) {
    uint64_t most = 0;
    LLVMValueRef f = LLVMGetFirstFunction(variant->module);
    for (; f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                bool is_indirect = LLVMIsACallInst(i) && !LLVMIsAFunction(LLVMGetCalledValue(i)) &&
                                   LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i));
                uint64_t size = is_indirect ? passed_by(variant, i) : 0;
                most = size > most ? size : most;
            }
    return most;
}

uint64_t variadic_size(const struct variant *variant, LLVMValueRef function) {
    enum { most_on_stack = SHADOW_RECORD_MOST / 2 };
    if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) || !looks_at_them(function))
        return 0;
    uint64_t most = 0;
    bool is_taken = false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t size = is_call_of(user, function) ? passed_by(variant, user) : 0;
        is_taken |= !is_call_of(user, function);
        most = size > most ? size : most;
    }
    if (is_taken) {
        uint64_t size = passed_by_pointers(variant);
        most = size > most ? size : most;
    }
    return sizeof(struct shadow_rest) + (most < most_on_stack ? most : most_on_stack);
}

LLVMValueRef variadic_room(struct variant *variant) {
    LLVMTypeRef type = LLVMArrayType2(variant->i64, va_list_size / 8);
    return LLVMBuildAlloca(variant->builder, type, "");
}

static LLVMValueRef field_of(struct variant *variant, LLVMValueRef room, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(variant->i64, offset, false);
    LLVMTypeRef byte = LLVMInt8TypeInContext(variant->context);
    return LLVMBuildGEP2(variant->builder, byte, room, &index, 1, "");
}

static void copy_from(struct variant *variant, LLVMValueRef to, LLVMValueRef from, uint64_t size) {
    LLVMBuildMemCpy(variant->builder, to, 8, from, 8, LLVMConstInt(variant->i64, size, false));
}

void variadic_put(struct variant *variant, LLVMValueRef to, LLVMValueRef room, uint64_t size) {
    static const char name[] = "llvm.va_start";
    LLVMBuilderRef b = variant->builder;
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(variant->module, id, &variant->ptr, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(variant->context, id, &variant->ptr, 1);
    LLVMBuildCall2(b, type, intrinsic, &room, 1, "");
    copy_from(variant, to, room, offsetof(struct shadow_rest, registers));
    LLVMValueRef saved =
        LLVMBuildLoad2(b, variant->ptr, field_of(variant, room, va_list_saved), "");
    LLVMValueRef stack =
        LLVMBuildLoad2(b, variant->ptr, field_of(variant, room, va_list_stack), "");
    struct shadow_rest *none = NULL;
    copy_from(variant, field_of(variant, to, offsetof(struct shadow_rest, registers)), saved,
              sizeof none->registers + sizeof none->vectors);
    if (size > sizeof *none)
        copy_from(variant, field_of(variant, to, sizeof *none), stack, size - sizeof *none);
}
