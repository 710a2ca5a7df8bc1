/*
 * The variant of a cut; see cut.h.
 *
 * In replay space, of an instruction that is logged:
 *
 *     %v = load T, %p          ->  %q = call @__recut_cut_loaded(%p, sizeof T), or
 *                                  @__recut_cut_loaded_4(%p) and its like
 *                                  %v = load T, %q
 *     memcpy(%d, %s, n)        ->  the same for %s
 *     %r = atomicrmw %p, ...   ->  %r through @__recut_cut_logged
 *
 * and of an atomic operation, or a volatile access, that is not: @__recut_cut_atomic_enter(%p) in
 * front of it and @__recut_cut_atomic_leave() behind it, since threads see in it what others did
 * before.
 *
 * In environment, behind one that is logged:
 *
 *     store T %v, %p           ->  call @__recut_cut_stored(%p, sizeof T)
 *     memcpy(%d, %s, n), atomicrmw, ...
 *
 * Calls go by the border (cut_border.c).  The instructions of the bitcode and those of the program
 * model are numbered alike, function by function.  Cost: linear in what is chosen.
 *
 * With hashes, every argument, loaded value and result of a function in replay space goes through
 * @__recut_cut_hash as well, 64 bits at a time.
 */
#include "instrument/cut.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/layout.h"
#include "instrument/cut_impl.h"
#include "program/canonical/rewrite.h"

/* --- values as bits ------------------------------------------------------------------------------
 */

/* A value of any kind as 64 bits; NULL: it is wider. */
static LLVMValueRef as_bits(struct cut_building *building, LLVMValueRef value) {
    struct variant *variant = building->variant;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(variant->builder, value, variant->i64, "");
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return NULL;
    uint64_t bits = LLVMSizeOfTypeInBits(variant->layout, type);
    if (bits > 64)
        return NULL;
    LLVMTypeRef integer = LLVMIntTypeInContext(variant->context, (unsigned)bits);
    return LLVMBuildZExtOrBitCast(
        variant->builder, LLVMBuildBitCast(variant->builder, value, integer, ""), variant->i64, "");
}

static LLVMValueRef from_bits(struct cut_building *building, LLVMValueRef bits, LLVMTypeRef type) {
    struct variant *variant = building->variant;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(variant->builder, bits, type, "");
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(variant->layout, type);
    LLVMTypeRef integer = LLVMIntTypeInContext(variant->context, width);
    return LLVMBuildBitCast(variant->builder,
                            LLVMBuildTruncOrBitCast(variant->builder, bits, integer, ""), type, "");
}

static LLVMValueRef size_of(const struct cut_building *building, LLVMTypeRef type) {
    return LLVMConstInt(building->variant->i64,
                        LLVMStoreSizeOfType(building->variant->layout, type), false);
}

static LLVMTypeRef void_type(const struct cut_building *building) {
    return LLVMVoidTypeInContext(building->variant->context);
}

static void add_hash(struct cut_building *building, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            add_hash(building, LLVMBuildExtractValue(building->variant->builder, value, i, ""));
        return;
    }
    LLVMValueRef bits = kind == LLVMVoidTypeKind ? NULL : as_bits(building, value);
    if (bits)
        cut_runtime_call(building, "__recut_cut_hash", void_type(building), &bits, 1);
}

/* --- replay space ----------------------------------------------------------------------------- */

/* Without a body so far; calls of it become that. */
LLVMValueRef cut_inlined_function(struct cut_building *building, const char *name,
                                  LLVMTypeRef type) {
    struct variant *variant = building->variant;
    LLVMValueRef function = LLVMAddFunction(variant->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(variant->context, kind, 0));
    building->has_inlined = true;
    return function;
}

static const char always[] = "__recut_cut_loaded", by_address[] = "__recut_cut_checked";

static struct error *put_in_place(struct cut_building *building) {
    if (!building->has_inlined)
        return NULL;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(building->variant->module, "always-inline", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failed)
        return NULL;
    char *message = LLVMGetErrorMessage(failed);
    struct error *err = error_new(ERROR_FAILED, "cannot inline: %s", message);
    LLVMDisposeErrorMessage(message);
    return err;
}

