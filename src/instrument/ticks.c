/* Where does a thread count?  See ticks.h. */
#include "instrument/ticks.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ticks.h"
#include "program/canonical/rewrite.h"

/* Assembly, since a call in a branch of its own would change what the code generator keeps
 * in registers.  The function must not keep anything below its stack pointer. */
static void tick_before(struct variant *variant, LLVMValueRef instruction) {
    static const char text[] = "decl %fs:${0:c}\n\tjns 1f\n\tcall __recut_tick\n1:";
    static const char constraints[] = "i,~{dirflag},~{fpsr},~{flags}";
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->i64, 1, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                         true, false, LLVMInlineAsmDialectATT, false);
    int64_t offset = variant->embedded->self_offset + SELF_TICKS;
    LLVMValueRef argument = LLVMConstInt(variant->i64, (uint64_t)offset, true);
    LLVMPositionBuilderBefore(variant->builder, instruction);
    LLVMSetCurrentDebugLocation2(variant->builder, LLVMInstructionGetDebugLoc(instruction));
    LLVMBuildCall2(variant->builder, type, code, &argument, 1, "");
}

/* --- loops ------------------------------------------------------------------------------- */

enum { goes_on = UINT32_MAX, goes_to_many = UINT32_MAX - 1 };

struct walk {
    VEC(LLVMBasicBlockRef) blocks;
    unsigned char *state;  /* by block: 0 not seen, 1 on the way, 2 done */
    uint32_t *goes_back;   /* to which block, or one of the above */
    uint32_t *path, *next; /* blocks on the way, and which successor comes next */
};

static uint32_t index_of(const struct walk *walk, LLVMBasicBlockRef block) {
    uint32_t low = 0, high = (uint32_t)walk->blocks.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)walk->blocks.data[middle] <= (uintptr_t)block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)*(const LLVMBasicBlockRef *)a;
    uintptr_t y = (uintptr_t)*(const LLVMBasicBlockRef *)b;
    return (x > y) - (x < y);
}

/* Depth first: an edge to a block that is on the way closes a cycle, and every cycle has
 * such an edge. */
static void find_backward(struct walk *walk, LLVMBasicBlockRef entry) {
    uint32_t depth = 0;
    walk->path[0] = index_of(walk, entry);
    walk->state[walk->path[0]] = 1;
    for (;;) {
        uint32_t at = walk->path[depth];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(walk->blocks.data[at]);
        if (walk->next[at] < LLVMGetNumSuccessors(end)) {
            uint32_t to = index_of(walk, LLVMGetSuccessor(end, walk->next[at]++));
            if (walk->state[to] == 1)
                walk->goes_back[at] =
                    walk->goes_back[at] == goes_on || walk->goes_back[at] == to ? to : goes_to_many;
            if (walk->state[to])
                continue;
            walk->state[to] = 1;
            walk->path[++depth] = to;
            continue;
        }
        walk->state[at] = 2;
        if (!depth--)
            return;
    }
}

/* Can a block be reached without coming by `header`? */
static bool is_reached_without(struct walk *walk, uint32_t header, uint32_t block) {
    uint32_t depth = 1;
    memset(walk->state, 0, walk->blocks.count);
    walk->state[header] = 1;
    walk->path[0] =
        index_of(walk, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(walk->blocks.data[header])));
    walk->state[walk->path[0]] = 1;
    while (depth) {
        uint32_t at = walk->path[--depth];
        if (at == block)
            return true;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(walk->blocks.data[at]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            uint32_t to = index_of(walk, LLVMGetSuccessor(end, i));
            if (!walk->state[to])
                walk->path[depth++] = to;
            walk->state[to] = 1;
        }
    }
    return false;
}

/* All that go back to the header are inside a loop that it is the only way into, and go
 * back nowhere else. */
static bool has_own_count(struct walk *walk, uint32_t header) {
    for (uint32_t i = 0; i < walk->blocks.count; i++) {
        if (walk->goes_back[i] == goes_to_many) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(walk->blocks.data[i]);
            for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
                if (index_of(walk, LLVMGetSuccessor(end, k)) == header)
                    return false;
        }
        if (walk->goes_back[i] == header && is_reached_without(walk, header, i))
            return false;
    }
    return true;
}

static LLVMValueRef count_before(struct variant *variant, LLVMValueRef instruction,
                                 LLVMValueRef count) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(variant->context), types[] = {i32, variant->i64};
    char text[160];
    snprintf(text, sizeof text,
             "decl $0\n\tjns 1f\n\tmovl $$%d, $0\n\tsubl $$%d, %%fs:${2:c}\n\tjns 1f\n\t"
             "call __recut_tick_loop\n1:",
             TICKS_OF_LOOP - 1, TICKS_OF_LOOP);
    static const char constraints[] = "=r,0,i,~{dirflag},~{fpsr},~{flags}";
    LLVMTypeRef type = LLVMFunctionType(i32, types, 2, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                         true, false, LLVMInlineAsmDialectATT, false);
    int64_t offset = variant->embedded->self_offset + SELF_TICKS;
    LLVMValueRef arguments[] = {count, LLVMConstInt(variant->i64, (uint64_t)offset, true)};
    LLVMPositionBuilderBefore(variant->builder, instruction);
    LLVMSetCurrentDebugLocation2(variant->builder, LLVMInstructionGetDebugLoc(instruction));
    return LLVMBuildCall2(variant->builder, type, code, arguments, 2, "");
}

