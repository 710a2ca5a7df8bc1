/*
 * Fields of variables as criteria: `s.length`, `p->next`, `p->at.line`; criterion.h.
 *
 * What is asked for is what the line itself reads and writes of them: the loads and stores that
 * meet the field, in the variable or behind the pointer that the variable is.
 */
#include "slice/criterion_field.h"

#include <string.h>

#include "base/nearest.h"

bool criterion_names_field(const char *name) { return strpbrk(name, ".-[") != NULL; }

/* The field of a struct by its name, also in those of its members that have none. */
static const struct field *find_field(const struct program *program, source_type_id type,
                                      struct nearest *nearest, uint64_t *ret_offset) {
    const struct source_type *of = &program->source_types.data[type];
    for (uint32_t i = 0; i < of->fields.count; i++) {
        const struct field *field = &program->fields.data[of->fields.first + i];
        uint64_t offset = *ret_offset + field->bit_offset / 8;
        if (field->name) {
            nearest_consider(nearest, field->name);
            if (strcmp(field->name, nearest->wanted) != 0)
                continue;
            *ret_offset = offset;
            return field;
        }
        source_type_id inner = program_plain_type(program, field->type);
        uint8_t kind = inner == NO_ID ? SOURCE_OTHER : program->source_types.data[inner].kind;
        if (kind != SOURCE_STRUCT && kind != SOURCE_UNION)
            continue;
        const struct field *found = find_field(program, inner, nearest, &offset);
        if (found) {
            *ret_offset = offset;
            return found;
        }
    }
    return NULL;
}

static struct error *enter(const struct program *program, const char *text, const char *name,
                           source_type_id *type, struct criterion_field *ret) {
    *type = *type == NO_ID ? NO_ID : program_plain_type(program, *type);
    uint8_t kind = *type == NO_ID ? SOURCE_OTHER : program->source_types.data[*type].kind;
    if (kind == SOURCE_POINTER)
        return error_new(ERROR_USAGE, "%s: that is a pointer; did you mean '->%s'?", text, name);
    if (kind != SOURCE_STRUCT && kind != SOURCE_UNION)
        return error_new(ERROR_USAGE, "%s: that is no struct, and has no field %s", text, name);
    struct nearest nearest = nearest_to(name);
    uint64_t offset = 0;
    const struct field *field = find_field(program, *type, &nearest, &offset);
    if (!field && nearest_is_near(&nearest))
        return error_new(ERROR_USAGE, "%s: no field %s; did you mean %s?", text, name,
                         nearest.name);
    if (!field)
        return error_new(ERROR_USAGE, "%s: no field %s", text, name);
    ret->offset += (int64_t)offset;
    ret->size = (field->bit_offset % 8 + field->bit_size + 7) / 8;
    *type = field->type;
    return NULL;
}

struct error *criterion_find_field(const struct program *program, const char *text,
                                   variable_id variable, struct criterion_field *ret) {
    source_type_id type = program->variables.data[variable].type;
    const char *at = text + strcspn(text, ".-[");
    *ret = (struct criterion_field){.variable = variable};
    while (*at) {
        bool is_arrow = strncmp(at, "->", 2) == 0;
        if (!is_arrow && *at != '.')
            return error_new(ERROR_USAGE, "%s: elements of arrays are no criteria", text);
        if (is_arrow && (ret->is_behind || ret->size))
            return error_new(ERROR_USAGE,
                             "%s: a variable, one '->' and fields are what can be asked for", text);
        at += is_arrow ? 2 : 1;
        size_t length = strcspn(at, ".-[");
        char *name CLEANUP_FREE = mem_strndup(at, length);
        if (is_arrow) {
            type = type == NO_ID ? NO_ID : program_plain_type(program, type);
            if (type == NO_ID || program->source_types.data[type].kind != SOURCE_POINTER)
                return error_new(ERROR_USAGE, "%s: that is no pointer", text);
            type = program->source_types.data[type].target;
            ret->is_behind = true;
        }
        struct error *err = enter(program, text, name, &type, ret);
        if (err)
            return err;
        at += length;
    }
    return NULL;
}

bool criterion_leads_into(const struct program *program, value_id address, memory_id memory,
                          int64_t *ret_offset) {
    if (address == NO_ID || memory == NO_ID)
        return false;
    value_id base = program_strip_offsets(program, address, ret_offset);
    const struct value *value = &program->values.data[base];
    if (value->kind == VALUE_GLOBAL)
        return value->definition == memory;
    return value->kind == VALUE_INSTRUCTION &&
           program->instructions.data[value->definition].object == memory;
}

/* Is an address some bytes from the one that a variable holds? */
static bool leads_behind(const struct program *program, value_id address, memory_id memory,
                         int64_t *ret_offset) {
    int64_t offset;
    if (address == NO_ID)
        return false;
    const struct value *value =
        &program->values.data[program_strip_offsets(program, address, ret_offset)];
    if (value->kind != VALUE_INSTRUCTION)
        return false;
    const struct instruction *load = &program->instructions.data[value->definition];
    return load->opcode == OP_LOAD &&
           criterion_leads_into(program, load->read_at, memory, &offset) && offset == 0;
}

static bool meets(const struct program *program, const struct criterion_field *field,
                  value_id address, uint64_t size) {
    memory_id memory = program->variables.data[field->variable].memory;
    int64_t offset;
    bool leads = field->is_behind ? leads_behind(program, address, memory, &offset)
                                  : criterion_leads_into(program, address, memory, &offset);
    return leads && offset < field->offset + (int64_t)field->size &&
           offset + (int64_t)(size ? size : 1) > field->offset;
}

bool criterion_meets_field(const struct program *program, const struct criterion_field *field,
                           instruction_id id) {
    const struct instruction *access = &program->instructions.data[id];
    return meets(program, field, access->read_at, access->access_size) ||
           meets(program, field, access->written_at, access->access_size);
}
