/*
 * Bitcode with less in it: program_write_reduced() of program.h.
 *
 * Instructions and blocks are found by counting, in the order in which model.c numbered
 * them.  Terminators are replaced first, then instructions are taken out from the end
 * to the beginning of each block.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

#include "program/embedded.h"
#include "program/model.h"

struct numbered {
    VEC(LLVMValueRef) instructions;
    VEC(LLVMBasicBlockRef) blocks;
};

static void number(struct numbered *numbered, LLVMModuleRef module) {
    FOR_EACH_FUNCTION(function, module)
        FOR_EACH_BLOCK(block, function) {
            VEC_PUSH(&numbered->blocks, block);
            FOR_EACH_INSTRUCTION(instruction, block)
                if (!rewrite_is_intrinsic(instruction, "llvm.dbg."))
                    VEC_PUSH(&numbered->instructions, instruction);
        }
}

static void replace_terminator(const struct numbered *numbered, LLVMBuilderRef builder,
                               LLVMBasicBlockRef block, block_id to) {
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    LLVMPositionBuilderBefore(builder, terminator);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(LLVMGetBasicBlockParent(block)));
    if (to != REDUCED_RETURN)
        LLVMBuildBr(builder, numbered->blocks.data[to]);
    else if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, LLVMConstNull(result));
    LLVMInstructionEraseFromParent(terminator);
}

static void take_out(LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(instruction, LLVMConstNull(type));
    LLVMInstructionEraseFromParent(instruction);
}

/* The address that a computed goto to one label only went to is gone. */
static void replace_computed(LLVMBuilderRef builder, LLVMValueRef terminator) {
    if (LLVMGetInstructionOpcode(terminator) != LLVMIndirectBr ||
        LLVMGetNumSuccessors(terminator) != 1)
        return;
    LLVMPositionBuilderBefore(builder, terminator);
    LLVMBuildBr(builder, LLVMGetSuccessor(terminator, 0));
    LLVMInstructionEraseFromParent(terminator);
}

static void reduce(LLVMModuleRef module, const struct reduced *reduced) {
    struct numbered numbered = {0};
    number(&numbered, module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool *is_terminator = mem_zalloc(numbered.instructions.count + 1, sizeof *is_terminator);
    for (size_t i = 0; i < numbered.instructions.count; i++)
        is_terminator[i] = LLVMIsATerminatorInst(numbered.instructions.data[i]) != NULL;
    for (size_t i = 0; i < numbered.instructions.count; i++)
        if (is_terminator[i] && !reduced->keep[i])
            replace_computed(builder, numbered.instructions.data[i]);
    for (size_t b = 0; b < numbered.blocks.count; b++)
        if (reduced->jumps[b] != NO_ID)
            replace_terminator(&numbered, builder, numbered.blocks.data[b], reduced->jumps[b]);
    for (size_t i = numbered.instructions.count; i > 0; i--)
        if (!reduced->keep[i - 1] && !is_terminator[i - 1])
            take_out(numbered.instructions.data[i - 1]);
    free(is_terminator);
    LLVMDisposeBuilder(builder);
    VEC_DEINIT(&numbered.instructions);
    VEC_DEINIT(&numbered.blocks);
}

struct error *program_write_reduced(const char *path, const struct reduced *reduced,
                                    const char *output) {
    struct embedded embedded;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct error *err = model_open_module(path, &embedded, &context, &module);
    if (err)
        return err;
    reduce(module, reduced);
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        BUG("a reduced program is not valid: %s", message);
    LLVMDisposeMessage(message);
    if (LLVMWriteBitcodeToFile(module, output) != 0)
        err = error_new(ERROR_FAILED, "%s: cannot be written", output);
    model_close_module(&embedded, context, module);
    return err;
}