/* `how` is a function of the runtime that says where to load from. */
static LLVMValueRef loaded(struct cut_building *building, const char *how, LLVMValueRef address,
                           LLVMValueRef size) {
    LLVMValueRef arguments[] = {address, size};
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    const char *sized = bytes == 1   ? "__recut_cut_loaded_1"
                        : bytes == 2 ? "__recut_cut_loaded_2"
                        : bytes == 4 ? "__recut_cut_loaded_4"
                        : bytes == 8 ? "__recut_cut_loaded_8"
                                     : NULL;
    if (how == always && sized)
        return cut_runtime_call(building, sized, building->variant->ptr, arguments, 1);
    if (how == always)
        return cut_runtime_call(building, how, building->variant->ptr, arguments, 2);
    return cut_checked_address(building, address, size);
}

static LLVMValueRef logged(struct cut_building *building, LLVMValueRef value) {
    LLVMValueRef bits = as_bits(building, value);
    if (!bits)
        return NULL;
    return from_bits(
        building,
        cut_runtime_call(building, "__recut_cut_logged", building->variant->i64, &bits, 1),
        LLVMTypeOf(value));
}

/* Those who use `value` now get what is made of it. */
static void replace_uses(LLVMValueRef value, LLVMValueRef *users, size_t count,
                         LLVMValueRef other) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < LLVMGetNumOperands(users[i]); k++)
            if (LLVMGetOperand(users[i], (unsigned)k) == value)
                LLVMSetOperand(users[i], (unsigned)k, other);
}

/* Its result is logged; that of an exchange that compares has two parts. */
static struct error *log_result(struct cut_building *building, LLVMValueRef operation) {
    LLVMBuilderRef b = building->variant->builder;
    VEC(LLVMValueRef) users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(operation); use; use = LLVMGetNextUse(use))
        VEC_PUSH(&users, LLVMGetUser(use));
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(operation));
    LLVMValueRef result = operation;
    LLVMTypeRef type = LLVMTypeOf(operation);
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    for (unsigned i = 0; result && is_struct && i < LLVMCountStructElementTypes(type); i++) {
        LLVMValueRef part = logged(building, LLVMBuildExtractValue(b, operation, i, ""));
        result = part ? LLVMBuildInsertValue(b, result, part, i, "") : NULL;
    }
    if (!is_struct && LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        result = logged(building, operation);
    if (result)
        replace_uses(operation, users.data, users.count, result);
    if (result && building->options->hashes && LLVMIsALoadInst(operation))
        add_hash(building, result);
    VEC_DEINIT(&users);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(operation));
    return result
               ? NULL
               : error_new(ERROR_FAILED, "%s cannot be in replay space: an operation on 128 bits",
                           rewrite_name(function));
}

/* What threads may tell each other something by: atomic operations, and what is volatile. */
static LLVMValueRef ordered_address(LLVMValueRef instruction) {
    if (LLVMIsALoadInst(instruction) && LLVMGetVolatile(instruction))
        return LLVMGetOperand(instruction, 0);
    if (LLVMIsAStoreInst(instruction) && LLVMGetVolatile(instruction))
        return LLVMGetOperand(instruction, 1);
    return rewrite_atomic_address(instruction);
}

/*
 *     define internal void @recut.order.enter(ptr) alwaysinline
 *         @__recut_cut_has_order != 0:  call @__recut_cut_atomic_enter(ptr)
 */
