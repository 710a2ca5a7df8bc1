/* How does a function leave its record?  See shadow.h. */
#include "instrument/shadow.h"

#include <stddef.h>
#include <string.h>

#include "format/shadow.h"
#include "instrument/shadow_impl.h"
#include "instrument/variadic.h"
#include "program/canonical/rewrite.h"

/* The type of a struct that is passed in memory; NULL if it is not. */
static LLVMTypeRef by_value(LLVMValueRef function, unsigned i) {
    LLVMAttributeRef attribute =
        LLVMGetEnumAttributeAtIndex(function, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static uint64_t size_of(const struct shadow *shadow, unsigned i) {
    LLVMTypeRef memory = by_value(shadow->function, i);
    LLVMTypeRef type = memory ? memory : LLVMTypeOf(LLVMGetParam(shadow->function, i));
    return (LLVMABISizeOfType(shadow->variant->layout, type) + 7) & ~7ULL;
}

static uint64_t record_size(const struct shadow *shadow, const struct shadow_options *options) {
    uint64_t size = sizeof(struct shadow_end) + shadow_copied_size(options) + shadow->rest_size;
    for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++)
        size += size_of(shadow, i);
    return size;
}

/* The byte of the record at this offset. */
LLVMValueRef shadow_at(struct shadow *shadow, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(shadow->variant->i64, offset - shadow->size, true);
    LLVMTypeRef byte = LLVMInt8TypeInContext(shadow->variant->context);
    return LLVMBuildGEP2(shadow->variant->builder, byte, shadow->end, &index, 1, "");
}

void shadow_put(struct shadow *shadow, uint64_t offset, LLVMValueRef value) {
    LLVMSetAlignment(LLVMBuildStore(shadow->variant->builder, value, shadow_at(shadow, offset)), 1);
}

static void put_number(struct shadow *shadow, uint64_t offset, uint64_t number) {
    shadow_put(shadow, offset, LLVMConstInt(shadow->variant->i64, number, false));
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

/* More of the machine stack, which nobody uses, for a record that would reach into the next: all of
 * it but the return address, since what is there for alignment may be what is given. */
static void make_room(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    static const char constraints[] = "*m,~{dirflag},~{fpsr},~{flags}";
    uint64_t least = SHADOW_SCALE * SHADOW_FRAME_LEAST;
    if (shadow->size <= least)
        return;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function));
    LLVMPositionBuilderBefore(variant->builder, first);
    uint64_t frame = (shadow->size + SHADOW_SCALE - 1) / SHADOW_SCALE;
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt8TypeInContext(variant->context), frame - sizeof(uint64_t));
    LLVMValueRef room = LLVMBuildAlloca(variant->builder, type, "");
    LLVMTypeRef user =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(user, "", 0, constraints, sizeof constraints - 1, true,
                                            false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(variant->builder, first_of_body(shadow->function));
    LLVMValueRef call = LLVMBuildCall2(variant->builder, user, nothing, &room, 1, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAddCallSiteAttribute(call, 1, LLVMCreateTypeAttribute(variant->context, kind, type));
}

static void make_rest(struct shadow *shadow) {
    if (!shadow->rest_size)
        return;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function));
    LLVMPositionBuilderBefore(shadow->variant->builder, first);
    shadow->rest = variadic_room(shadow->variant);
}

