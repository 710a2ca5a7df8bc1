/*
 * Which functions cannot be made canonical, and why?
 *
 * Two kinds.  Some functions stay out one by one: those that run before the
 * runtime is up (ifunc resolvers and what they call), those without a
 * prologue of their own (naked), and those that call __builtin_setjmp().  And some programs cannot
 * have a data stack at all, because they would run several machine stacks over one data stack or
 * look for pointers in the machine stack: then every function keeps its frame,
 * with that reason.
 *
 * Switches of stacks in assembly are found by a heuristic (program/stackswitch.h).
 */
#include <stdio.h>
#include <string.h>

#include "program/canonical/rewrite.h"
#include "program/stackswitch.h"

static bool is_stack_switch(LLVMValueRef call) {
    if (!LLVMIsACallInst(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAInlineAsm(callee))
        return false;
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    char *copy CLEANUP_FREE = mem_strndup(text, length);
    return assembly_switches_stacks(copy);
}

/* clone() into the same memory without a wait for the child: both would use one
 * data stack, since the thread pointer is the same. */
static bool shares_memory(LLVMValueRef call) {
    enum { clone_vm = 0x100, clone_vfork = 0x4000 };
    if (strcmp(rewrite_callee_name(call), "clone") != 0 ||
        !LLVMIsDeclaration(LLVMGetCalledValue(call)) || LLVMGetNumArgOperands(call) < 3)
        return false;
    LLVMValueRef flags = LLVMGetOperand(call, 2);
    if (!LLVMIsAConstantInt(flags))
        return true;
    unsigned long long value = LLVMConstIntGetZExtValue(flags);
    return (value & clone_vm) && !(value & clone_vfork);
}

static const char *find_whole_reason(struct rewrite *rw) {
    static char reason[256];
    static const char *const collectors[] = {"GC_init", "GC_malloc", "GC_malloc_atomic"};
    for (size_t i = 0; i < sizeof collectors / sizeof *collectors; i++)
        if (LLVMGetNamedFunction(rw->module, collectors[i])) {
            snprintf(reason, sizeof reason, "a conservative collector (%s) scans the stack",
                     collectors[i]);
            return reason;
        }
    FOR_EACH_FUNCTION(function, rw->module)
        FOR_EACH_BLOCK(block, function)
            FOR_EACH_INSTRUCTION(instruction, block) {
                const char *format =
                    is_stack_switch(instruction) ? "inline assembly in %s switches stacks"
                    : shares_memory(instruction) ? "%s calls clone() to run in the same memory"
                                                 : NULL;
                if (format) {
                    snprintf(reason, sizeof reason, format, rewrite_name(function));
                    return reason;
                }
            }
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(rw->module, &length);
    if (length) {
        char *copy CLEANUP_FREE = mem_strndup(text, length);
        if (assembly_switches_stacks(copy))
            return "assembly at file level switches stacks";
    }
    return NULL;
}

/* Leaves out a function and everything that it calls directly. */
static void leave_out_callees(struct rewrite *rw, LLVMValueRef function, const char *reason) {
    if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function) || rewrite_left_out(function))
        return;
    rewrite_leave_out(rw, function, reason);
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            if (LLVMIsACallInst(instruction))
                leave_out_callees(rw, LLVMGetCalledValue(instruction), reason);
}

/* What __builtin_setjmp() keeps is the machine's stack pointer. */
static bool keeps_stack(LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            if (rewrite_is_intrinsic(instruction, "llvm.eh.sjlj.setjmp"))
                return true;
    return false;
}

void canonical_survey(struct rewrite *rw) {
    static const char *const heap[] = {"malloc", "free", "calloc", "realloc"};
    for (size_t i = 0; i < sizeof heap / sizeof *heap; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(rw->module, heap[i]);
        rw->defines_malloc |= function && !LLVMIsDeclaration(function);
    }
    for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(rw->module); ifunc;
         ifunc = LLVMGetNextGlobalIFunc(ifunc))
        leave_out_callees(rw, LLVMGetGlobalIFuncResolver(ifunc),
                          "runs before the runtime is up (ifunc resolver)");
    if (!rw->whole_reason)
        rw->whole_reason = find_whole_reason(rw);
    FOR_EACH_FUNCTION(function, rw->module) {
        if (LLVMIsDeclaration(function))
            continue;
        if (rewrite_has_attribute(function, "naked"))
            rewrite_leave_out(rw, function, "naked: it has no frame of the compiler's making");
        if (keeps_stack(function))
            rewrite_leave_out(rw, function, "__builtin_setjmp() keeps the machine's stack pointer");
        if (rw->whole_reason)
            rewrite_leave_out(rw, function, rw->whole_reason);
    }
}
