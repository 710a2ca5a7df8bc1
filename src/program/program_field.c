/*
 * Which field of a struct is meant?
 *
 * Without optimisation, geps name the struct and its fields.  With it they are
 * byte offsets, and the struct is known only through the source variable that
 * holds the pointer: program_value_type() follows loads back to one.  Types of
 * C promise nothing about memory, so this is for people to read, not for
 * analyses to rely on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

/* Loads through which a pointer is followed back to a variable. */
enum { LONGEST_CHAIN = 8 };

/* The field that covers a byte; the first one of a union. */
static const struct field *field_at(const struct program *program, source_type_id id,
                                    uint64_t offset) {
    const struct source_type *type = &program->source_types.data[id];
    if (type->kind != SOURCE_STRUCT && type->kind != SOURCE_UNION)
        return NULL;
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *field = &program->fields.data[type->fields.first + i];
        uint64_t first = field->bit_offset / 8;
        uint64_t last = (field->bit_offset + (field->bit_size ? field->bit_size - 1 : 0)) / 8;
        if (offset >= first && offset <= last)
            return field;
    }
    return NULL;
}

static bool print_field(const struct program *program, FILE *out, source_type_id type,
                        uint64_t offset) {
    bool printed = false;
    for (type = program_plain_type(program, type); type != NO_ID;
         type = program_plain_type(program, type)) {
        const struct source_type *at = &program->source_types.data[type];
        const struct field *field = field_at(program, type, offset);
        if (field) {
            if (field->name)
                fprintf(out, "%s%s", printed ? "." : "", field->name);
            printed |= field->name != NULL;
            offset -= field->bit_offset / 8;
            type = field->type;
        } else if (at->kind == SOURCE_ARRAY && at->target != NO_ID && printed) {
            uint64_t size = program->source_types.data[at->target].size;
            if (!size)
                break;
            fprintf(out, "[%llu]", (unsigned long long)(offset / size));
            offset %= size;
            type = at->target;
        } else {
            break;
        }
        /* The beginning of a struct is the struct, not its first field. */
        if (offset == 0 && field && field->name)
            break;
    }
    return printed;
}

char *program_field_text(const struct program *program, source_type_id type, uint64_t offset) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool printed = print_field(program, out, type, offset);
    fclose(out);
    if (printed)
        return text;
    free(text);
    return NULL;
}

/* The field that one step enters, by its name if the source has one. */
static void print_step(const struct program *program, FILE *out, const struct step *step) {
    const struct type *container = &program->types.data[step->container];
    const struct source_type *source =
        container->source == NO_ID ? NULL : &program->source_types.data[container->source];
    uint64_t offset =
        program->type_offsets.data[container->members.first + (uint32_t)step->constant];
    const struct field *field = source ? field_at(program, container->source, offset) : NULL;
    if (field && field->name)
        fprintf(out, ".%s", field->name);
    else
        fprintf(out, ".%lld", (long long)step->constant);
}

/* By the types that the gep itself names. */
static char *gep_text_by_steps(const struct program *program, const struct instruction *gep) {
    const struct type *type = &program->types.data[gep->source_type];
    if (type->kind != TYPE_STRUCT || !type->name || gep->steps.count < 2)
        return NULL;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const char *dot = strchr(type->name, '.');
    fputs(dot ? dot + 1 : type->name, out);
    for (uint32_t i = 1; i < gep->steps.count; i++) {
        const struct step *step = &program->steps.data[gep->steps.first + i];
        if (step->is_field)
            print_step(program, out, step);
        else if (step->is_constant)
            fprintf(out, "[%lld]", (long long)step->constant);
        else
            fputs("[]", out);
    }
    fclose(out);
    return text;
}

/* The type of what lies `offset` bytes into a `type`, if it begins there. */
static source_type_id type_at(const struct program *program, source_type_id type, int64_t offset) {
    for (type = program_plain_type(program, type); type != NO_ID && offset >= 0;
         type = program_plain_type(program, type)) {
        const struct source_type *at = &program->source_types.data[type];
        const struct field *field = field_at(program, type, (uint64_t)offset);
        if (field) {
            offset -= (int64_t)(field->bit_offset / 8);
            type = field->type;
        } else if (at->kind == SOURCE_ARRAY && at->target != NO_ID &&
                   program->source_types.data[at->target].size) {
            offset %= (int64_t)program->source_types.data[at->target].size;
            type = at->target;
        } else {
            return offset == 0 ? type : NO_ID;
        }
    }
    return NO_ID;
}

static source_type_id value_type(const struct program *program, value_id id, unsigned depth);

static source_type_id target_of(const struct program *program, source_type_id type) {
    type = program_plain_type(program, type);
    return type != NO_ID && program->source_types.data[type].kind == SOURCE_POINTER
               ? program->source_types.data[type].target
               : NO_ID;
}

/* The variable that lives where an address points to. */
static variable_id variable_at(const struct program *program, value_id address) {
    const struct value *value = &program->values.data[address];
    memory_id object = NO_ID;
    if (value->kind == VALUE_GLOBAL)
        object = value->definition;
    else if (value->kind == VALUE_INSTRUCTION)
        object = program->instructions.data[value->definition].object;
    return object == NO_ID ? NO_ID : program->memory.data[object].variable;
}

/* The struct or variable that an address points into, and how far. */
static source_type_id pointed_type(const struct program *program, value_id address, unsigned depth,
                                   int64_t *ret_offset) {
    value_id base = program_strip_offsets(program, address, ret_offset);
    variable_id variable = variable_at(program, base);
    if (variable != NO_ID)
        return program->variables.data[variable].type;
    return target_of(program, value_type(program, base, depth));
}

static source_type_id value_type(const struct program *program, value_id id, unsigned depth) {
    const struct value *value = &program->values.data[id];
    if (value->variable != NO_ID)
        return program->variables.data[value->variable].type;
    if (value->kind != VALUE_INSTRUCTION || depth == LONGEST_CHAIN)
        return NO_ID;
    const struct instruction *load = &program->instructions.data[value->definition];
    if (load->opcode != OP_LOAD)
        return NO_ID;
    int64_t offset;
    source_type_id type = pointed_type(program, load->read_at, depth + 1, &offset);
    return type_at(program, type, offset);
}

source_type_id program_value_type(const struct program *program, value_id value) {
    return value_type(program, value, 0);
}

/* By the variable that holds the pointer. */
static char *gep_text_by_variable(const struct program *program, const struct instruction *gep) {
    if (!(gep->flags & INSTRUCTION_CONSTANT_OFFSET) || gep->offset < 0)
        return NULL;
    int64_t offset;
    source_type_id type =
        program_plain_type(program, pointed_type(program, gep->result, 0, &offset));
    if (type == NO_ID || offset < 0)
        return NULL;
    const struct source_type *container = &program->source_types.data[type];
    char *field CLEANUP_FREE =
        container->name ? program_field_text(program, type, (uint64_t)offset) : NULL;
    return field ? mem_printf("%s.%s", container->name, field) : NULL;
}

char *program_gep_text(const struct program *program, const struct instruction *gep) {
    if (gep->opcode != OP_GEP)
        return NULL;
    char *text = gep_text_by_steps(program, gep);
    return text ? text : gep_text_by_variable(program, gep);
}
