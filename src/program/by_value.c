/* See by_value.h. */
#include "program/by_value.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "program/canonical/rewrite.h"

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned parameter, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
}

/* In place of the parameter. */
static void copy(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef function,
                 unsigned number) {
    LLVMValueRef parameter = LLVMGetParam(function, number);
    LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute(function, number, "byval"));
    LLVMAttributeRef stated = attribute(function, number, "align");
    unsigned align = stated ? (unsigned)LLVMGetEnumAttributeValue(stated) : 1;
    LLVMTypeRef size = LLVMInt64TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef local = LLVMBuildAlloca(builder, type, "");
    LLVMSetAlignment(local, align);
    LLVMReplaceAllUsesWith(parameter, local);
    LLVMBuildMemCpy(builder, local, align, parameter, align,
                    LLVMConstInt(size, LLVMABISizeOfType(layout, type), false));
}

/* A call that is marked as one that sees none of the function's locals may see this one. */
static void clear_tails(LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(call, block)
            if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindTail)
                LLVMSetTailCallKind(call, LLVMTailCallKindNone);
}

/* musttail hands the parameters on as they are. */
static bool must_tail(LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(call, block)
            if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
                return true;
    return false;
}

void by_value_copy(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    FOR_EACH_FUNCTION(function, module) {
        bool has_copies = false;
        if (LLVMIsDeclaration(function) || must_tail(function))
            continue;
        for (unsigned i = 0; i < LLVMCountParams(function); i++) {
            if (!attribute(function, i, "byval"))
                continue;
            copy(builder, layout, function, i);
            has_copies = true;
        }
        if (has_copies)
            clear_tails(function);
    }
    LLVMDisposeBuilder(builder);
}
