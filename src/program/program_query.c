/* Questions that many ask of a program; see program.h. */
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

const char *opcode_name(enum opcode opcode) {
    static const char *const names[] = {
#define OPCODE(llvm, name, text) text,
#include "program/opcodes.def"
#undef OPCODE
    };
    return opcode < OPCODE_COUNT ? names[opcode] : "?";
}

const char *intrinsic_name(enum intrinsic intrinsic) {
    static const char *const names[] = {
        "none",
#define INTRINSIC(name, prefix, read, written, size) #name,
#include "program/intrinsics.def"
#undef INTRINSIC
    };
    return intrinsic < INTRINSIC_COUNT ? names[intrinsic] : "?";
}

const char *value_kind_name(enum value_kind kind) {
    static const char *const names[VALUE_KIND_COUNT] = {
        [VALUE_FUNCTION] = "function",
        [VALUE_GLOBAL] = "global",
        [VALUE_ALIAS] = "alias",
        [VALUE_ARGUMENT] = "argument",
        [VALUE_INSTRUCTION] = "result",
        [VALUE_INT] = "int",
        [VALUE_FLOAT] = "float",
        [VALUE_NULL] = "null",
        [VALUE_ZERO] = "zero",
        [VALUE_UNDEFINED] = "undefined",
        [VALUE_AGGREGATE] = "aggregate",
        [VALUE_DATA] = "data",
        [VALUE_EXPRESSION] = "expression",
        [VALUE_BLOCK_ADDRESS] = "block-address",
        [VALUE_ASSEMBLY] = "assembly",
        [VALUE_METADATA] = "metadata",
        [VALUE_OTHER] = "other",
    };
    return kind < VALUE_KIND_COUNT ? names[kind] : "?";
}

const char *memory_kind_name(enum memory_kind kind) {
    static const char *const names[MEMORY_KIND_COUNT] = {
        [MEMORY_GLOBAL] = "global",   [MEMORY_THREAD_LOCAL] = "thread-local",
        [MEMORY_SLOT] = "slot",       [MEMORY_DYNAMIC] = "dynamic",
        [MEMORY_STACK] = "stack",     [MEMORY_HEAP] = "heap",
        [MEMORY_MAPPING] = "mapping",
    };
    return kind < MEMORY_KIND_COUNT ? names[kind] : "?";
}

const char *type_kind_name(enum type_kind kind) {
    static const char *const names[TYPE_KIND_COUNT] = {
        [TYPE_VOID] = "void",       [TYPE_INT] = "int",           [TYPE_FLOAT] = "float",
        [TYPE_POINTER] = "pointer", [TYPE_ARRAY] = "array",       [TYPE_VECTOR] = "vector",
        [TYPE_STRUCT] = "struct",   [TYPE_FUNCTION] = "function", [TYPE_OTHER] = "other",
    };
    return kind < TYPE_KIND_COUNT ? names[kind] : "?";
}

const char *source_type_kind_name(enum source_type_kind kind) {
    static const char *const names[SOURCE_TYPE_KIND_COUNT] = {
        [SOURCE_BASE] = "base",         [SOURCE_POINTER] = "pointer",
        [SOURCE_STRUCT] = "struct",     [SOURCE_UNION] = "union",
        [SOURCE_ENUM] = "enum",         [SOURCE_ARRAY] = "array",
        [SOURCE_TYPEDEF] = "typedef",   [SOURCE_CONST] = "const",
        [SOURCE_VOLATILE] = "volatile", [SOURCE_RESTRICT] = "restrict",
        [SOURCE_ATOMIC] = "atomic",     [SOURCE_FUNCTION] = "function",
        [SOURCE_OTHER] = "other",
    };
    return kind < SOURCE_TYPE_KIND_COUNT ? names[kind] : "?";
}

