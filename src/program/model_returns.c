/*
 * Which functions never return, though nobody says so: all of their ways end in a call that does
 * not.  At -O0 clang leaves that to the source, where few have `noreturn`.
 *
 * Calls of them by name are marked as those of exit() are.  A function that others may take the
 * place of (weak) is none of these, and nor is one that only waits for ever: a handler of signals
 * may leave it.
 *
 * Cost: linear, once for each step from such a function to those that call it.
 */
#include <stdlib.h>

#include "base/bitset.h"
#include "program/model.h"

/* Does control go on behind the block's calls? */
static bool passes(const struct program *program, const struct block *block) {
    for (uint32_t i = 0; i < block->instructions.count; i++)
        if (program->instructions.data[block->instructions.first + i].flags & INSTRUCTION_NO_RETURN)
            return false;
    return true;
}

static bool never_returns(const struct program *program, const struct function *function) {
    VEC(block_id) work = {0};
    struct bitset seen = {0};
    bool returns = false, ends = false;
    VEC_PUSH(&work, function->blocks.first);
    bitset_add(&seen, function->blocks.first);
    while (work.count && !returns) {
        const struct block *block = &program->blocks.data[work.data[--work.count]];
        instruction_id last = block->instructions.first + block->instructions.count - 1;
        if (!passes(program, block)) {
            ends = true;
            continue;
        }
        returns = program->instructions.data[last].opcode == OP_RETURN;
        for (uint32_t i = 0; i < block->successors.count; i++) {
            block_id to = program->edges.data[block->successors.first + i];
            if (!bitset_has(&seen, to))
                VEC_PUSH(&work, to);
            bitset_add(&seen, to);
        }
    }
    VEC_DEINIT(&work);
    bitset_deinit(&seen);
    return ends && !returns;
}

/* By function: may another definition take its place?  The caller frees. */
static bool *find_replaceable(struct model *model) {
    bool *replaceable = mem_zalloc(model->program->functions.count + 1, sizeof *replaceable);
    FOR_EACH_FUNCTION(llvm, model->module) {
        function_id id = idmap_find(&model->functions, llvm);
        if (id != IDMAP_NONE)
            replaceable[id] = LLVMGetLinkage(llvm) == LLVMWeakAnyLinkage;
    }
    return replaceable;
}

/* Marks calls of what is marked; was there any? */
static bool mark_calls(struct program *program) {
    bool changed = false;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        struct instruction *call = &program->instructions.data[i];
        if (!(call->flags & INSTRUCTION_CALL) || call->flags & INSTRUCTION_NO_RETURN ||
            call->callee == NO_ID ||
            !(program->functions.data[call->callee].flags & FUNCTION_NO_RETURN))
            continue;
        call->flags |= INSTRUCTION_NO_RETURN;
        changed = true;
    }
    return changed;
}

void model_returns(struct model *model) {
    struct program *program = model->program;
    bool *replaceable = find_replaceable(model);
    do {
        for (function_id f = 0; f < program->functions.count; f++) {
            struct function *function = &program->functions.data[f];
            if (function->flags & FUNCTION_DEFINED && function->blocks.count && !replaceable[f] &&
                !(function->flags & FUNCTION_NO_RETURN) && never_returns(program, function))
                function->flags |= FUNCTION_NO_RETURN;
        }
    } while (mark_calls(program));
    free(replaceable);
}
