/* Nodes of debug information, through what LLVM-C shows of them; see model.h. */
#include <string.h>

#include "program/model.h"

static bool is_node(LLVMMetadataRef metadata) {
    if (!metadata)
        return false;
    LLVMMetadataKind kind = LLVMGetMetadataKind(metadata);
    return kind >= LLVMMDTupleMetadataKind && kind != LLVMDIArgListMetadataKind;
}

unsigned metadata_count(struct model *model, LLVMMetadataRef node) {
    if (!is_node(node))
        return 0;
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(model->context, node));
}

LLVMMetadataRef *metadata_operands(struct model *model, LLVMMetadataRef node, unsigned *ret_count) {
    unsigned count = metadata_count(model, node);
    LLVMValueRef *values CLEANUP_FREE = mem_zalloc(count + 1, sizeof *values);
    LLVMMetadataRef *operands = mem_zalloc(count + 1, sizeof *operands);
    if (count)
        LLVMGetMDNodeOperands(LLVMMetadataAsValue(model->context, node), values);
    for (unsigned i = 0; i < count; i++)
        operands[i] = values[i] ? LLVMValueAsMetadata(values[i]) : NULL;
    *ret_count = count;
    return operands;
}

/* The operand as LLVM-C gives it: constants as themselves, others wrapped. */
static LLVMValueRef operand_value(struct model *model, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef few[24];
    LLVMValueRef *many CLEANUP_FREE = NULL;
    LLVMValueRef *values = few;
    unsigned count = metadata_count(model, node);
    if (index >= count)
        return NULL;
    if (count > sizeof few / sizeof *few)
        values = many = mem_zalloc(count, sizeof *values);
    LLVMGetMDNodeOperands(LLVMMetadataAsValue(model->context, node), values);
    return values[index];
}

LLVMMetadataRef metadata_operand(struct model *model, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = operand_value(model, node, index);
    return value ? LLVMValueAsMetadata(value) : NULL;
}

const char *metadata_string(struct model *model, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = operand_value(model, node, index);
    if (!value || LLVMGetValueKind(value) != LLVMMetadataAsValueValueKind ||
        LLVMGetMetadataKind(LLVMValueAsMetadata(value)) != LLVMMDStringMetadataKind)
        return NULL;
    unsigned length;
    const char *text = LLVMGetMDString(value, &length);
    return text && length ? model_string(model, text, length) : NULL;
}

int64_t metadata_integer(struct model *model, LLVMMetadataRef node, unsigned index,
                         int64_t otherwise) {
    LLVMValueRef value = operand_value(model, node, index);
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetSExtValue(value) : otherwise;
}

bool metadata_is_private(struct model *model, LLVMMetadataRef node, unsigned index) {
    LLVMMetadataRef list = metadata_operand(model, node, index);
    if (!list || LLVMGetMetadataKind(list) != LLVMMDTupleMetadataKind)
        return false;
    unsigned count;
    LLVMMetadataRef *pairs CLEANUP_FREE = metadata_operands(model, list, &count);
    for (unsigned i = 0; i < count; i++) {
        if (!pairs[i] || LLVMGetMetadataKind(pairs[i]) != LLVMMDTupleMetadataKind)
            continue;
        const char *kind = metadata_string(model, pairs[i], 0);
        const char *tag = metadata_string(model, pairs[i], 1);
        if (kind && tag && strcmp(kind, "btf_decl_tag") == 0 && strcmp(tag, "recut_private") == 0)
            return true;
    }
    return false;
}

char *metadata_text(struct model *model, LLVMMetadataRef node) {
    return LLVMPrintValueToString(LLVMMetadataAsValue(model->context, node));
}
