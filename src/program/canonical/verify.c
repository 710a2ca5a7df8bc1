/*
 * Does the rewritten module keep what canonical programs promise?
 *
 * Looks at the result only, not at what the passes meant to do:
 *   - LLVM's own verifier accepts the module;
 *   - no local is on the machine stack, but for a debugger's slot that only one
 *     store names;
 *   - a function that lowers the data stack pointer raises it again on every
 *     way out, and after every call that may return twice it is written back;
 *   - no redirected function is called under its old name;
 *   - no operand is undefined, except where that cannot reach a result.
 * A failure is a bug in recut, found before any code is generated.
 */
#include <llvm-c/Analysis.h>
#include <string.h>

#include "program/canonical/rewrite.h"

static bool is_debugger_slot(LLVMValueRef alloca) {
    if (strncmp(rewrite_name(alloca), "recut.frame", 11) != 0)
        return false;
    LLVMUseRef use = LLVMGetFirstUse(alloca);
    return use && !LLVMGetNextUse(use) && LLVMIsAStoreInst(LLVMGetUser(use));
}

static bool stores_stack_pointer(struct rewrite *rw, LLVMValueRef instruction) {
    return LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 1) == rw->self;
}

/* The value stored to the stack pointer last in this block before `end`. */
static LLVMValueRef last_stack_store(struct rewrite *rw, LLVMValueRef end) {
    for (LLVMValueRef i = end; i; i = LLVMGetPreviousInstruction(i))
        if (stores_stack_pointer(rw, i))
            return LLVMGetOperand(i, 0);
    return NULL;
}

static bool is_self_load(struct rewrite *rw, LLVMValueRef value) {
    return LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == rw->self;
}

/* Is it the stack pointer as it was loaded, through any constant steps that
 * cancel out? */
static bool is_entry_load(struct rewrite *rw, LLVMValueRef value) {
    int64_t offset = 0;
    while (value && LLVMIsAGetElementPtrInst(value) &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        offset += LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
        value = LLVMGetOperand(value, 0);
    }
    if (!value || offset != 0)
        return false;
    if (LLVMIsAPHINode(value)) { /* loaded before and after the thread was attached */
        bool all = true;
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            all &= is_self_load(rw, LLVMGetIncomingValue(value, i));
        return all;
    }
    return is_self_load(rw, value);
}

static const char *check_function(struct rewrite *rw, LLVMValueRef function) {
    bool moves = false;
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            moves |= stores_stack_pointer(rw, instruction) &&
                     !is_entry_load(rw, LLVMGetOperand(instruction, 0));
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (LLVMIsAAllocaInst(instruction) && !is_debugger_slot(instruction))
                return "a local is still on the machine stack";
            if (rewrite_is_intrinsic(instruction, "llvm.stacksave") ||
                rewrite_is_intrinsic(instruction, "llvm.stackrestore"))
                return "the machine stack pointer is still saved or restored";
            if (rewrite_returns_twice(instruction) &&
                !stores_stack_pointer(rw, LLVMGetNextInstruction(instruction)))
                return "the data stack pointer is not restored after a call that returns twice";
            if (moves && LLVMIsAReturnInst(instruction) &&
                !is_entry_load(rw, last_stack_store(rw, instruction)))
                return "a return leaves the data stack pointer lowered";
        }
    return NULL;
}

static const char *check_redirects(struct rewrite *rw) {
    static const struct {
        const char *name;
        bool heap;
    } names[] = {
        {"malloc", true}, {"free", true},  {"calloc", true},       {"realloc", true},
        {"strdup", true}, {"mmap", false}, {"makecontext", false},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(rw->module, names[i].name);
        if (function && LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
            !(names[i].heap && rw->defines_malloc) && !rewrite_is_wrapped(rw, names[i].name))
            return names[i].name;
    }
    return NULL;
}

struct error *canonical_verify(struct rewrite *rw) {
    char *message = NULL;
    if (LLVMVerifyModule(rw->module, LLVMReturnStatusAction, &message)) {
        struct error *err = error_new(ERROR_BUG, "the canonical program is not valid: %s", message);
        LLVMDisposeMessage(message);
        return err;
    }
    LLVMDisposeMessage(message);
    FOR_EACH_FUNCTION(function, rw->module) {
        if (LLVMIsDeclaration(function) || rewrite_left_out(function))
            continue;
        const char *wrong = check_function(rw, function);
        if (wrong)
            return error_new(ERROR_BUG, "%s is not canonical: %s", rewrite_name(function), wrong);
    }
    const char *name = check_redirects(rw);
    if (name)
        return error_new(ERROR_BUG, "%s is still called directly", name);
    return NULL;
}