static void add_own_count(struct variant *variant, struct walk *walk, uint32_t header) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(variant->context);
    LLVMBasicBlockRef block = walk->blocks.data[header];
    LLVMValueRef full = LLVMConstInt(i32, TICKS_OF_LOOP - 1, false);
    LLVMPositionBuilderBefore(variant->builder, LLVMGetFirstInstruction(block));
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    LLVMValueRef count = LLVMBuildPhi(variant->builder, i32, "");
    for (uint32_t i = 0; i < walk->blocks.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(walk->blocks.data[i]);
        LLVMValueRef given =
            walk->goes_back[i] == header ? count_before(variant, end, count) : full;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            if (LLVMGetSuccessor(end, k) == block)
                LLVMAddIncoming(count, &given, &walk->blocks.data[i], 1);
    }
}

/* True if there are any. */
static bool count_loops(struct variant *variant, struct walk *walk) {
    uint32_t count = (uint32_t)walk->blocks.count;
    bool any = false, *is_header CLEANUP_FREE = mem_zalloc(count, sizeof *is_header);
    for (uint32_t i = 0; i < count; i++) {
        any |= walk->goes_back[i] != goes_on;
        if (walk->goes_back[i] < count)
            is_header[walk->goes_back[i]] = true;
    }
    for (uint32_t header = 0; header < count; header++) {
        if (!is_header[header])
            continue;
        if (has_own_count(walk, header))
            add_own_count(variant, walk, header);
        else
            for (uint32_t i = 0; i < count; i++)
                if (walk->goes_back[i] == header)
                    walk->goes_back[i] = goes_to_many;
    }
    for (uint32_t i = 0; i < count; i++)
        if (walk->goes_back[i] == goes_to_many)
            tick_before(variant, LLVMGetBasicBlockTerminator(walk->blocks.data[i]));
    return any;
}

/* --- places ------------------------------------------------------------------------------ */

static bool is_attach(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) &&
           strcmp(rewrite_name(LLVMGetCalledValue(instruction)), "__recut_attach") == 0;
}

static bool is_call(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) && !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) &&
           !rewrite_is_intrinsic(instruction, "llvm.") && !is_attach(instruction);
}

/* Where a function begins when the thread is inside the program: calls from outside are
 * logged before (canonical/attach.c). */
static LLVMBasicBlockRef find_body(LLVMValueRef function) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(entry);
    if (LLVMGetNumSuccessors(branch) == 2)
        FOR_EACH_INSTRUCTION(instruction, LLVMGetSuccessor(branch, 0))
            if (is_attach(instruction))
                return LLVMGetSuccessor(branch, 1);
    return entry;
}

/* Memory of the function's own that nobody else has the address of needs no care; of other
 * locals one cannot tell.  What the canonical program keeps for the thread is not the
 * program's, and a replay does without some of it (canonical/attach.c). */
static bool is_seen(LLVMValueRef instruction) {
    LLVMValueRef address = LLVMIsALoadInst(instruction)    ? LLVMGetOperand(instruction, 0)
                           : LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1)
                                                           : NULL;
    if (!address)
        return rewrite_atomic_address(instruction) != NULL ||
               rewrite_is_intrinsic(instruction, "llvm.mem");
    return !LLVMIsAAllocaInst(address) && !rewrite_is_self(address) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0;
}

static LLVMValueRef first_place(LLVMBasicBlockRef block) {
    LLVMValueRef at = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(at) || LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    return at;
}

void ticks_add(struct variant *variant, LLVMValueRef function, bool dense) {
    struct walk walk = {0};
    VEC(LLVMValueRef) accesses = {0};
    bool calls = false;
    FOR_EACH_BLOCK(block, function) {
        VEC_PUSH(&walk.blocks, block);
        FOR_EACH_INSTRUCTION(instruction, block) {
            calls |= is_call(instruction);
            if (dense && is_seen(instruction))
                VEC_PUSH(&accesses, instruction);
        }
    }
    size_t count = walk.blocks.count;
    qsort(walk.blocks.data, count, sizeof *walk.blocks.data, by_address);
    walk.state = mem_zalloc(count, 1);
    walk.goes_back = mem_alloc(count * sizeof *walk.goes_back);
    memset(walk.goes_back, 0xff, count * sizeof *walk.goes_back); /* goes_on */
    walk.path = mem_zalloc(count, sizeof *walk.path);
    walk.next = mem_zalloc(count, sizeof *walk.next);
    find_backward(&walk, LLVMGetEntryBasicBlock(function));
    bool ticks = count_loops(variant, &walk) || accesses.count > 0 || calls;
    for (size_t i = 0; i < accesses.count; i++)
        tick_before(variant, accesses.data[i]);
    if (calls)
        tick_before(variant, first_place(find_body(function)));
    if (ticks) {
        unsigned kind = LLVMGetEnumAttributeKindForName("noredzone", 9);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(variant->context, kind, 0));
    }
    VEC_DEINIT(&accesses);
    VEC_DEINIT(&walk.blocks);
    free(walk.state);
    free(walk.goes_back);
    free(walk.path);
    free(walk.next);
}
