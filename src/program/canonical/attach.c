/*
 * A function that code outside the program can call may be the first canonical
 * code that a thread runs: a callback on a library's thread, a timer's thread,
 * a signal handler.  Such a function first looks whether the thread has a data
 * stack and has the runtime attach one if not.
 *
 *     entry:   %dsp = load self.data_stack
 *              br (%dsp == null), attach, body      ; never taken but once a thread
 *     attach:  store the arguments to self.callback
 *              call preserve_all __recut_attach(@f, address of the return address)
 *
 *     body:    %sp = phi [%dsp, entry], [load self.data_stack, attach]
 *
 * The call keeps all registers, so the code generator saves nothing for it on
 * the usual path, and a function with a frame uses the value that was checked.
 *
 * While a run is recorded, a thread that is outside the program has no data stack
 * either: so the same check finds the calls that the environment makes into the
 * program (iTarget §4.1), and the arguments are for the log.  What a function with
 * neither stores nor calls does is not seen by anybody, and is not looked at.
 */
#include <stdio.h>
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

/* Does anything in it need the data stack or the thread-locals, here or below,
 * or change memory? */
static bool needs_thread(LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (LLVMIsAInvokeInst(instruction) ||
                (LLVMIsACallInst(instruction) && !rewrite_is_intrinsic(instruction, "llvm.") &&
                 !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))))
                return true;
            if (LLVMIsAStoreInst(instruction) || LLVMIsAAtomicRMWInst(instruction) ||
                LLVMIsAAtomicCmpXchgInst(instruction) ||
                rewrite_is_intrinsic(instruction, "llvm.mem"))
                return true;
            LLVMValueRef address =
                LLVMIsALoadInst(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
            if (address && rewrite_is_self(address))
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

/* What the function gets, as the log wants it: integers and pointers from
 * self.callback on, then floating point numbers. Attribute ENTERS_ATTRIBUTE keeps
 * how many; a function that gets anything else has none. */
static void store_arguments(struct rewrite *rw, LLVMValueRef function) {
    unsigned integers = 0, floats = 0, count = LLVMCountParams(function);
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetParam(function, i);
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
        bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
        if (LLVMGetEnumAttributeAtIndex(function, i + 1, byval) ||
            (!is_float && kind != LLVMPointerTypeKind &&
             (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)) ||
            (is_float ? floats : integers) == (is_float ? CALLBACK_FLOATS : CALLBACK_INTEGERS))
            return;
        unsigned place = is_float ? CALLBACK_INTEGERS + floats++ : integers++;
        LLVMBuildStore(rw->builder, value, rewrite_self_field(rw, SELF_CALLBACK + 8 * place));
    }
    LLVMTypeKind result = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    char text[32];
    int length = snprintf(text, sizeof text, "%u %u %c", integers, floats,
                          result == LLVMVoidTypeKind                                    ? 'v'
                          : result == LLVMFloatTypeKind || result == LLVMDoubleTypeKind ? 'f'
                                                                                        : 'i');
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(rw->context, ENTERS_ATTRIBUTE,
                                                      sizeof ENTERS_ATTRIBUTE - 1, text,
                                                      (unsigned)length));
}

static LLVMValueRef return_slot(struct rewrite *rw) {
    static const char name[] = "llvm.addressofreturnaddress";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMTypeRef types[] = {rw->ptr};
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(rw->module, id, types, 1);
    return LLVMBuildCall2(rw->builder, LLVMIntrinsicGetType(rw->context, id, types, 1), intrinsic,
                          NULL, 0, "");
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
    store_arguments(rw, function);
    LLVMTypeRef type = LLVMFunctionType(rw->void_type, (LLVMTypeRef[]){rw->ptr, rw->ptr}, 2, false);
    LLVMValueRef given[] = {function, return_slot(rw)};
    LLVMValueRef call = LLVMBuildCall2(rw->builder, type,
                                       rewrite_runtime(rw, "__recut_attach", type), given, 2, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
    LLVMValueRef reload = find_entry_load(rw, body);
    LLVMValueRef stack =
        reload ? LLVMBuildLoad2(rw->builder, rw->ptr, rewrite_self_field(rw, SELF_DATA_STACK), "")
               : NULL;
    LLVMBuildBr(rw->builder, body);
    if (reload) {
        LLVMPositionBuilderBefore(rw->builder, LLVMGetFirstInstruction(body));
        LLVMValueRef checked = LLVMBuildPhi(rw->builder, rw->ptr, "dsp");
        LLVMAddIncoming(checked, (LLVMValueRef[]){top, stack}, (LLVMBasicBlockRef[]){entry, attach},
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
        if ((visible || is_address_taken(function)) && needs_thread(function))
            add_check(rw, function);
    }
}
