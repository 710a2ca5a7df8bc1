/*
 * Types of the IR, each once, when something first has it.
 *
 * With opaque pointers no type contains itself, so members come before their
 * struct.
 */
#include <ctype.h>
#include <string.h>

#include "program/model.h"

/* Without the ".12" that linking appends to the name of a second struct. */
static const char *struct_name(struct model *model, LLVMTypeRef type) {
    const char *name = LLVMGetStructName(type);
    if (!name)
        return NULL;
    size_t length = strlen(name);
    size_t end = length;
    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    if (end > 1 && end < length && name[end - 1] == '.')
        length = end - 1;
    return model_string(model, name, length);
}

static void fill_members(struct model *model, LLVMTypeRef llvm, struct type *type, unsigned count,
                         const LLVMTypeRef *members) {
    struct program *program = model->program;
    type_id *ids CLEANUP_FREE = mem_zalloc(count, sizeof *ids);
    for (unsigned i = 0; i < count; i++)
        ids[i] = model_type(model, members[i]);
    type->members = (struct range){(uint32_t)program->type_members.count, count};
    for (unsigned i = 0; i < count; i++) {
        VEC_PUSH(&program->type_members, ids[i]);
        VEC_PUSH(&program->type_offsets, type->kind == TYPE_STRUCT && LLVMTypeIsSized(llvm)
                                             ? LLVMOffsetOfElement(model->layout, llvm, i)
                                             : 0);
        type->has_pointers |= type->kind == TYPE_STRUCT && program->types.data[ids[i]].has_pointers;
    }
}

static void fill_struct(struct model *model, LLVMTypeRef llvm, struct type *type) {
    unsigned count = LLVMCountStructElementTypes(llvm);
    LLVMTypeRef *members CLEANUP_FREE = mem_zalloc(count + 1, sizeof *members);
    LLVMGetStructElementTypes(llvm, members);
    type->kind = TYPE_STRUCT;
    type->name = struct_name(model, llvm);
    fill_members(model, llvm, type, count, members);
}

static void fill_function(struct model *model, LLVMTypeRef llvm, struct type *type) {
    unsigned count = LLVMCountParamTypes(llvm);
    LLVMTypeRef *members CLEANUP_FREE = mem_zalloc(count + 1, sizeof *members);
    LLVMGetParamTypes(llvm, members);
    type->kind = TYPE_FUNCTION;
    type->variadic = LLVMIsFunctionVarArg(llvm);
    type->element = model_type(model, LLVMGetReturnType(llvm));
    fill_members(model, llvm, type, count, members);
}

static void fill_sequence(struct model *model, LLVMTypeRef llvm, struct type *type) {
    bool is_array = LLVMGetTypeKind(llvm) == LLVMArrayTypeKind;
    type->kind = is_array ? TYPE_ARRAY : TYPE_VECTOR;
    type->element = model_type(model, LLVMGetElementType(llvm));
    type->length = is_array ? LLVMGetArrayLength2(llvm) : LLVMGetVectorSize(llvm);
    type->has_pointers = model->program->types.data[type->element].has_pointers;
}

static void fill_float(struct type *type, uint32_t bits) {
    type->kind = TYPE_FLOAT;
    type->bits = bits;
}

type_id model_type(struct model *model, LLVMTypeRef llvm) {
    type_id id = idmap_find(&model->types, llvm);
    if (id != IDMAP_NONE)
        return id;
    struct type type = {.kind = TYPE_OTHER, .element = NO_ID, .source = NO_ID};
    switch (LLVMGetTypeKind(llvm)) {
    case LLVMVoidTypeKind:
        type.kind = TYPE_VOID;
        break;
    case LLVMIntegerTypeKind:
        type.kind = TYPE_INT;
        type.bits = LLVMGetIntTypeWidth(llvm);
        break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        fill_float(&type, 16);
        break;
    case LLVMFloatTypeKind:
        fill_float(&type, 32);
        break;
    case LLVMDoubleTypeKind:
        fill_float(&type, 64);
        break;
    case LLVMX86_FP80TypeKind:
        fill_float(&type, 80);
        break;
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind:
        fill_float(&type, 128);
        break;
    case LLVMPointerTypeKind:
        type.kind = TYPE_POINTER;
        type.has_pointers = true;
        break;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        fill_sequence(model, llvm, &type);
        break;
    case LLVMStructTypeKind:
        fill_struct(model, llvm, &type);
        break;
    case LLVMFunctionTypeKind:
        fill_function(model, llvm, &type);
        break;
    default:
        break;
    }
    if (type.kind != TYPE_FUNCTION && LLVMTypeIsSized(llvm))
        type.size = LLVMABISizeOfType(model->layout, llvm);
    id = (type_id)model->program->types.count;
    VEC_PUSH(&model->program->types, type);
    idmap_set(&model->types, llvm, id);
    return id;
}
