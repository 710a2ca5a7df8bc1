/*
 * A function that code outside the program can call may be the first canonical
 * code that a thread runs: a callback on a library's thread, a timer's thread,
 * a signal handler.  Such a function first looks whether the thread has a data
 * stack and has the runtime attach one if not.
 *
 *     entry:   %dsp = load self.data_stack
 *              br (%dsp == null), attach, body      ; never taken but once a thread
 *     attach:  call preserve_all __recut_attach()
 *
 *     body:    %sp = phi [%dsp, entry], [load self.data_stack, attach]
 *
 * The call keeps all registers, so the code generator saves nothing for it on
 * the usual path, and a function with a frame uses the value that was checked.
 */
#include <string.h>

#include "program/canonical/rewrite.h"

static bool is_address_taken(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return true;
        unsigned args = LLVMGetNumArgOperands(user);
        for (unsigned i = 0; i < args; i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

/* Does anything in it need the data stack or the thread-locals, here or below? */
static bool needs_thread(struct rewrite *rw, LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (LLVMIsAInvokeInst(instruction) ||
                (LLVMIsACallInst(instruction) && !rewrite_is_intrinsic(instruction, "llvm.") &&
                 !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))))
                return true;
            LLVMValueRef address =
                LLVMIsALoadInst(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
            if (address && (address == rw->self || (LLVMIsAConstantExpr(address) &&
                                                    LLVMGetOperand(address, 0) == rw->self)))
                return true;
        }
    return false;
}

static void set_unlikely(struct rewrite *rw, LLVMValueRef branch) {
    LLVMMetadataRef weights[] = {
        LLVMMDStringInContext2(rw->context, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(rw->i32, 1, false)),
        LLVMValueAsMetadata(LLVMConstInt(rw->i32, 1 << 20, false)),
    };
    LLVMSetMetadata(
        branch, LLVMGetMDKindIDInContext(rw->context, "prof", 4),
        LLVMMetadataAsValue(rw->context, LLVMMDNodeInContext2(rw->context, weights, 3)));
}

/* Where a frame is made, the body begins by loading the stack pointer again. */
static LLVMValueRef find_entry_load(struct rewrite *rw, LLVMBasicBlockRef body) {
    FOR_EACH_INSTRUCTION(instruction, body) {
        if (LLVMIsALoadInst(instruction) && LLVMGetOperand(instruction, 0) == rw->self)
            return instruction;
        if (LLVMIsAStoreInst(instruction) || LLVMIsACallInst(instruction))
            return NULL;
    }
    return NULL;
}

static void add_check(struct rewrite *rw, LLVMValueRef function) {
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(rw->context, body, "recut.entry");
    LLVMBasicBlockRef attach = LLVMAppendBasicBlockInContext(rw->context, function, "recut.attach");
    /* The slot that debuggers read must stay in the entry block. */
    LLVMPositionBuilderAtEnd(rw->builder, entry);
    LLVMSetCurrentDebugLocation2(rw->builder, NULL);
    FOR_EACH_INSTRUCTION_SAFE(instruction, next, body)
        if (LLVMIsAAllocaInst(instruction)) {
            char *name CLEANUP_FREE = mem_strdup(rewrite_name(instruction));
            LLVMInstructionRemoveFromParent(instruction);
            LLVMInsertIntoBuilderWithName(rw->builder, instruction, name);
        }
    LLVMValueRef top =
        LLVMBuildLoad2(rw->builder, rw->ptr, rewrite_self_field(rw, SELF_DATA_STACK), "");
    LLVMValueRef none = LLVMBuildIsNull(rw->builder, top, "");
    set_unlikely(rw, LLVMBuildCondBr(rw->builder, none, attach, body));
    LLVMPositionBuilderAtEnd(rw->builder, attach);
    LLVMTypeRef type = LLVMFunctionType(rw->void_type, NULL, 0, false);
    LLVMValueRef call =
        LLVMBuildCall2(rw->builder, type, rewrite_runtime(rw, "__recut_attach", type), NULL, 0, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
    LLVMValueRef reload = find_entry_load(rw, body);
    LLVMValueRef given =
        reload ? LLVMBuildLoad2(rw->builder, rw->ptr, rewrite_self_field(rw, SELF_DATA_STACK), "")
               : NULL;
    LLVMBuildBr(rw->builder, body);
    if (reload) {
        LLVMPositionBuilderBefore(rw->builder, LLVMGetFirstInstruction(body));
        LLVMValueRef checked = LLVMBuildPhi(rw->builder, rw->ptr, "dsp");
        LLVMAddIncoming(checked, (LLVMValueRef[]){top, given}, (LLVMBasicBlockRef[]){entry, attach},
                        2);
        LLVMReplaceAllUsesWith(reload, checked);
        LLVMInstructionEraseFromParent(reload);
    }
}

void canonical_attach(struct rewrite *rw) {
    FOR_EACH_FUNCTION(function, rw->module) {
        if (LLVMIsDeclaration(function) || rewrite_left_out(function) ||
            strcmp(rewrite_name(function), "main") == 0)
            continue;
        LLVMLinkage linkage = LLVMGetLinkage(function);
        bool visible = linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
        if ((visible || is_address_taken(function)) && needs_thread(rw, function))
            add_check(rw, function);
    }
}
