/*
 * Constants, each once, when something first uses it, and what globals hold
 * when the program starts.
 *
 * Functions, globals, aliases, arguments and results of instructions have their
 * ids before any constant is met (model.c), so the recursion through operands
 * ends at them.
 */
#include <stdlib.h>
#include <string.h>

#include "program/model.h"

static enum opcode expression_opcode(LLVMValueRef value) {
    switch (LLVMGetConstOpcode(value)) {
#define OPCODE(llvm, name, text)                                                                   \
    case LLVM##llvm:                                                                               \
        return OP_##name;
#include "program/opcodes.def"
#undef OPCODE
    default:
        BUG("constant expression with an unknown opcode");
    }
}

static void fill_operands(struct model *model, LLVMValueRef llvm, struct value *value) {
    unsigned count = (unsigned)LLVMGetNumOperands(llvm);
    value_id *ids CLEANUP_FREE = mem_zalloc(count, sizeof *ids);
    for (unsigned i = 0; i < count; i++)
        ids[i] = model_value(model, LLVMGetOperand(llvm, i));
    value->operands = (struct range){(uint32_t)model->program->operands.count, count};
    for (unsigned i = 0; i < count; i++)
        VEC_PUSH(&model->program->operands, ids[i]);
}

/* "double 1.5" without its type. */
static const char *constant_text(struct model *model, LLVMValueRef llvm) {
    char *text = LLVMPrintValueToString(llvm);
    const char *number = strrchr(text, ' ');
    number = number ? number + 1 : text;
    const char *copy = model_string(model, number, strlen(number));
    LLVMDisposeMessage(text);
    return copy;
}

static void fill_int(struct model *model, LLVMValueRef llvm, struct value *value) {
    value->kind = VALUE_INT;
    if (LLVMGetIntTypeWidth(LLVMTypeOf(llvm)) <= 64)
        value->number = LLVMConstIntGetZExtValue(llvm);
    else
        value->text = constant_text(model, llvm);
}

static void fill_data(struct model *model, LLVMValueRef llvm, struct value *value) {
    value->kind = VALUE_DATA;
    if (!LLVMIsAConstantDataArray(llvm) || !LLVMIsConstantString(llvm))
        return;
    size_t length;
    const char *bytes = LLVMGetAsString(llvm, &length);
    value->text = model_string(model, bytes, length);
    value->number = length;
}

static void fill_expression(struct model *model, LLVMValueRef llvm, struct value *value) {
    value->kind = VALUE_EXPRESSION;
    value->opcode = expression_opcode(llvm);
    fill_operands(model, llvm, value);
    if (value->opcode == OP_GEP) {
        bool is_constant;
        value->number = (uint64_t)model_gep(model, llvm, &value->steps, &is_constant);
    }
}

static void fill_constant(struct model *model, LLVMValueRef llvm, struct value *value) {
    size_t length;
    const char *text;
    switch (LLVMGetValueKind(llvm)) {
    case LLVMConstantIntValueKind:
        fill_int(model, llvm, value);
        break;
    case LLVMConstantFPValueKind:
        value->kind = VALUE_FLOAT;
        value->text = constant_text(model, llvm);
        break;
    case LLVMConstantPointerNullValueKind:
        value->kind = VALUE_NULL;
        break;
    case LLVMConstantAggregateZeroValueKind:
        value->kind = VALUE_ZERO;
        break;
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
        value->kind = VALUE_UNDEFINED;
        break;
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
        value->kind = VALUE_AGGREGATE;
        fill_operands(model, llvm, value);
        break;
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
        fill_data(model, llvm, value);
        break;
    case LLVMConstantExprValueKind:
        fill_expression(model, llvm, value);
        break;
    case LLVMBlockAddressValueKind:
        value->kind = VALUE_BLOCK_ADDRESS;
        value->definition = idmap_find(&model->blocks, LLVMGetBlockAddressBasicBlock(llvm));
        break;
    case LLVMInlineAsmValueKind:
        value->kind = VALUE_ASSEMBLY;
        text = LLVMGetInlineAsmAsmString(llvm, &length);
        value->text = model_string(model, text, length);
        break;
    case LLVMMetadataAsValueValueKind:
        value->kind = VALUE_METADATA;
        break;
    default:
        value->kind = VALUE_OTHER;
    }
}

value_id model_value(struct model *model, LLVMValueRef llvm) {
    value_id id = idmap_find(&model->values, llvm);
    if (id != IDMAP_NONE)
        return id;
    struct value value = {
        .type = model_type(model, LLVMTypeOf(llvm)), .definition = NO_ID, .variable = NO_ID};
    fill_constant(model, llvm, &value);
    id = (value_id)model->program->values.count;
    VEC_PUSH(&model->program->values, value);
    idmap_set(&model->values, llvm, id);
    return id;
}

/* Appends the pointers inside a value that lies `offset` bytes into a global. */
static void collect_pointers(struct program *program, value_id id, uint64_t offset) {
    const struct value *value = &program->values.data[id];
    const struct type *type = &program->types.data[value->type];
    switch (value->kind) {
    case VALUE_AGGREGATE: {
        uint64_t stride = type->kind == TYPE_STRUCT ? 0 : program->types.data[type->element].size;
        for (uint32_t i = 0; i < value->operands.count; i++) {
            uint64_t inner = type->kind == TYPE_STRUCT
                                 ? program->type_offsets.data[type->members.first + i]
                                 : i * stride;
            collect_pointers(program, program->operands.data[value->operands.first + i],
                             offset + inner);
        }
        break;
    }
    case VALUE_FUNCTION:
    case VALUE_GLOBAL:
    case VALUE_ALIAS:
    case VALUE_EXPRESSION:
    case VALUE_BLOCK_ADDRESS:
        VEC_PUSH(&program->initial_pointers, (struct initial_pointer){offset, id});
        break;
    default:
        break;
    }
}

static enum initial_kind classify(const struct program *program, const struct memory *memory) {
    if (memory->pointers.count)
        return INITIAL_POINTERS;
    switch (program->values.data[memory->initial].kind) {
    case VALUE_NULL:
    case VALUE_ZERO:
    case VALUE_UNDEFINED:
        return INITIAL_ZERO;
    case VALUE_INT:
        return program->values.data[memory->initial].number ||
                       program->values.data[memory->initial].text
                   ? INITIAL_DATA
                   : INITIAL_ZERO;
    default:
        return INITIAL_DATA;
    }
}

void model_initial_values(struct model *model) {
    struct program *program = model->program;
    for (size_t i = 0; i < model->globals.count; i++) {
        LLVMValueRef initial = LLVMGetInitializer(model->globals.data[i]);
        if (!initial)
            continue;
        value_id value = model_value(model, initial);
        struct memory *memory = &program->memory.data[i];
        memory->initial = value;
        memory->pointers.first = (uint32_t)program->initial_pointers.count;
        collect_pointers(program, value, 0);
        memory->pointers.count = (uint32_t)program->initial_pointers.count - memory->pointers.first;
        memory->initial_kind = classify(program, memory);
        const struct value *data = &program->values.data[value];
        if (data->kind == VALUE_DATA && data->text && strncmp(memory->name, ".str", 4) == 0)
            memory->flags |= MEMORY_STRING;
    }
}
