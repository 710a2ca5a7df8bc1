/*
 * What an instruction does beyond computing: addresses that it forms, memory
 * that it reads and writes, functions that it calls.
 */
#include <string.h>

#include "program/model.h"

static const struct {
    const char *prefix;
    int read, written, size;
} intrinsics[] = {
    {"", -1, -1, -1},
#define INTRINSIC(name, prefix, read, written, size) {prefix, read, written, size},
#include "program/intrinsics.def"
#undef INTRINSIC
};

/* Of the x86-64 ABI. */
enum { VA_LIST_SIZE = 24 };

static uint64_t size_of(struct model *model, LLVMTypeRef type) {
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(model->layout, type) : 0;
}

/* Bytes that a load or store of a type touches: an i1 one, an x86_fp80 ten. */
static uint64_t store_size_of(struct model *model, LLVMTypeRef type) {
    return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(model->layout, type) : 0;
}

static struct step make_step(struct model *model, LLVMTypeRef container, LLVMValueRef index) {
    struct step step = {
        .container = model_type(model, container),
        .index = model_value(model, index),
        .is_constant = LLVMIsAConstantInt(index) && LLVMGetIntTypeWidth(LLVMTypeOf(index)) <= 64,
    };
    if (step.is_constant)
        step.constant = LLVMConstIntGetSExtValue(index);
    return step;
}

int64_t model_gep(struct model *model, LLVMValueRef gep, struct range *ret_steps,
                  bool *ret_is_constant) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned count = (unsigned)LLVMGetNumOperands(gep);
    struct step *steps CLEANUP_FREE = mem_alloc(count * sizeof *steps);
    int64_t offset = 0;
    *ret_is_constant = true;
    for (unsigned i = 1; i < count; i++) {
        struct step step = make_step(model, type, LLVMGetOperand(gep, i));
        if (i == 1) {
            step.stride = size_of(model, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            step.is_field = true;
            offset += (int64_t)LLVMOffsetOfElement(model->layout, type, (unsigned)step.constant);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)step.constant);
        } else {
            type = LLVMGetElementType(type);
            step.stride = size_of(model, type);
        }
        if (step.is_constant)
            offset += step.constant * (int64_t)step.stride;
        *ret_is_constant &= step.is_constant;
        steps[i - 1] = step;
    }
    /* What they are made of may have had steps of its own. */
    *ret_steps = (struct range){(uint32_t)model->program->steps.count, count - 1};
    for (unsigned i = 1; i < count; i++)
        VEC_PUSH(&model->program->steps, steps[i - 1]);
    return offset;
}

static enum intrinsic find_intrinsic(const char *name) {
    for (int i = INTRINSIC_NONE + 1; i < INTRINSIC_COUNT; i++)
        if (strncmp(name, intrinsics[i].prefix, strlen(intrinsics[i].prefix)) == 0)
            return (enum intrinsic)i;
    return INTRINSIC_NONE;
}

static value_id operand(struct model *model, const struct instruction *instruction, int index) {
    if (index < 0 || (uint32_t)index >= instruction->operands.count)
        return NO_ID;
    return model->program->operands.data[instruction->operands.first + (uint32_t)index];
}

static void set_access(struct instruction *instruction, value_id read_at, value_id written_at) {
    instruction->read_at = read_at;
    instruction->written_at = written_at;
    if (read_at != NO_ID)
        instruction->flags |= INSTRUCTION_READS;
    if (written_at != NO_ID)
        instruction->flags |= INSTRUCTION_WRITES;
}

static void fill_intrinsic(struct model *model, LLVMValueRef llvm, const char *name,
                           struct instruction *instruction) {
    enum intrinsic intrinsic = find_intrinsic(name);
    instruction->intrinsic = (uint8_t)intrinsic;
    int size = intrinsics[intrinsic].size;
    set_access(instruction, operand(model, instruction, intrinsics[intrinsic].read),
               operand(model, instruction, intrinsics[intrinsic].written));
    if (size >= 0) {
        value_id bytes = operand(model, instruction, size);
        if (model->program->values.data[bytes].kind == VALUE_INT)
            instruction->access_size = model->program->values.data[bytes].number;
        /* memcpy, memmove and memset end in a flag; element-wise ones in a size. */
        LLVMValueRef last = LLVMGetOperand(llvm, 3);
        if (LLVMIsAConstantInt(last) && LLVMGetIntTypeWidth(LLVMTypeOf(last)) == 1 &&
            LLVMConstIntGetZExtValue(last))
            instruction->flags |= INSTRUCTION_VOLATILE;
        if (strstr(name, ".element.unordered.atomic."))
            instruction->flags |= INSTRUCTION_ATOMIC;
    } else if (intrinsic == INTRINSIC_MASKED_LOAD || intrinsic == INTRINSIC_EXPAND_LOAD) {
        instruction->access_size = store_size_of(model, LLVMTypeOf(llvm));
    } else if (intrinsic == INTRINSIC_MASKED_STORE || intrinsic == INTRINSIC_COMPRESS_STORE) {
        instruction->access_size = store_size_of(model, LLVMTypeOf(LLVMGetOperand(llvm, 0)));
    } else if (intrinsic == INTRINSIC_VA_START || intrinsic == INTRINSIC_VA_COPY) {
        instruction->access_size = VA_LIST_SIZE;
    }
}

