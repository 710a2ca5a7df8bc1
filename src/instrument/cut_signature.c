/*
 * Where are the arguments and the result of a function, by the System V convention for x86-64?
 *
 * clang has taken structs apart already: what is left are numbers, pointers, vectors, structs in
 * memory (byval) and results of up to two registers of each kind.  Of the stack it is the most that
 * can be used.
 */
#include <string.h>

#include "instrument/cut_impl.h"

struct counts {
    unsigned integers, vectors; /* registers that are left */
    uint64_t stack;
    bool is_wide;
};

static void add_argument(struct variant *variant, struct counts *counts, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t size = (LLVMABISizeOfType(variant->layout, type) + 7) / 8 * 8;
    if (kind == LLVMX86_FP80TypeKind) {
        counts->stack += 32;
    } else if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
               kind == LLVMHalfTypeKind || kind == LLVMVectorTypeKind ||
               kind == LLVMFP128TypeKind) {
        counts->is_wide |= size > 8;
        counts->vectors ? (void)counts->vectors-- : (void)(counts->stack += size + 8);
    } else if (size <= 8 * counts->integers) {
        counts->integers -= (unsigned)(size / 8);
    } else {
        counts->stack += size + 8;
    }
}

static uint8_t registers_of(struct variant *variant, LLVMTypeRef type, uint8_t *bits,
                            bool *is_odd) {
    *bits = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return 0;
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) > 64)
            return CUT_RAX | CUT_RDX;
        *bits = (uint8_t)LLVMGetIntTypeWidth(type);
        return CUT_RAX;
    case LLVMPointerTypeKind:
        *bits = 64;
        return CUT_RAX;
    case LLVMX86_FP80TypeKind:
        return CUT_ST0;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return CUT_XMM0;
    case LLVMVectorTypeKind:
    case LLVMFP128TypeKind:
        return LLVMABISizeOfType(variant->layout, type) > 16  ? CUT_XMM0 | CUT_XMM1 | CUT_WIDE
               : LLVMABISizeOfType(variant->layout, type) > 8 ? CUT_XMM0 | CUT_WIDE
                                                              : CUT_XMM0;
    default: /* a struct in registers */
        for (unsigned i = 0;
             i <
             (LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0);
             i++)
            *is_odd |= LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, i)) == LLVMX86_FP80TypeKind;
        return CUT_RAX | CUT_RDX | CUT_XMM0 | CUT_XMM1;
    }
}

static struct cut_signature signature_of(struct variant *variant, const struct counts *counts,
                                         LLVMTypeRef result) {
    struct cut_signature signature = {
        .stack_bytes = (uint32_t)((counts->stack + 15) / 16 * 16),
        .integers = (uint8_t)(6 - counts->integers),
        .vectors = (uint8_t)(8 - counts->vectors),
    };
    signature.result = registers_of(variant, result, &signature.bits, &signature.is_odd);
    if (counts->is_wide)
        signature.result |= CUT_WIDE;
    return signature;
}

static uint64_t copied_bytes(struct variant *variant, LLVMAttributeRef byval) {
    return LLVMABISizeOfType(variant->layout, LLVMGetTypeAttributeValue(byval)) + 15;
}

struct cut_signature cut_signature_of_function(struct variant *variant, LLVMValueRef function) {
    struct counts counts = {.integers = 6, .vectors = 8};
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
        if (byval)
            counts.stack += copied_bytes(variant, byval);
        else
            add_argument(variant, &counts, LLVMTypeOf(LLVMGetParam(function, i)));
    }
    return signature_of(variant, &counts, LLVMGetReturnType(type));
}

struct cut_signature cut_signature_of_call(struct variant *variant, LLVMValueRef call) {
    struct counts counts = {.integers = 6, .vectors = 8};
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (byval)
            counts.stack += copied_bytes(variant, byval);
        else
            add_argument(variant, &counts, LLVMTypeOf(LLVMGetOperand(call, i)));
    }
    return signature_of(variant, &counts, LLVMTypeOf(call));
}
