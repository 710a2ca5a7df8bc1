/*
 * Which accesses may race, and how does the runtime learn of them?  See races.h.
 *
 * Left out is what no other thread can reach: the thread's own state behind %fs, constants,
 * and locals whose address the function gives to nobody.
 */
#include "instrument/races.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "program/canonical/rewrite.h"

struct races_access {
    LLVMValueRef instruction, address;
    LLVMValueRef size; /* of any integer type */
    enum { race_read, race_write, race_atomic, race_fence } how;
    unsigned order; /* enum race_order */
};

/* A local that was moved to the data stack. */
struct races_local {
    LLVMValueRef address; /* an offset from the base of the frame */
    uint64_t size;
    bool is_secret; /* nobody else has its address */
};

/* --- what can be seen --------------------------------------------------------------------- */

static bool is_offset(LLVMValueRef value) {
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value) == LLVMGetElementPtr;
    return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr;
}

static LLVMValueRef base_of(LLVMValueRef address) {
    while (is_offset(address))
        address = LLVMGetOperand(address, 0);
    return address;
}

static bool is_secret(LLVMValueRef address);

/* Does a user of an address only read or write there? */
static bool keeps_secret(LLVMValueRef user, LLVMValueRef address) {
    if (LLVMIsALoadInst(user))
        return true;
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 0) != address;
    if (LLVMIsACallInst(user))
        return rewrite_is_intrinsic(user, "llvm.mem") || rewrite_is_intrinsic(user, "llvm.dbg.");
    return LLVMIsAGetElementPtrInst(user) && is_secret(user);
}

static bool is_secret(LLVMValueRef address) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
        if (!keeps_secret(LLVMGetUser(use), address))
            return false;
    return true;
}

/* The new data stack pointer of a function with a frame (canonical/frame.c): what it stores
 * there first. */
static LLVMValueRef frame_base(LLVMValueRef function) {
    FOR_EACH_INSTRUCTION(instruction, LLVMGetEntryBasicBlock(function))
        if (LLVMIsAStoreInst(instruction) && rewrite_is_self(LLVMGetOperand(instruction, 1)))
            return LLVMGetOperand(instruction, 0);
    return NULL;
}

/* As "OFFSET:SIZE OFFSET:SIZE ..." says; 0 if there is no local at the offset. */
static uint64_t local_size(const char *layout, uint64_t offset) {
    while (*layout) {
        char *end;
        uint64_t at = strtoull(layout, &end, 10), size = strtoull(end + 1, &end, 10);
        if (at == offset)
            return size;
        layout = end;
    }
    return 0;
}

static void find_locals(LLVMValueRef function, struct races *races) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      FRAME_ATTRIBUTE, sizeof FRAME_ATTRIBUTE - 1);
    LLVMValueRef base = attribute ? frame_base(function) : NULL;
    unsigned length;
    if (!base)
        return;
    const char *text = LLVMGetStringAttributeValue(attribute, &length);
    char *layout CLEANUP_FREE = mem_strndup(text, length);
    for (LLVMUseRef use = LLVMGetFirstUse(base); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) || !LLVMIsAConstantInt(LLVMGetOperand(user, 1)))
            continue;
        uint64_t size = local_size(layout, LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)));
        if (size)
            VEC_PUSH(&races->locals, (struct races_local){user, size, is_secret(user)});
    }
}

static bool is_own(const struct races *races, LLVMValueRef address) {
    for (; is_offset(address); address = LLVMGetOperand(address, 0))
        for (size_t i = 0; i < races->locals.count; i++)
            if (races->locals.data[i].address == address)
                return races->locals.data[i].is_secret;
    return false;
}

static bool is_seen(const struct races *races, LLVMValueRef address) {
    LLVMValueRef base = base_of(address);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0 && !LLVMIsAAllocaInst(base) &&
           !rewrite_is_self(base) && !is_own(races, address) &&
           !(LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base));
}

/* --- accesses ----------------------------------------------------------------------------- */

static unsigned order_bits(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingAcquire:
        return RACE_ORDER_ACQUIRES;
    case LLVMAtomicOrderingRelease:
        return RACE_ORDER_RELEASES;
    case LLVMAtomicOrderingAcquireRelease:
    case LLVMAtomicOrderingSequentiallyConsistent:
        return RACE_ORDER_ACQUIRES | RACE_ORDER_RELEASES;
    default:
        return 0;
    }
}

static unsigned order_of(LLVMValueRef operation) {
    unsigned both = RACE_ORDER_LOADS | RACE_ORDER_STORES;
    switch (LLVMGetInstructionOpcode(operation)) {
    case LLVMLoad:
        return RACE_ORDER_LOADS | order_bits(LLVMGetOrdering(operation));
    case LLVMStore:
        return RACE_ORDER_STORES | order_bits(LLVMGetOrdering(operation));
    case LLVMAtomicRMW:
        return both | order_bits(LLVMGetOrdering(operation));
    case LLVMAtomicCmpXchg:
        return both | order_bits(LLVMGetCmpXchgSuccessOrdering(operation));
    default: /* assembly */
        return both | RACE_ORDER_ACQUIRES | RACE_ORDER_RELEASES;
    }
}

