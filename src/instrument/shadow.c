/* How does a function keep its frame of the shadow stack?  See shadow.h. */
#include "instrument/shadow.h"

#include <stddef.h>
#include <string.h>

#include "format/shadow.h"
#include "program/canonical/rewrite.h"

struct shadow {
    struct variant *variant;
    LLVMValueRef function;
    LLVMValueRef top; /* its frame */
    uint64_t size;
};

static uint64_t round_up(uint64_t size) { return (size + 7) & ~7ULL; }

static LLVMValueRef at_offset(struct shadow *shadow, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(shadow->variant->i64, offset, false);
    LLVMTypeRef byte = LLVMInt8TypeInContext(shadow->variant->context);
    return LLVMBuildGEP2(shadow->variant->builder, byte, shadow->top, &index, 1, "");
}

static void put_number(struct shadow *shadow, uint64_t offset, uint64_t number) {
    LLVMBuildStore(shadow->variant->builder, LLVMConstInt(shadow->variant->i64, number, false),
                   at_offset(shadow, offset));
}

/* Self may not be used before the check for a data stack (canonical/attach.c). */
static LLVMValueRef first_of_body(LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    if (strcmp(LLVMGetBasicBlockName(block), "recut.entry") == 0) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        LLVMBasicBlockRef left = LLVMGetSuccessor(branch, 0), right = LLVMGetSuccessor(branch, 1);
        block = strcmp(LLVMGetBasicBlockName(left), "recut.attach") == 0 ? right : left;
    }
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction) || LLVMIsAAllocaInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* Arguments as they are: a number of any width, a pointer, a vector. */
static uint64_t put_arguments(struct shadow *shadow, bool emit) {
    uint64_t offset = offsetof(struct shadow_frame, words);
    unsigned count = LLVMCountParams(shadow->function);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetParam(shadow->function, i);
        uint64_t size = round_up(LLVMABISizeOfType(shadow->variant->layout, LLVMTypeOf(value)));
        if (emit) {
            if (LLVMStoreSizeOfType(shadow->variant->layout, LLVMTypeOf(value)) < size)
                put_number(shadow, offset + size - 8, 0);
            LLVMSetAlignment(
                LLVMBuildStore(shadow->variant->builder, value, at_offset(shadow, offset)), 1);
        }
        offset += size;
    }
    return offset;
}

static void find_top(struct shadow *shadow, LLVMValueRef before) {
    struct variant *variant = shadow->variant;
    LLVMPositionBuilderBefore(variant->builder, before);
    shadow->top = LLVMBuildLoad2(variant->builder, variant->ptr,
                                 variant_self_field(variant, SELF_SHADOW), "shadow");
}

static void set_top(struct shadow *shadow, LLVMValueRef before, uint64_t offset) {
    LLVMPositionBuilderBefore(shadow->variant->builder, before);
    LLVMBuildStore(shadow->variant->builder, at_offset(shadow, offset),
                   variant_self_field(shadow->variant, SELF_SHADOW));
}

/* Without the frame's address, which would take a register all the time. */
static void drop(struct shadow *shadow, LLVMValueRef before) {
    struct variant *variant = shadow->variant;
    LLVMPositionBuilderBefore(variant->builder, before);
    LLVMValueRef field = variant_self_field(variant, SELF_SHADOW);
    LLVMValueRef top = LLVMBuildLoad2(variant->builder, variant->i64, field, "");
    LLVMValueRef size = LLVMConstInt(variant->i64, shadow->size, false);
    LLVMBuildStore(variant->builder, LLVMBuildSub(variant->builder, top, size, ""), field);
}

static void tell(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_shadow_entered", type),
                   &shadow->top, 1, "");
}

static void begin(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    LLVMValueRef first = first_of_body(shadow->function);
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    find_top(shadow, first);
    put_number(shadow, offsetof(struct shadow_frame, function),
               options->number | shadow->size << 32);
    LLVMValueRef stack = LLVMBuildLoad2(variant->builder, variant->i64,
                                        variant_self_field(variant, SELF_DATA_STACK), "");
    LLVMBuildStore(variant->builder, stack,
                   at_offset(shadow, offsetof(struct shadow_frame, data_stack)));
    put_arguments(shadow, true);
    set_top(shadow, first, shadow->size);
    if (options->tells)
        tell(shadow);
}

static bool is_must_tail(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) &&
           LLVMGetTailCallKind(instruction) == LLVMTailCallKindMustTail;
}

static bool returns_twice(LLVMValueRef instruction) {
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
    if (!LLVMIsACallInst(instruction))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return LLVMGetCallSiteEnumAttribute(instruction, index, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, index, kind));
}

void shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options) {
    struct shadow shadow = {.variant = variant, .function = function};
    VEC(LLVMValueRef) ends = {0}, twice = {0};
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            LLVMValueRef next = LLVMGetNextInstruction(instruction);
            if (is_must_tail(instruction) ||
                (LLVMIsAReturnInst(instruction) && LLVMGetPreviousInstruction(instruction) &&
                 !is_must_tail(LLVMGetPreviousInstruction(instruction))) ||
                (LLVMIsAReturnInst(instruction) && !LLVMGetPreviousInstruction(instruction)))
                VEC_PUSH(&ends, instruction);
            if (returns_twice(instruction) && next)
                VEC_PUSH(&twice, next);
        }
    shadow.size = put_arguments(&shadow, false);
    begin(&shadow, options);
    for (size_t i = 0; i < twice.count; i++)
        set_top(&shadow, twice.data[i], shadow.size);
    for (size_t i = 0; i < ends.count; i++)
        if (twice.count)
            set_top(&shadow, ends.data[i], 0);
        else
            drop(&shadow, ends.data[i]);
    VEC_DEINIT(&ends);
    VEC_DEINIT(&twice);
}