static LLVMValueRef order_function(struct cut_building *building, const char *name,
                                   const char *called, unsigned parameters) {
    struct variant *variant = building->variant;
    LLVMValueRef function = LLVMGetNamedFunction(variant->module, name);
    if (function)
        return function;
    LLVMTypeRef type = LLVMFunctionType(void_type(building), &variant->ptr, parameters, false),
                i8 = LLVMInt8TypeInContext(variant->context);
    function = cut_inlined_function(building, name, type);
    LLVMBasicBlockRef blocks[3];
    for (unsigned i = 0; i < 3; i++)
        blocks[i] = LLVMAppendBasicBlockInContext(variant->context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(variant->context);
    LLVMPositionBuilderAtEnd(b, blocks[0]);
    LLVMValueRef flag = variant_runtime(variant, "__recut_cut_has_order", type),
                 has = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildLoad2(b, i8, flag, ""),
                                     LLVMConstInt(i8, 0, false), "");
    cut_set_unlikely(variant, LLVMBuildCondBr(b, has, blocks[1], blocks[2]), 0);
    LLVMPositionBuilderAtEnd(b, blocks[1]);
    LLVMValueRef argument = parameters ? LLVMGetParam(function, 0) : NULL;
    LLVMValueRef call =
        LLVMBuildCall2(b, type, variant_runtime(variant, called, type), &argument, parameters, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
    LLVMBuildBr(b, blocks[2]);
    LLVMPositionBuilderAtEnd(b, blocks[2]);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return function;
}

/* Around such an operation, which stays as it is. */
static void order_atomic(struct cut_building *building, LLVMValueRef operation) {
    LLVMBuilderRef b = building->variant->builder;
    LLVMValueRef address = ordered_address(operation),
                 enter =
                     order_function(building, "recut.order.enter", "__recut_cut_atomic_enter", 1),
                 leave =
                     order_function(building, "recut.order.leave", "__recut_cut_atomic_leave", 0);
    LLVMPositionBuilderBefore(b, operation);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(enter), enter, &address, 1, "");
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(operation));
    LLVMBuildCall2(b, LLVMGlobalGetValueType(leave), leave, NULL, 0, "");
    LLVMPositionBuilderBefore(b, operation);
}

static void log_source(struct cut_building *building, const char *how, LLVMValueRef copy) {
    LLVMValueRef size = LLVMBuildZExtOrBitCast(building->variant->builder, LLVMGetOperand(copy, 2),
                                               building->variant->i64, "");
    LLVMSetOperand(copy, 1, loaded(building, how, LLVMGetOperand(copy, 1), size));
    LLVMRemoveCallSiteEnumAttribute(copy, 2, LLVMGetEnumAttributeKindForName("align", 5));
}

/* Structs that are arguments are read when the call is made. */
static void log_by_value(struct cut_building *building, const char *how, LLVMValueRef call) {
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
        if (attribute)
            LLVMSetOperand(call, i,
                           loaded(building, how, LLVMGetOperand(call, i),
                                  size_of(building, LLVMGetTypeAttributeValue(attribute))));
    }
}

static struct error *log_read(struct cut_building *building, const char *how,
                              LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        if (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic)
            return log_result(building, instruction);
        LLVMSetOperand(instruction, 0,
                       loaded(building, how, LLVMGetOperand(instruction, 0),
                              size_of(building, LLVMTypeOf(instruction))));
        LLVMSetAlignment(instruction, 1);
        return NULL;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return log_result(building, instruction);
    case LLVMCall:
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
            return log_result(building, instruction);
        if (rewrite_is_intrinsic(instruction, "llvm.memcpy") ||
            rewrite_is_intrinsic(instruction, "llvm.memmove"))
            log_source(building, how, instruction);
        else
            log_by_value(building, how, instruction);
        return NULL;
    default:
        return NULL;
    }
}

/* Atomic operations on memory of the environment's are not looked for. */
static bool is_plain(LLVMValueRef instruction) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return (opcode == LLVMLoad && LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic) ||
           (opcode == LLVMCall && !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)));
}

/* Nothing may stand between such a call and the return. */
static bool is_jump(LLVMValueRef call) {
    return call && LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* What the program computes with, not what recut added to it. */
static bool is_hashed(const struct program *program, instruction_id id) {
    const struct instruction *known = &program->instructions.data[id];
    return known->opcode == OP_LOAD && !(known->flags & INSTRUCTION_SYNTHETIC);
}

/* An atomic load that is logged has another result, which log_result() has seen to. */
static void hash_load(struct cut_building *building, LLVMValueRef load, bool is_logged) {
    struct variant *variant = building->variant;
    if (is_logged && !is_plain(load))
        return;
    uint64_t seen = cut_looked_at(load);
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMPositionBuilderBefore(variant->builder, LLVMGetNextInstruction(load));
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64 && seen)
        add_hash(building,
                 LLVMBuildAnd(variant->builder, load, LLVMConstInt(type, seen, false), ""));
    else if (seen)
        add_hash(building, load);
}