static bool has_call_attribute(LLVMValueRef call, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind) != NULL;
}

static bool passes_by_value(LLVMValueRef call) {
    static const char name[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 1; i <= count; i++)
        if (LLVMGetCallSiteEnumAttribute(call, i, kind))
            return true;
    return false;
}

/* __builtin_setjmp() and __builtin_longjmp() are intrinsics, but what they do is what calls do. */
static bool is_jump(struct model *model, const char *name, struct instruction *instruction) {
    enum { JUMP_BUFFER_SIZE = 40 };
    if (strcmp(name, "llvm.eh.sjlj.setjmp") == 0) {
        instruction->flags |= INSTRUCTION_RETURNS_TWICE;
        return true;
    }
    if (strcmp(name, "llvm.eh.sjlj.longjmp") != 0)
        return false;
    instruction->flags |= INSTRUCTION_NO_RETURN;
    set_access(instruction, operand(model, instruction, 0), NO_ID);
    instruction->access_size = JUMP_BUFFER_SIZE;
    return true;
}

static void fill_call(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    struct program *program = model->program;
    LLVMValueRef called = LLVMGetCalledValue(llvm);
    instruction->called = model_value(model, called);
    instruction->callee = idmap_find(&model->functions, called);
    struct function *callee =
        instruction->callee == NO_ID ? NULL : &program->functions.data[instruction->callee];
    if (callee && callee->flags & FUNCTION_INTRINSIC &&
        !is_jump(model, callee->name, instruction)) {
        callee->flags |= FUNCTION_CALLED;
        fill_intrinsic(model, llvm, callee->name, instruction);
        return;
    }
    instruction->flags |= INSTRUCTION_CALL;
    if (passes_by_value(llvm))
        instruction->flags |= INSTRUCTION_BY_VALUE;
    if (!callee && program->values.data[instruction->called].kind != VALUE_ASSEMBLY)
        instruction->flags |= INSTRUCTION_INDIRECT;
    uint32_t flags = callee ? callee->flags : 0;
    if (callee)
        callee->flags |= FUNCTION_CALLED;
    if (flags & FUNCTION_NO_RETURN || has_call_attribute(llvm, "noreturn"))
        instruction->flags |= INSTRUCTION_NO_RETURN;
    if (flags & FUNCTION_RETURNS_TWICE || has_call_attribute(llvm, "returns_twice"))
        instruction->flags |= INSTRUCTION_RETURNS_TWICE;
    if (instruction->opcode == OP_CALL) {
        LLVMTailCallKind kind = LLVMGetTailCallKind(llvm);
        if (kind == LLVMTailCallKindTail || kind == LLVMTailCallKindMustTail)
            instruction->flags |= INSTRUCTION_TAIL;
    }
}

static void fill_gep(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    bool is_constant;
    instruction->source_type = model_type(model, LLVMGetGEPSourceElementType(llvm));
    struct range steps;
    instruction->offset = model_gep(model, llvm, &steps, &is_constant);
    instruction->steps = steps;
    if (is_constant)
        instruction->flags |= INSTRUCTION_CONSTANT_OFFSET;
}

static void set_ordering(struct instruction *instruction, LLVMAtomicOrdering ordering) {
    instruction->ordering = (uint8_t)ordering;
    if (ordering != LLVMAtomicOrderingNotAtomic)
        instruction->flags |= INSTRUCTION_ATOMIC;
}

/* load, store, atomicrmw, cmpxchg, va_arg: operand `address` points to a `type`. */
static void fill_plain(struct model *model, LLVMValueRef llvm, struct instruction *instruction,
                       int address, LLVMTypeRef type) {
    value_id at = operand(model, instruction, address);
    bool reads = instruction->opcode != OP_STORE, writes = instruction->opcode != OP_LOAD;
    set_access(instruction, reads ? at : NO_ID, writes ? at : NO_ID);
    instruction->access_size = store_size_of(model, type);
    if (instruction->opcode == OP_VA_ARG) {
        instruction->access_size = VA_LIST_SIZE;
        return;
    }
    if (LLVMGetVolatile(llvm))
        instruction->flags |= INSTRUCTION_VOLATILE;
    set_ordering(instruction, instruction->opcode == OP_CMPXCHG
                                  ? LLVMGetCmpXchgSuccessOrdering(llvm)
                                  : LLVMGetOrdering(llvm));
    if (instruction->opcode == OP_ATOMICRMW)
        instruction->predicate = (uint8_t)LLVMGetAtomicRMWBinOp(llvm);
}

void model_access(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_CALL:
    case OP_INVOKE:
    case OP_CALL_BRANCH:
        fill_call(model, llvm, instruction);
        break;
    case OP_GEP:
        fill_gep(model, llvm, instruction);
        break;
    case OP_LOAD:
    case OP_VA_ARG:
        fill_plain(model, llvm, instruction, 0, LLVMTypeOf(llvm));
        break;
    case OP_STORE:
        fill_plain(model, llvm, instruction, 1, LLVMTypeOf(LLVMGetOperand(llvm, 0)));
        break;
    case OP_ATOMICRMW:
    case OP_CMPXCHG:
        fill_plain(model, llvm, instruction, 0, LLVMTypeOf(LLVMGetOperand(llvm, 1)));
        break;
    case OP_FENCE:
        set_ordering(instruction, LLVMGetOrdering(llvm));
        break;
    default:
        break;
    }
}
