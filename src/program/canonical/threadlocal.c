/*
 * Thread-locals become offsets into a block that each thread has at a fixed
 * address.
 *
 *   @x = thread_local global i32 5     ->  offset 16 of @__recut_tls_image
 *   llvm.threadlocal.address(@x)       ->  load %fs:(self.tls_block) + 16
 *
 * The runtime copies the image into a new thread's block.  A thread-local that
 * code outside the bitcode can name, or that is used other than through the
 * intrinsic, stays where the C library puts it; `recut info` lists those.
 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "program/canonical/rewrite.h"

/* Defined with internal linkage and reached through the intrinsic alone? */
static bool can_move(LLVMValueRef global) {
    if (LLVMIsDeclaration(global) || LLVMGetLinkage(global) != LLVMInternalLinkage)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use))
        if (!rewrite_is_intrinsic(LLVMGetUser(use), "llvm.threadlocal.address"))
            return false;
    return true;
}

static void replace_uses(struct rewrite *rw, LLVMValueRef global, uint64_t offset) {
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(global))) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMPositionBuilderBefore(rw->builder, call);
        LLVMSetCurrentDebugLocation2(rw->builder, NULL);
        LLVMValueRef block =
            LLVMBuildLoad2(rw->builder, rw->ptr, rewrite_self_field(rw, SELF_TLS_BLOCK), "tls");
        LLVMValueRef index = rewrite_const(rw, offset);
        LLVMValueRef address = LLVMBuildGEP2(rw->builder, rw->i8, block, &index, 1, "");
        LLVMReplaceAllUsesWith(call, address);
        LLVMInstructionEraseFromParent(call);
    }
}

static LLVMMetadataRef find_debug_info(LLVMValueRef global) {
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef found = NULL;
    for (unsigned i = 0; i < count && !found; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            found = node;
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

/* The name outlives the global, for whoever reads the program. */
static LLVMMetadataRef describe(struct rewrite *rw, LLVMValueRef global, uint64_t offset) {
    const char *name = rewrite_name(global);
    LLVMMetadataRef parts[] = {
        LLVMValueAsMetadata(rewrite_const(rw, offset)),
        LLVMMDStringInContext2(rw->context, name, strlen(name)),
        find_debug_info(global),
    };
    return LLVMMDNodeInContext2(rw->context, parts, parts[2] ? 3 : 2);
}

static void attach_descriptions(struct rewrite *rw, LLVMValueRef image,
                                LLVMMetadataRef const *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char kind[48];
        int length = snprintf(kind, sizeof kind, "recut.threadlocal.%zu", i);
        LLVMGlobalSetMetadata(image, LLVMGetMDKindIDInContext(rw->context, kind, (unsigned)length),
                              nodes[i]);
    }
}

static LLVMValueRef add_constant(struct rewrite *rw, const char *name, LLVMTypeRef type,
                                 LLVMValueRef value, unsigned align) {
    LLVMValueRef global = LLVMAddGlobal(rw->module, type, name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, align);
    return global;
}

void canonical_threadlocal(struct rewrite *rw) {
    VEC(LLVMValueRef) fields = {0};
    VEC(LLVMValueRef) moved = {0};
    VEC(LLVMMetadataRef) descriptions = {0};
    uint64_t size = 0;
    unsigned block_align = 16;
    FOR_EACH_GLOBAL(global, rw->module)
        if (LLVMIsThreadLocal(global) && can_move(global))
            VEC_PUSH(&moved, global);
    for (size_t i = 0; i < moved.count; i++) {
        LLVMTypeRef type = LLVMGlobalGetValueType(moved.data[i]);
        unsigned align = LLVMGetAlignment(moved.data[i]);
        if (align < LLVMABIAlignmentOfType(rw->layout, type))
            align = LLVMABIAlignmentOfType(rw->layout, type);
        if (align > block_align)
            block_align = align;
        uint64_t offset = (size + align - 1) / align * align;
        if (offset > size)
            VEC_PUSH(&fields, LLVMConstNull(LLVMArrayType2(rw->i8, offset - size)));
        VEC_PUSH(&fields, LLVMGetInitializer(moved.data[i]));
        VEC_PUSH(&descriptions, describe(rw, moved.data[i], offset));
        replace_uses(rw, moved.data[i], offset);
        size = offset + LLVMABISizeOfType(rw->layout, type);
    }
    LLVMValueRef initial =
        LLVMConstStructInContext(rw->context, fields.data, (unsigned)fields.count, true);
    LLVMValueRef image =
        add_constant(rw, THREAD_LOCAL_IMAGE, LLVMTypeOf(initial), initial, block_align);
    attach_descriptions(rw, image, descriptions.data, descriptions.count);
    add_constant(rw, "__recut_tls_size", rw->i64, rewrite_const(rw, size), 8);
    add_constant(rw, "__recut_tls_align", rw->i64, rewrite_const(rw, block_align), 8);
    for (size_t i = 0; i < moved.count; i++)
        LLVMDeleteGlobal(moved.data[i]);
    VEC_DEINIT(&fields);
    VEC_DEINIT(&moved);
    VEC_DEINIT(&descriptions);
}