static struct error *change_replay(struct cut_building *building, LLVMValueRef *instructions,
                                   size_t count, instruction_id first) {
    struct variant *variant = building->variant;
    const struct cut_loads loads = {instructions, count, first};
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef instruction = instructions[i];
        instruction_id id = first + (instruction_id)i;
        LLVMPositionBuilderBefore(variant->builder, instruction);
        LLVMSetCurrentDebugLocation2(variant->builder, LLVMInstructionGetDebugLoc(instruction));
        if (bitset_has(&building->options->cut->logged, id)) {
            struct error *err = log_read(building, always, instruction);
            if (err)
                return err;
        } else if (bitset_has(&building->options->cut->checked, id) && is_plain(instruction)) {
            if (LLVMIsALoadInst(instruction)) {
                cut_check_load(building, &loads, i);
            } else {
                struct error *err = log_read(building, by_address, instruction);
                BUG_IF(err);
            }
        }
        if (!bitset_has(&building->options->cut->logged, id) && ordered_address(instruction))
            order_atomic(building, instruction);
        if (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction))
            cut_border_call(building, instruction, id);
        if (building->options->hashes && is_hashed(building->options->program, id))
            hash_load(building, instruction, bitset_has(&building->options->cut->logged, id));
        if (building->options->hashes && LLVMIsAReturnInst(instruction) &&
            LLVMGetNumOperands(instruction) && !is_jump(LLVMGetPreviousInstruction(instruction))) {
            LLVMPositionBuilderBefore(variant->builder, instruction);
            add_hash(building, LLVMGetOperand(instruction, 0));
        }
    }
    return NULL;
}