const char *instruction_predicate_name(const struct instruction *instruction) {
    static const char *const floats[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                         "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
    static const char *const ints[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                       "ule", "sgt", "sge", "slt", "sle"};
    static const char *const updates[] = {"xchg", "add",  "sub",  "and",       "nand",     "or",
                                          "xor",  "max",  "min",  "umax",      "umin",     "fadd",
                                          "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap"};
    enum { FIRST_INT = PREDICATE_EQ };
    size_t n = instruction->predicate;
    switch (instruction->opcode) {
    case OP_ICMP:
        return n - FIRST_INT < sizeof ints / sizeof *ints ? ints[n - FIRST_INT] : "?";
    case OP_FCMP:
        return n < sizeof floats / sizeof *floats ? floats[n] : "?";
    case OP_ATOMICRMW:
        return n < sizeof updates / sizeof *updates ? updates[n] : "?";
    default:
        return "";
    }
}

function_id program_find_function(const struct program *program, const char *name,
                                  function_id after) {
    for (function_id i = after; i < program->functions.count; i++)
        if (strcmp(program->functions.data[i].name, name) == 0 ||
            strcmp(program->functions.data[i].source_name, name) == 0)
            return i;
    return NO_ID;
}

function_id program_function_of(const struct program *program, instruction_id instruction) {
    return program->blocks.data[program->instructions.data[instruction].block].function;
}

struct range program_find_line(const struct program *program, file_id file, uint32_t line) {
    size_t low = 0, high = program->lines.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct source_line *at = &program->lines.data[middle];
        if (at->file < file || (at->file == file && at->line < line))
            low = middle + 1;
        else
            high = middle;
    }
    if (low < program->lines.count && program->lines.data[low].file == file &&
        program->lines.data[low].line == line)
        return program->lines.data[low].instructions;
    return (struct range){0};
}

file_id program_find_file(const struct program *program, const char *name, file_id after) {
    size_t length = strlen(name);
    for (file_id i = after; i < program->files.count; i++) {
        const char *path = program->files.data[i].path;
        size_t full = strlen(path);
        if (full >= length && strcmp(path + full - length, name) == 0 &&
            (full == length || path[full - length - 1] == '/'))
            return i;
    }
    return NO_ID;
}

bool program_is_optimised(const struct program *program, file_id file) {
    bool has_code = false;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!(function->flags & FUNCTION_DEFINED) || function->file != file)
            continue;
        if (function->flags & FUNCTION_UNOPTIMISED)
            return false;
        has_code = true;
    }
    return has_code;
}

value_id program_strip_offsets(const struct program *program, value_id value, int64_t *ret_offset) {
    int64_t offset = 0;
    for (;;) {
        const struct value *at = &program->values.data[value];
        const struct instruction *made =
            at->kind == VALUE_INSTRUCTION ? &program->instructions.data[at->definition] : NULL;
        struct range operands = made ? made->operands : at->operands;
        enum opcode opcode = made ? made->opcode : at->opcode;
        if ((!made && at->kind != VALUE_EXPRESSION) || (made && made->object != NO_ID))
            break;
        if (opcode == OP_GEP && (!made || made->flags & INSTRUCTION_CONSTANT_OFFSET))
            offset += made ? made->offset : (int64_t)at->number;
        else if (opcode != OP_BITCAST && opcode != OP_ADDRSPACECAST)
            break;
        value = program->operands.data[operands.first];
    }
    *ret_offset = offset;
    return value;
}

/* Is member `number` the last one, but for bytes that the compiler has put there? */
static bool is_last_member(const struct program *program, const struct type *type,
                           uint32_t number) {
    enum { MOST_PADDING = 8 };
    if (number + 1 == type->members.count)
        return true;
    const struct type *next =
        &program->types.data[program->type_members.data[type->members.first + number + 1]];
    return number + 2 == type->members.count && next->kind == TYPE_ARRAY &&
           next->size < MOST_PADDING && program->types.data[next->element].size == 1;
}

bool program_inner_array(const struct program *program, struct range steps,
                         struct inner_array *ret) {
    int64_t offset = 0;
    bool found = false;
    for (uint32_t i = 0; i < steps.count; i++) {
        const struct step *step = &program->steps.data[steps.first + i];
        if (!step->is_constant)
            break;
        offset += step->constant * (int64_t)step->stride;
        if (!step->is_field)
            continue;
        const struct type *type = &program->types.data[step->container];
        uint32_t number = (uint32_t)step->constant;
        offset += (int64_t)program->type_offsets.data[type->members.first + number];
        const struct type *field =
            &program->types.data[program->type_members.data[type->members.first + number]];
        if (field->kind != TYPE_ARRAY || field->length < 2)
            continue;
        found = true;
        *ret = (struct inner_array){offset, field->size, is_last_member(program, type, number)};
    }
    return found;
}

source_type_id program_plain_type(const struct program *program, source_type_id type) {
    while (type != NO_ID && program->source_types.data[type].kind >= SOURCE_TYPEDEF &&
           program->source_types.data[type].kind <= SOURCE_ATOMIC)
        type = program->source_types.data[type].target;
    return type;
}
