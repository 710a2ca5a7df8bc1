/*
 * Functions, blocks and instructions.
 *
 * Ids are given already (model.c); this fills in what stands behind them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "program/model.h"

/* Without the ".12" that linking appends to the name of a second static. */
static const char *without_number(struct model *model, const char *name) {
    size_t length = strlen(name);
    size_t end = length;
    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    if (end > 1 && end < length && name[end - 1] == '.')
        return model_string(model, name, end - 1);
    return name;
}

static uint32_t find_effects(LLVMValueRef function) {
    static const char name[] = "memory";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMAttributeRef attribute =
        LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    if (!attribute)
        return EFFECT_READS | EFFECT_WRITES;
    /* Two bits each, 1 read and 2 written: arguments, memory that no program
     * can name, the rest. */
    uint64_t bits = LLVMGetEnumAttributeValue(attribute);
    uint32_t arguments = bits & 3, rest = bits >> 4 & 3;
    return arguments | rest | (rest ? 0 : EFFECT_ARGUMENTS_ONLY);
}

static void fill_debug(struct model *model, LLVMValueRef llvm, function_id id) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(llvm);
    if (!subprogram)
        return;
    scope_id scope = model_scope(model, subprogram);
    source_type_id type =
        model_source_type(model, metadata_operand(model, subprogram, DI_SUBPROGRAM_TYPE));
    struct program *program = model->program;
    struct function *function = &program->functions.data[id];
    function->scope = scope;
    function->source_type = type;
    function->file = program->scopes.data[scope].file;
    function->line = program->scopes.data[scope].line;
    if (program->scopes.data[scope].name)
        function->source_name = program->scopes.data[scope].name;
    if (function->flags & FUNCTION_DEFINED)
        program->scopes.data[scope].function = id;
    char *text = metadata_text(model, subprogram);
    if (strstr(text, "DISPFlagLocalToUnit"))
        function->flags |= FUNCTION_STATIC;
    LLVMDisposeMessage(text);
}

static void fill_function(struct model *model, LLVMValueRef llvm, function_id id) {
    static const struct {
        const char *name;
        uint32_t flag;
    } attributes[] = {
        {"noreturn", FUNCTION_NO_RETURN},
        {"returns_twice", FUNCTION_RETURNS_TWICE},
        {"optnone", FUNCTION_UNOPTIMISED},
    };
    struct function *function = &model->program->functions.data[id];
    type_id type = model_type(model, LLVMGlobalGetValueType(llvm));
    function->type = type;
    function->source_name = without_number(model, function->name);
    LLVMLinkage linkage = LLVMGetLinkage(llvm);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        function->flags |= FUNCTION_VISIBLE;
    if (model->program->types.data[type].variadic)
        function->flags |= FUNCTION_VARIADIC;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (rewrite_has_attribute(llvm, attributes[i].name))
            function->flags |= attributes[i].flag;
    function->effects = find_effects(llvm);
    const char *left_out = rewrite_left_out(llvm);
    if (left_out)
        function->left_out = model_string(model, left_out, strlen(left_out));
    fill_debug(model, llvm, id);
}

void model_functions(struct model *model) {
    FOR_EACH_FUNCTION(llvm, model->module) {
        function_id id = idmap_find(&model->functions, llvm);
        if (id != IDMAP_NONE)
            fill_function(model, llvm, id);
    }
}

static enum opcode own_opcode(LLVMValueRef llvm) {
    switch (LLVMGetInstructionOpcode(llvm)) {
#define OPCODE(theirs, name, text)                                                                 \
    case LLVM##theirs:                                                                             \
        return OP_##name;
#include "program/opcodes.def"
#undef OPCODE
    default:
        BUG("instruction with an unknown opcode");
    }
}

static bool is_call(enum opcode opcode) {
    return opcode == OP_CALL || opcode == OP_INVOKE || opcode == OP_CALL_BRANCH;
}

/* Operands without blocks; of a call the arguments alone, without its callee
 * and operand bundles, which have no effect. */
static void fill_operands(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    unsigned count = is_call(instruction->opcode) ? LLVMGetNumArgOperands(llvm)
                                                  : (unsigned)LLVMGetNumOperands(llvm);
    value_id few[8];
    value_id *many CLEANUP_FREE = NULL;
    value_id *ids = few;
    if (count > sizeof few / sizeof *few)
        ids = many = mem_zalloc(count, sizeof *ids);
    uint32_t kept = 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(llvm, i);
        if (!LLVMValueIsBasicBlock(operand))
            ids[kept++] = model_value(model, operand);
    }
    instruction->operands = (struct range){(uint32_t)model->program->operands.count, kept};
    for (uint32_t i = 0; i < kept; i++)
        VEC_PUSH(&model->program->operands, ids[i]);
}