static LLVMValueRef return_slot(struct variant *variant) {
    static const char name[] = "llvm.addressofreturnaddress";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(variant->module, id, &variant->ptr, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(variant->context, id, &variant->ptr, 1);
    LLVMValueRef slot = LLVMBuildCall2(variant->builder, type, intrinsic, NULL, 0, "");
    return LLVMBuildPtrToInt(variant->builder, slot, variant->i64, "");
}

/* One address with a base and an index, in the machine's terms; in a register of its own if there
 * are copies, whose code gets it. */
LLVMValueRef shadow_find(struct shadow *shadow, bool has_copies) {
    struct variant *variant = shadow->variant;
    LLVMBuilderRef b = variant->builder;
    _Static_assert(SHADOW_SCALE == 4, "the size of an i32");
    LLVMValueRef slot = return_slot(variant);
    LLVMValueRef mask = LLVMConstInt(variant->i64, SHADOW_WINDOW - 1, false);
    LLVMValueRef index = LLVMBuildAnd(b, slot, mask, "");
    LLVMValueRef base =
        LLVMBuildLoad2(b, variant->ptr, variant_self_field(variant, SELF_SHADOW), "");
    LLVMTypeRef scale = LLVMInt32TypeInContext(variant->context);
    shadow->end = LLVMBuildGEP2(b, scale, base, &index, 1, "shadow");
    if (!has_copies)
        return slot;
    static const char same[] = "=r,0";
    LLVMTypeRef type = LLVMFunctionType(variant->ptr, &variant->ptr, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, same, sizeof same - 1, false, false,
                                            LLVMInlineAsmDialectATT, false);
    shadow->end = LLVMBuildCall2(b, type, nothing, &shadow->end, 1, "");
    return slot;
}

/* Arguments as they are: a number of any width, a pointer, a vector, a struct in memory. */
static void put_arguments(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    uint64_t offset = 0;
    for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++) {
        LLVMValueRef value = LLVMGetParam(shadow->function, i);
        uint64_t size = size_of(shadow, i);
        LLVMTypeRef memory = by_value(shadow->function, i);
        if (memory) {
            LLVMValueRef bytes =
                LLVMConstInt(variant->i64, LLVMABISizeOfType(variant->layout, memory), false);
            LLVMBuildMemCpy(variant->builder, shadow_at(shadow, offset), 8, value, 1, bytes);
        } else {
            if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64)
                value = LLVMBuildZExt(variant->builder, value, variant->i64, "");
            shadow_put(shadow, offset, value);
        }
        offset += size;
    }
    if (shadow->rest_size)
        variadic_put(variant, shadow_at(shadow, offset), shadow->rest, shadow->rest_size);
}

/* The runtime copies more than a record has room for. */
static void copy_roots(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef none = LLVMVoidTypeInContext(variant->context), i64 = variant->i64;
    LLVMTypeRef types[] = {variant->ptr, i64, i64, i64};
    LLVMTypeRef begin = LLVMFunctionType(none, types, 1, false);
    LLVMTypeRef add = LLVMFunctionType(none, types, 4, false);
    if (!options->root_count)
        return;
    LLVMBuildCall2(variant->builder, begin, variant_runtime(variant, "__recut_copies_begin", begin),
                   &shadow->end, 1, "");
    for (size_t i = 0; i < options->root_count; i++) {
        const struct shadow_root *root = &options->roots[i];
        LLVMValueRef arguments[] = {root->base, LLVMConstInt(i64, (uint64_t)root->field, true),
                                    LLVMConstInt(i64, root->size, false),
                                    LLVMConstInt(i64, root->depth, false)};
        LLVMBuildCall2(variant->builder, add, variant_runtime(variant, "__recut_copies_add", add),
                       arguments, 4, "");
    }
    LLVMTypeRef end = LLVMFunctionType(none, NULL, 0, false);
    LLVMBuildCall2(variant->builder, end, variant_runtime(variant, "__recut_copies_end", end), NULL,
                   0, "");
}

static void tell(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_shadow_entered", type),
                   &shadow->end, 1, "");
}

bool shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options) {
    struct shadow shadow = {.variant = variant, .function = function};
    shadow.rest_size = variadic_size(variant, function);
    shadow.size = record_size(&shadow, options);
    if (shadow.size > SHADOW_RECORD_MOST)
        return false;
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    make_room(&shadow);
    make_rest(&shadow);
    LLVMPositionBuilderBefore(variant->builder, first_of_body(function));
    LLVMValueRef slot = shadow_find(&shadow, options->copy_count > 0);
    put_arguments(&shadow);
    uint64_t end = shadow.size - sizeof(struct shadow_end), copied = shadow_copied_size(options);
    shadow_put_copies(&shadow, options);
    shadow_put(&shadow, end + offsetof(struct shadow_end, slot), slot);
    put_number(&shadow, end + offsetof(struct shadow_end, function),
               options->number | shadow.size << 32 | copied << 48);
    copy_roots(&shadow, options);
    if (options->tells)
        tell(&shadow);
    shadow_put_later(&shadow, options);
    return true;
}
