/*
 * Undefined operands become zero.
 *
 * What the code generator makes of `undef` may differ from build to build, and
 * a variant is another build.  Three places keep theirs, because the value
 * never reaches a result by itself: the aggregate or vector that insertvalue
 * and insertelement start from, and the operands of shufflevector.
 */
#include "program/canonical/rewrite.h"

static bool keeps_undef(LLVMValueRef instruction, unsigned operand) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMInsertValue:
    case LLVMInsertElement:
        return operand == 0;
    case LLVMShuffleVector:
        return true;
    default:
        return false;
    }
}

static bool is_constant_aggregate(LLVMValueRef value) {
    return LLVMIsAConstantVector(value) || LLVMIsAConstantStruct(value) ||
           LLVMIsAConstantArray(value);
}

/* A constant without undefined parts; the constant itself if it had none. */
static LLVMValueRef define(LLVMValueRef value) {
    if (LLVMIsUndef(value))
        return LLVMConstNull(LLVMTypeOf(value));
    if (!is_constant_aggregate(value))
        return value;
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *parts CLEANUP_FREE = mem_zalloc(count, sizeof *parts);
    bool changed = false;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = define(LLVMGetOperand(value, i));
        changed |= parts[i] != LLVMGetOperand(value, i);
    }
    if (!changed)
        return value;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMIsAConstantVector(value))
        return LLVMConstVector(parts, count);
    if (LLVMIsAConstantArray(value))
        return LLVMConstArray2(LLVMGetElementType(type), parts, count);
    if (LLVMGetStructName(type))
        return LLVMConstNamedStruct(type, parts, count);
    return LLVMConstStructInContext(LLVMGetTypeContext(type), parts, count,
                                    LLVMIsPackedStruct(type));
}

static void define_operands(LLVMValueRef instruction) {
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (!LLVMIsConstant(operand) || LLVMIsAGlobalValue(operand) ||
            keeps_undef(instruction, (unsigned)i))
            continue;
        LLVMValueRef defined = define(operand);
        if (defined != operand)
            LLVMSetOperand(instruction, (unsigned)i, defined);
    }
}

void canonical_undef(struct rewrite *rw) {
    FOR_EACH_FUNCTION(function, rw->module)
        FOR_EACH_BLOCK(block, function)
            FOR_EACH_INSTRUCTION(instruction, block)
                define_operands(instruction);
}