static LLVMValueRef size_of(const struct variant *variant, LLVMTypeRef type) {
    return LLVMConstInt(variant->i64, LLVMStoreSizeOfType(variant->layout, type), false);
}

static LLVMValueRef atomic_size(const struct variant *variant, LLVMValueRef operation) {
    switch (LLVMGetInstructionOpcode(operation)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
        return size_of(variant, LLVMTypeOf(operation));
    case LLVMStore:
        return size_of(variant, LLVMTypeOf(LLVMGetOperand(operation, 0)));
    case LLVMAtomicCmpXchg:
        return size_of(variant, LLVMTypeOf(LLVMGetOperand(operation, 1)));
    default:
        return LLVMConstInt(variant->i64, 1, false); /* at least */
    }
}

static void find_access(const struct variant *variant, LLVMValueRef instruction,
                        struct races *races) {
    LLVMValueRef atomic = rewrite_atomic_address(instruction);
    struct races_access access = {.instruction = instruction, .address = atomic};
    if (atomic) {
        access.size = atomic_size(variant, instruction);
        access.how = race_atomic;
        access.order = order_of(instruction);
    } else if (LLVMIsALoadInst(instruction)) {
        access.address = LLVMGetOperand(instruction, 0);
        access.size = size_of(variant, LLVMTypeOf(instruction));
        access.how = race_read;
    } else if (LLVMIsAStoreInst(instruction)) {
        access.address = LLVMGetOperand(instruction, 1);
        access.size = size_of(variant, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
        access.how = race_write;
    } else if (LLVMIsAFenceInst(instruction)) {
        access.how = race_fence;
        access.order = order_bits(LLVMGetOrdering(instruction));
        VEC_PUSH(&races->accesses, access);
        return;
    } else if (rewrite_is_intrinsic(instruction, "llvm.memset")) {
        access.address = LLVMGetOperand(instruction, 0);
        access.size = LLVMGetOperand(instruction, 2);
        access.how = race_write;
    } else if (rewrite_is_intrinsic(instruction, "llvm.memcpy") ||
               rewrite_is_intrinsic(instruction, "llvm.memmove")) {
        access.address = LLVMGetOperand(instruction, 1);
        access.size = LLVMGetOperand(instruction, 2);
        access.how = race_read;
        if (is_seen(races, access.address))
            VEC_PUSH(&races->accesses, access);
        access.address = LLVMGetOperand(instruction, 0);
        access.how = race_write;
    } else {
        return;
    }
    if (is_seen(races, access.address))
        VEC_PUSH(&races->accesses, access);
}

void races_find(const struct variant *variant, LLVMValueRef function, struct races *ret) {
    *ret = (struct races){0};
    find_locals(function, ret);
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            find_access(variant, instruction, ret);
}

/* --- calls -------------------------------------------------------------------------------- */

static void tell(struct variant *variant, const struct races_access *access) {
    static const char *const names[] = {"__recut_race_read", "__recut_race_write",
                                        "__recut_race_atomic", "__recut_race_fence"};
    LLVMValueRef arguments[3];
    unsigned count = 0;
    LLVMPositionBuilderBefore(variant->builder, access->instruction);
    LLVMSetCurrentDebugLocation2(variant->builder, LLVMInstructionGetDebugLoc(access->instruction));
    if (access->how != race_fence) {
        arguments[count++] = LLVMBuildPtrToInt(variant->builder, access->address, variant->i64, "");
        arguments[count++] =
            LLVMBuildIntCast2(variant->builder, access->size, variant->i64, false, "");
    }
    if (access->how == race_atomic || access->how == race_fence)
        arguments[count++] = LLVMConstInt(variant->i64, access->order, false);
    LLVMTypeRef types[] = {variant->i64, variant->i64, variant->i64};
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, count, false);
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, names[access->how], type),
                   arguments, count, "");
}

static void tell_local(struct variant *variant, const struct races_local *local) {
    LLVMPositionBuilderBefore(variant->builder, LLVMGetNextInstruction(local->address));
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    LLVMTypeRef types[] = {variant->i64, variant->i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 2, false);
    LLVMValueRef arguments[] = {
        LLVMBuildPtrToInt(variant->builder, local->address, variant->i64, ""),
        LLVMConstInt(variant->i64, local->size, false)};
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_race_local", type),
                   arguments, 2, "");
}

void races_add(struct variant *variant, LLVMValueRef function, struct races *races) {
    for (size_t i = 0; i < races->locals.count; i++)
        if (!races->locals.data[i].is_secret)
            tell_local(variant, &races->locals.data[i]);
    for (size_t i = 0; i < races->accesses.count; i++)
        tell(variant, &races->accesses.data[i]);
    VEC_DEINIT(&races->accesses);
    VEC_DEINIT(&races->locals);
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(variant->context, "frame-pointer", 13, "all", 3));
}
