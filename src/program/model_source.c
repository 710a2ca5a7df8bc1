/*
 * Types of the source, from debug information.
 *
 * A struct may contain a pointer to itself, so its id is given before its
 * members are looked at.  In C, every compilation unit has its own node for a
 * struct of a header; structs of the same name, place, size and number of
 * members become one here.
 */
#include <stdlib.h>
#include <string.h>

#include "program/model.h"

/* Tags of DWARF 5. */
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_ATOMIC = 0x47,
};

static enum source_type_kind derived_kind(LLVMMetadataRef node) {
    switch (LLVMGetDINodeTag(node)) {
    case TAG_POINTER:
        return SOURCE_POINTER;
    case TAG_TYPEDEF:
        return SOURCE_TYPEDEF;
    case TAG_CONST:
        return SOURCE_CONST;
    case TAG_VOLATILE:
        return SOURCE_VOLATILE;
    case TAG_RESTRICT:
        return SOURCE_RESTRICT;
    case TAG_ATOMIC:
        return SOURCE_ATOMIC;
    default:
        return SOURCE_OTHER;
    }
}

static enum source_type_kind composite_kind(LLVMMetadataRef node) {
    switch (LLVMGetDINodeTag(node)) {
    case TAG_STRUCT:
        return SOURCE_STRUCT;
    case TAG_UNION:
        return SOURCE_UNION;
    case TAG_ENUM:
        return SOURCE_ENUM;
    case TAG_ARRAY:
        return SOURCE_ARRAY;
    default:
        return SOURCE_OTHER;
    }
}

/* The number behind "value: " in the text of an enumerator. */
static int64_t enumerator_number(struct model *model, LLVMMetadataRef node) {
    char *text = metadata_text(model, node);
    const char *number = strstr(text, "value: ");
    int64_t result = 0;
    if (number)
        result = number[7] == '-' ? strtoll(number + 7, NULL, 10)
                                  : (int64_t)strtoull(number + 7, NULL, 10);
    LLVMDisposeMessage(text);
    return result;
}

static struct field make_field(struct model *model, LLVMMetadataRef node) {
    if (LLVMGetMetadataKind(node) == LLVMDIEnumeratorMetadataKind)
        return (struct field){
            .name = metadata_string(model, node, DI_ENUMERATOR_NAME),
            .type = NO_ID,
            .number = enumerator_number(model, node),
        };
    size_t length;
    const char *name = LLVMDITypeGetName(node, &length);
    return (struct field){
        .name = length ? model_string(model, name, length) : NULL,
        .type = model_source_type(model, metadata_operand(model, node, DI_TYPE_BASE)),
        .bit_offset = LLVMDITypeGetOffsetInBits(node),
        .bit_size = LLVMDITypeGetSizeInBits(node),
        .is_bit_field = (LLVMDITypeGetFlags(node) & LLVMDIFlagBitField) != 0,
        .is_private = metadata_is_private(model, node, DI_TYPE_ANNOTATIONS),
    };
}

static bool is_field(LLVMMetadataRef node) {
    if (!node)
        return false;
    LLVMMetadataKind kind = LLVMGetMetadataKind(node);
    return kind == LLVMDIEnumeratorMetadataKind ||
           (kind == LLVMDIDerivedTypeMetadataKind && LLVMGetDINodeTag(node) == TAG_MEMBER);
}

static struct range fill_fields(struct model *model, LLVMMetadataRef elements) {
    unsigned count;
    LLVMMetadataRef *nodes CLEANUP_FREE = metadata_operands(model, elements, &count);
    VEC(struct field) fields = {0};
    for (unsigned i = 0; i < count; i++)
        if (is_field(nodes[i]))
            VEC_PUSH(&fields, make_field(model, nodes[i]));
    struct range range = {(uint32_t)model->program->fields.count, (uint32_t)fields.count};
    for (size_t i = 0; i < fields.count; i++)
        VEC_PUSH(&model->program->fields, fields.data[i]);
    VEC_DEINIT(&fields);
    return range;
}

/* One dimension a type: int[2][3] is an array of arrays. */
static void fill_array(struct model *model, LLVMMetadataRef node, struct source_type *type) {
    unsigned count;
    LLVMMetadataRef *dimensions CLEANUP_FREE =
        metadata_operands(model, metadata_operand(model, node, DI_COMPOSITE_ELEMENTS), &count);
    for (unsigned i = count; i-- > 1;) {
        struct source_type inner = {.kind = SOURCE_ARRAY, .file = NO_ID, .target = type->target};
        int64_t length = metadata_integer(model, dimensions[i], DI_SUBRANGE_COUNT, 0);
        inner.length = length > 0 ? (uint64_t)length : 0;
        if (type->target != NO_ID)
            inner.size = inner.length * model->program->source_types.data[type->target].size;
        type->target = (source_type_id)model->program->source_types.count;
        VEC_PUSH(&model->program->source_types, inner);
    }
    int64_t length = count ? metadata_integer(model, dimensions[0], DI_SUBRANGE_COUNT, 0) : 0;
    type->length = length > 0 ? (uint64_t)length : 0;
    type->is_vector = (LLVMDITypeGetFlags(node) & LLVMDIFlagVector) != 0;
}