/* Structs in memory are seen when they are loaded from. */
static void hash_arguments(struct cut_building *building, LLVMValueRef function) {
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    while (LLVMIsAAllocaInst(first) || LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(building->variant->builder, first);
    LLVMSetCurrentDebugLocation2(building->variant->builder, NULL);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (!LLVMGetEnumAttributeAtIndex(function, i + 1, byval))
            add_hash(building, LLVMGetParam(function, i));
}

/* --- environment ------------------------------------------------------------------------------ */

static void tell_stored(struct cut_building *building, LLVMValueRef instruction,
                        LLVMValueRef address, LLVMValueRef size) {
    LLVMPositionBuilderBefore(building->variant->builder, LLVMGetNextInstruction(instruction));
    LLVMValueRef arguments[] = {address, size};
    cut_runtime_call(building, "__recut_cut_stored", void_type(building), arguments, 2);
}

static void log_write(struct cut_building *building, LLVMValueRef instruction) {
    LLVMValueRef stored;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
        stored = LLVMGetOperand(instruction, 0);
        tell_stored(building, instruction, LLVMGetOperand(instruction, 1),
                    size_of(building, LLVMTypeOf(stored)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        stored = LLVMGetOperand(instruction, 1);
        tell_stored(building, instruction, LLVMGetOperand(instruction, 0),
                    size_of(building, LLVMTypeOf(stored)));
        break;
    case LLVMCall:
        if (rewrite_is_intrinsic(instruction, "llvm.mem")) {
            LLVMValueRef size =
                LLVMBuildZExtOrBitCast(building->variant->builder, LLVMGetOperand(instruction, 2),
                                       building->variant->i64, "");
            tell_stored(building, instruction, LLVMGetOperand(instruction, 0), size);
        } else if (!rewrite_is_intrinsic(instruction, "llvm.")) {
            cut_border_watch(building, instruction);
        }
        break;
    case LLVMInvoke:
        cut_border_watch(building, instruction);
        break;
    default:
        break;
    }
}

/* Calls of what is in replay space go by its entry, also where the image has both. */
static void change_environment(struct cut_building *building, LLVMValueRef *instructions,
                               size_t count, instruction_id first) {
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef instruction = instructions[i];
        LLVMPositionBuilderBefore(building->variant->builder, instruction);
        LLVMSetCurrentDebugLocation2(building->variant->builder,
                                     LLVMInstructionGetDebugLoc(instruction));
        if (bitset_has(&building->options->cut->logged, first + (instruction_id)i))
            log_write(building, instruction);
        if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
            continue;
        LLVMValueRef callee = LLVMGetCalledValue(instruction);
        if (LLVMIsAFunction(callee) && cut_is_replay(building, callee))
            LLVMSetOperand(instruction, (unsigned)LLVMGetNumOperands(instruction) - 1,
                           cut_in_stub(building, callee));
    }
}

/* --- functions -------------------------------------------------------------------------------- */

static bool has_logged(const struct cut_building *building, function_id f) {
    const struct function *function = &building->options->program->functions.data[f];
    for (uint32_t i = 0; i < function->instructions.count; i++)
        if (bitset_has(&building->options->cut->logged, function->instructions.first + i))
            return true;
    return false;
}

static bool is_wanted(LLVMValueRef function, void *data) {
    const struct cut_building *building = data;
    function_id f = cut_function_id(building, function);
    return f != NO_ID &&
           (bitset_has(&building->options->cut->replay, f) || has_logged(building, f));
}

static struct error *check_refusals(struct cut_building *building) {
    for (size_t i = 0; i < building->variant->values.count; i++) {
        const struct variant_value *value = &building->variant->values.data[i];
        if (value->refusal && LLVMIsAFunction(value->value) && is_wanted(value->value, building))
            return error_new(ERROR_FAILED, "%s cannot be recorded at a cut: %s",
                             rewrite_name(value->value), value->refusal);
    }
    return NULL;
}

static struct error *change(struct cut_building *building, LLVMValueRef function) {
    function_id f = cut_function_id(building, function);
    const struct function *known = &building->options->program->functions.data[f];
    VEC(LLVMValueRef) instructions = {0};
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            if (!rewrite_is_intrinsic(instruction, "llvm.dbg."))
                VEC_PUSH(&instructions, instruction);
    if (instructions.count != known->instructions.count)
        BUG("%s has %zu instructions and %u in the model", known->name, instructions.count,
            known->instructions.count);
    struct error *err = NULL;
    if (!bitset_has(&building->options->cut->replay, f)) {
        change_environment(building, instructions.data, instructions.count,
                           known->instructions.first);
    } else {
        cut_in_stub(building, function);
        err = change_replay(building, instructions.data, instructions.count,
                            known->instructions.first);
        if (building->options->hashes)
            hash_arguments(building, function);
    }
    VEC_DEINIT(&instructions);
    return err;
}

struct error *cut_variant_build(const struct cut_variant_options *options) {
    struct variant variant;
    struct error *err = variant_begin(options->embedded, &variant);
    if (err)
        return err;
    struct cut_building building = {
        .options = options,
        .variant = &variant,
        .i32 = LLVMInt32TypeInContext(variant.context),
    };
    cut_border_begin(&building);
    variant_choose(&variant, is_wanted, &building);
    err = check_refusals(&building);
    for (size_t i = 0; i < variant.values.count && !err; i++)
        if (variant.values.data[i].swapped && !variant.values.data[i].is_private)
            err = change(&building, variant.values.data[i].value);
    struct variant_output output = {
        .kind = VARIANT_CUT,
        .features = options->hashes ? VARIANT_HASHES : 0,
        .image_path = options->image_path,
    };
    if (!err)
        err = put_in_place(&building);
    if (!err)
        err = cut_border_finish(&building, &output);
    if (!err)
        err = variant_finish(&variant, &output);
    free(output.assembly);
    cut_border_end(&building);
    VEC_DEINIT(&building.found);
    variant_deinit(&variant);
    return err;
}