static void fill_phi(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    unsigned count = LLVMCountIncoming(llvm);
    instruction->blocks = (struct range){(uint32_t)model->program->edges.count, count};
    for (unsigned i = 0; i < count; i++)
        VEC_PUSH(&model->program->edges, idmap_find(&model->blocks, LLVMGetIncomingBlock(llvm, i)));
}

static void fill_indices(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    bool is_shuffle = instruction->opcode == OP_SHUFFLE_VECTOR;
    unsigned count = is_shuffle ? LLVMGetNumMaskElements(llvm) : LLVMGetNumIndices(llvm);
    const unsigned *indices = is_shuffle ? NULL : LLVMGetIndices(llvm);
    instruction->indices = (struct range){(uint32_t)model->program->indices.count, count};
    for (unsigned i = 0; i < count; i++)
        VEC_PUSH(&model->program->indices,
                 is_shuffle ? (uint32_t)LLVMGetMaskValue(llvm, i) : indices[i]);
}

static void fill_detail(struct model *model, LLVMValueRef llvm, struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_PHI:
        fill_phi(model, llvm, instruction);
        break;
    case OP_EXTRACT_VALUE:
    case OP_INSERT_VALUE:
    case OP_SHUFFLE_VECTOR:
        fill_indices(model, llvm, instruction);
        break;
    case OP_ICMP:
        instruction->predicate = (uint8_t)LLVMGetICmpPredicate(llvm);
        break;
    case OP_FCMP:
        instruction->predicate = (uint8_t)LLVMGetFCmpPredicate(llvm);
        break;
    case OP_ALLOCA:
        instruction->allocated = model_type(model, LLVMGetAllocatedType(llvm));
        instruction->align = LLVMGetAlignment(llvm);
        break;
    default:
        model_access(model, llvm, instruction);
    }
}

static void fill_instruction(struct model *model, instruction_id id) {
    LLVMValueRef llvm = model->instructions.data[id];
    struct instruction instruction = model->program->instructions.data[id];
    instruction.opcode = (uint8_t)own_opcode(llvm);
    instruction.type = model_type(model, LLVMTypeOf(llvm));
    if (LLVMIsATerminatorInst(llvm))
        instruction.flags |= INSTRUCTION_TERMINATOR;
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(llvm);
    if (location)
        instruction.location = model_location(model, location);
    fill_operands(model, llvm, &instruction);
    fill_detail(model, llvm, &instruction);
    model->program->instructions.data[id] = instruction;
}

static void fill_successors(struct model *model, struct block *block) {
    struct program *program = model->program;
    LLVMValueRef last =
        model->instructions.data[block->instructions.first + block->instructions.count - 1];
    unsigned count = LLVMGetNumSuccessors(last);
    block->successors = (struct range){(uint32_t)program->edges.count, count};
    for (unsigned i = 0; i < count; i++)
        VEC_PUSH(&program->edges, idmap_find(&model->blocks, LLVMGetSuccessor(last, i)));
}

/* Counting sort of all edges by where they lead; sources come out ascending. */
static void fill_predecessors(struct program *program) {
    uint32_t *last_from CLEANUP_FREE = mem_alloc(program->blocks.count * sizeof *last_from + 1);
    memset(last_from, 0xff, program->blocks.count * sizeof *last_from);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t from = 0; from < program->blocks.count; from++) {
            struct range successors = program->blocks.data[from].successors;
            for (uint32_t i = 0; i < successors.count; i++) {
                block_id to = program->edges.data[successors.first + i];
                struct block *block = &program->blocks.data[to];
                uint32_t mark = pass ? from : from | 1u << 31;
                if (last_from[to] == mark)
                    continue;
                last_from[to] = mark;
                if (pass)
                    program->edges.data[block->predecessors.first + block->predecessors.count] =
                        from;
                block->predecessors.count++;
            }
        }
        if (pass)
            break;
        for (uint32_t i = 0; i < program->blocks.count; i++) {
            struct block *block = &program->blocks.data[i];
            block->predecessors.first = (uint32_t)program->edges.count;
            for (uint32_t n = 0; n < block->predecessors.count; n++)
                VEC_PUSH(&program->edges, NO_ID);
            block->predecessors.count = 0;
        }
    }
}

void model_code(struct model *model) {
    struct program *program = model->program;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        fill_instruction(model, i);
    for (uint32_t i = 0; i < program->blocks.count; i++)
        fill_successors(model, &program->blocks.data[i]);
    fill_predecessors(program);
}
