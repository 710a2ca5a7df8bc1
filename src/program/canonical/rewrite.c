/* Small questions that several passes of the rewriting ask; see rewrite.h. */
#include "program/canonical/rewrite.h"

#include <string.h>

void rewrite_init(struct rewrite *rw, LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    *rw = (struct rewrite){
        .context = context,
        .module = module,
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .ptr = LLVMPointerTypeInContext(context, 0),
        .void_type = LLVMVoidTypeInContext(context),
    };
    rw->self = LLVMGetNamedGlobal(module, "__recut_self");
    if (!rw->self) {
        rw->self = LLVMAddGlobal(module, LLVMArrayType2(rw->i64, 8), "__recut_self");
        LLVMSetThreadLocalMode(rw->self, LLVMLocalExecTLSModel);
        LLVMSetAlignment(rw->self, 8);
    }
}

void rewrite_deinit(struct rewrite *rw) { LLVMDisposeBuilder(rw->builder); }

LLVMValueRef rewrite_const(struct rewrite *rw, uint64_t value) {
    return LLVMConstInt(rw->i64, value, false);
}

LLVMValueRef rewrite_self_field(struct rewrite *rw, unsigned offset) {
    if (offset == 0)
        return rw->self;
    LLVMValueRef index = rewrite_const(rw, offset);
    return LLVMConstGEP2(rw->i8, rw->self, &index, 1);
}

bool rewrite_is_self(LLVMValueRef address) {
    if (LLVMIsAConstantExpr(address) && LLVMGetNumOperands(address) > 0)
        address = LLVMGetOperand(address, 0);
    return LLVMIsAGlobalVariable(address) && strcmp(rewrite_name(address), "__recut_self") == 0;
}

void rewrite_calls(LLVMValueRef function, LLVMValueRef other) {
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
            LLVMGetCalledValue(user) == function)
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, other);
    }
}

LLVMValueRef rewrite_runtime(struct rewrite *rw, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(rw->module, name);
    return function ? function : LLVMAddFunction(rw->module, name, type);
}

const char *rewrite_name(LLVMValueRef value) {
    size_t length;
    return LLVMGetValueName2(value, &length);
}

const char *rewrite_callee_name(LLVMValueRef call) {
    if (!LLVMIsACallInst(call))
        return "";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return callee && LLVMIsAFunction(callee) ? rewrite_name(callee) : "";
}

/* Assembly that locks the bus for what a pointer points to that it gets: older programs
 * have their atomic operations so. */
static LLVMValueRef locked_by_assembly(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    if (!callee || !LLVMIsAInlineAsm(callee))
        return NULL;
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    char *copy CLEANUP_FREE = mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!strstr(copy, "lock") && !strstr(copy, "xchg"))
        return NULL;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return LLVMGetOperand(call, i);
    return NULL;
}

LLVMValueRef rewrite_atomic_address(LLVMValueRef instruction) {
    bool is_load = LLVMIsALoadInst(instruction), is_store = LLVMIsAStoreInst(instruction);
    if ((is_load || is_store) && LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic)
        return NULL;
    if (is_load || LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
        return LLVMGetOperand(instruction, 0);
    return is_store ? LLVMGetOperand(instruction, 1) : locked_by_assembly(instruction);
}

bool rewrite_is_intrinsic(LLVMValueRef call, const char *prefix) {
    return strncmp(rewrite_callee_name(call), prefix, strlen(prefix)) == 0;
}

bool rewrite_is_wrapped(const struct rewrite *rw, const char *name) {
    for (const char *const *wrapped = rw->wrapped; wrapped && *wrapped; wrapped++)
        if (strcmp(*wrapped, name) == 0)
            return true;
    return false;
}

bool rewrite_has_attribute(LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

bool rewrite_returns_twice(LLVMValueRef call) {
    if (!LLVMIsACallInst(call))
        return false;
    static const char name[] = "returns_twice";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    if (LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return callee && LLVMIsAFunction(callee) && rewrite_has_attribute(callee, name);
}

void rewrite_leave_out(struct rewrite *rw, LLVMValueRef function, const char *reason) {
    if (rewrite_left_out(function))
        return;
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(rw->context, LEFT_OUT_ATTRIBUTE, sizeof LEFT_OUT_ATTRIBUTE - 1,
                                  reason, (unsigned)strlen(reason));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

const char *rewrite_left_out(LLVMValueRef function) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      LEFT_OUT_ATTRIBUTE, sizeof LEFT_OUT_ATTRIBUTE - 1);
    unsigned length;
    return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}

void rewrite_array(struct rewrite *rw, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                   size_t count, bool constant) {
    LLVMValueRef global = LLVMAddGlobal(rw->module, LLVMArrayType2(type, count), name);
    LLVMSetInitializer(global, LLVMConstArray2(type, items, count));
    LLVMSetGlobalConstant(global, constant);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetAlignment(global, 16);
}