static void fill_parameters(struct model *model, LLVMMetadataRef node, struct source_type *type) {
    unsigned count;
    LLVMMetadataRef *types CLEANUP_FREE =
        metadata_operands(model, metadata_operand(model, node, DI_SUBROUTINE_TYPES), &count);
    VEC(struct field) fields = {0};
    for (unsigned i = 0; i < count; i++) {
        if (i == 0)
            type->target = model_source_type(model, types[i]);
        else if (!types[i])
            type->variadic = true;
        else
            VEC_PUSH(&fields, (struct field){.type = model_source_type(model, types[i])});
    }
    type->fields = (struct range){(uint32_t)model->program->fields.count, (uint32_t)fields.count};
    for (size_t i = 0; i < fields.count; i++)
        VEC_PUSH(&model->program->fields, fields.data[i]);
    VEC_DEINIT(&fields);
}

static void fill_type(struct model *model, LLVMMetadataRef node, struct source_type *type) {
    switch (LLVMGetMetadataKind(node)) {
    case LLVMDIBasicTypeMetadataKind: {
        char *text = metadata_text(model, node);
        type->is_signed = strstr(text, "DW_ATE_signed") != NULL;
        LLVMDisposeMessage(text);
        break;
    }
    case LLVMDIDerivedTypeMetadataKind:
        type->target = model_source_type(model, metadata_operand(model, node, DI_TYPE_BASE));
        break;
    case LLVMDICompositeTypeMetadataKind:
        type->incomplete = (LLVMDITypeGetFlags(node) & LLVMDIFlagFwdDecl) != 0;
        type->target = model_source_type(model, metadata_operand(model, node, DI_TYPE_BASE));
        if (type->kind == SOURCE_ARRAY)
            fill_array(model, node, type);
        else
            type->fields = fill_fields(model, metadata_operand(model, node, DI_COMPOSITE_ELEMENTS));
        break;
    case LLVMDISubroutineTypeMetadataKind:
        fill_parameters(model, node, type);
        break;
    default:
        break;
    }
    /* Typedefs and qualifiers have no size of their own. */
    if (!type->size && type->target != NO_ID && type->kind >= SOURCE_TYPEDEF &&
        type->kind <= SOURCE_ATOMIC)
        type->size = model->program->source_types.data[type->target].size;
}

static struct source_type describe(struct model *model, LLVMMetadataRef node) {
    struct source_type type = {.kind = SOURCE_OTHER, .file = NO_ID, .target = NO_ID};
    switch (LLVMGetMetadataKind(node)) {
    case LLVMDIBasicTypeMetadataKind:
        type.kind = SOURCE_BASE;
        break;
    case LLVMDIDerivedTypeMetadataKind:
        type.kind = (uint8_t)derived_kind(node);
        break;
    case LLVMDICompositeTypeMetadataKind:
        type.kind = (uint8_t)composite_kind(node);
        break;
    case LLVMDISubroutineTypeMetadataKind:
        type.kind = SOURCE_FUNCTION;
        return type;
    default:
        return type;
    }
    size_t length;
    const char *name = LLVMDITypeGetName(node, &length);
    type.name = length ? model_string(model, name, length) : NULL;
    type.size = LLVMDITypeGetSizeInBits(node) / 8;
    type.line = LLVMDITypeGetLine(node);
    type.file = model_file(model, metadata_operand(model, node, DI_TYPE_FILE));
    return type;
}

/* A struct, union or enum met before in another compilation unit. */
static source_type_id find_twin(struct model *model, const struct source_type *type,
                                unsigned members) {
    for (size_t i = 0; i < model->composites.count; i++) {
        source_type_id id = model->composites.data[i];
        const struct source_type *other = &model->program->source_types.data[id];
        if (other->line == type->line && other->file == type->file && other->kind == type->kind &&
            other->size == type->size && other->fields.count == members &&
            strcmp(other->name, type->name) == 0)
            return id;
    }
    return NO_ID;
}

source_type_id model_source_type(struct model *model, LLVMMetadataRef node) {
    if (!node)
        return NO_ID;
    source_type_id id = idmap_find(&model->source_types, node);
    if (id != IDMAP_NONE)
        return id;
    struct program *program = model->program;
    struct source_type type = describe(model, node);
    bool is_named_composite =
        type.name && type.file != NO_ID &&
        (type.kind == SOURCE_STRUCT || type.kind == SOURCE_UNION || type.kind == SOURCE_ENUM);
    if (is_named_composite) {
        LLVMMetadataRef elements = metadata_operand(model, node, DI_COMPOSITE_ELEMENTS);
        id = find_twin(model, &type, metadata_count(model, elements));
        if (id != NO_ID) {
            idmap_set(&model->source_types, node, id);
            return id;
        }
    }
    id = (source_type_id)program->source_types.count;
    VEC_PUSH(&program->source_types, type);
    idmap_set(&model->source_types, node, id);
    if (is_named_composite)
        VEC_PUSH(&model->composites, id);
    fill_type(model, node, &type);
    program->source_types.data[id] = type;
    return id;
}

/* "struct.node" of the IR is "struct node" of the source, if they have one size. */
void model_link_types(struct program *program) {
    for (size_t i = 0; i < program->types.count; i++) {
        struct type *type = &program->types.data[i];
        if (type->kind != TYPE_STRUCT || !type->name)
            continue;
        bool is_struct = strncmp(type->name, "struct.", 7) == 0;
        if (!is_struct && strncmp(type->name, "union.", 6) != 0)
            continue;
        const char *name = type->name + (is_struct ? 7 : 6);
        for (uint32_t s = 0; s < program->source_types.count && type->source == NO_ID; s++) {
            const struct source_type *source = &program->source_types.data[s];
            bool fits = source->kind == (is_struct ? SOURCE_STRUCT : SOURCE_UNION) ||
                        source->kind == SOURCE_TYPEDEF;
            if (fits && source->name && source->size == type->size &&
                strcmp(source->name, name) == 0)
                type->source = program_plain_type(program, s);
        }
    }
}
