/*
 * Which functions cannot be made canonical, and why?
 *
 * Two kinds.  Some functions stay out one by one: those that run before the
 * runtime is up (ifunc resolvers and what they call) and those without a
 * prologue of their own (naked).  And some programs cannot have a data stack
 * at all, because they would run several machine stacks over one data stack or
 * look for pointers in the machine stack: then every function keeps its frame,
 * with that reason.
 *
 * Inline assembly is searched as text for instructions that load the stack
 * pointer.  That is a heuristic: it knows the ways in which context switches
 * are written, not every way in which one could be.
 */
#include <stdio.h>
#include <string.h>

#include "program/canonical/rewrite.h"

/* Is the stack pointer the destination of one of the instructions? In AT&T
 * syntax the destination is the last operand. */
static bool writes_stack_pointer(const char *text) {
    static const char *const movers[] = {"mov", "xchg", "lea", "pop"};
    char line[256];
    while (*text) {
        size_t length = strcspn(text, "\n;");
        snprintf(line, sizeof line, "%.*s", (int)(length < 255 ? length : 255), text);
        text += length + (text[length] != '\0');
        char *code = line + strspn(line, " \t");
        char *comment = strchr(code, '#');
        if (comment)
            *comment = '\0';
        bool moves = false;
        for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
            moves |= strncmp(code, movers[i], strlen(movers[i])) == 0;
        char *operand = strrchr(code, ',');
        if (strncmp(code, "xchg", 4) == 0)
            operand = code;
        else if (!operand)
            operand = strpbrk(code, " \t");
        if (!moves || !operand)
            continue;
        char *sp = strstr(operand, "rsp");
        if (sp && !strchr(sp, ')'))
            return true;
    }
    return false;
}

static bool is_stack_switch(LLVMValueRef call) {
    if (!LLVMIsACallInst(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAInlineAsm(callee))
        return false;
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    char *copy CLEANUP_FREE = mem_strndup(text, length);
    return writes_stack_pointer(copy);
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
            FOR_EACH_INSTRUCTION(instruction, block)
                if (is_stack_switch(instruction)) {
                    snprintf(reason, sizeof reason, "inline assembly in %s switches stacks",
                             rewrite_name(function));
                    return reason;
                }
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(rw->module, &length);
    if (length) {
        char *copy CLEANUP_FREE = mem_strndup(text, length);
        if (writes_stack_pointer(copy))
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
    rw->whole_reason = find_whole_reason(rw);
    FOR_EACH_FUNCTION(function, rw->module) {
        if (LLVMIsDeclaration(function))
            continue;
        if (rewrite_has_attribute(function, "naked"))
            rewrite_leave_out(rw, function, "naked: it has no frame of the compiler's making");
        if (rw->whole_reason)
            rewrite_leave_out(rw, function, rw->whole_reason);
    }
}
