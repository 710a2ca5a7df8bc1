/*
 * Types, values and fields as people read them.
 *
 * Values look as in LLVM's text, with recut's ids where LLVM has numbers of its
 * own: @name for functions and globals, %v12 for arguments and results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

/* Longer constants are cut off here. */
enum { SHOWN_MEMBERS = 8, SHOWN_BYTES = 40, DEEPEST = 4 };

static void print_type(const struct program *program, FILE *out, type_id id) {
    const struct type *type = &program->types.data[id];
    switch (type->kind) {
    case TYPE_INT:
        fprintf(out, "i%u", type->bits);
        break;
    case TYPE_FLOAT:
        fprintf(out, "f%u", type->bits);
        break;
    case TYPE_POINTER:
        fputs("ptr", out);
        break;
    case TYPE_ARRAY:
    case TYPE_VECTOR:
        fprintf(out, "%c%llu x ", type->kind == TYPE_ARRAY ? '[' : '<',
                (unsigned long long)type->length);
        print_type(program, out, type->element);
        fputc(type->kind == TYPE_ARRAY ? ']' : '>', out);
        break;
    case TYPE_STRUCT:
        if (type->name) {
            fprintf(out, "%%%s", type->name);
            break;
        }
        fputs("{", out);
        for (uint32_t i = 0; i < type->members.count; i++) {
            fputs(i ? ", " : "", out);
            print_type(program, out, program->type_members.data[type->members.first + i]);
        }
        fputs("}", out);
        break;
    case TYPE_FUNCTION:
        print_type(program, out, type->element);
        fputs(" (", out);
        for (uint32_t i = 0; i < type->members.count; i++) {
            fputs(i ? ", " : "", out);
            print_type(program, out, program->type_members.data[type->members.first + i]);
        }
        fputs(!type->variadic ? ")" : type->members.count ? ", ...)" : "...)", out);
        break;
    default:
        fputs(type_kind_name(type->kind), out);
    }
}

/* In the manner of C, with the declarator left out: "char *[12]". */
static void print_source_type(const struct program *program, FILE *out, source_type_id id) {
    if (id == NO_ID) {
        fputs("void", out);
        return;
    }
    const struct source_type *type = &program->source_types.data[id];
    switch (type->kind) {
    case SOURCE_POINTER: {
        print_source_type(program, out, type->target);
        bool follows = type->target != NO_ID &&
                       program->source_types.data[type->target].kind == SOURCE_POINTER;
        fputs(follows ? "*" : " *", out);
        break;
    }
    case SOURCE_STRUCT:
    case SOURCE_UNION:
    case SOURCE_ENUM:
        fprintf(out, "%s %s", source_type_kind_name(type->kind),
                type->name ? type->name : "(unnamed)");
        break;
    case SOURCE_ARRAY:
        print_source_type(program, out, type->target);
        if (type->length)
            fprintf(out, "[%llu]", (unsigned long long)type->length);
        else
            fputs("[]", out);
        break;
    case SOURCE_CONST:
    case SOURCE_VOLATILE:
    case SOURCE_RESTRICT:
    case SOURCE_ATOMIC: {
        /* "const char *" and "char *const" both read as C does. */
        bool behind = type->target != NO_ID &&
                      program->source_types.data[type->target].kind == SOURCE_POINTER;
        const char *word =
            type->kind == SOURCE_ATOMIC ? "_Atomic" : source_type_kind_name(type->kind);
        if (!behind)
            fprintf(out, "%s ", word);
        print_source_type(program, out, type->target);
        if (behind)
            fputs(word, out);
        break;
    }
    case SOURCE_FUNCTION:
        print_source_type(program, out, type->target);
        fputs(" (", out);
        for (uint32_t i = 0; i < type->fields.count; i++) {
            fputs(i ? ", " : "", out);
            print_source_type(program, out, program->fields.data[type->fields.first + i].type);
        }
        fputs(!type->variadic ? ")" : type->fields.count ? ", ...)" : "...)", out);
        break;
    default:
        fputs(type->name ? type->name : source_type_kind_name(type->kind), out);
    }
}

static void print_bytes(FILE *out, const char *bytes, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length && i < SHOWN_BYTES; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\' || c < ' ' || c > '~')
            fprintf(out, "\\%02x", c);
        else
            fputc(c, out);
    }
    fputs(length > SHOWN_BYTES ? "...\"" : "\"", out);
}

static void print_value(const struct program *program, FILE *out, value_id id, unsigned depth);

static void print_members(const struct program *program, FILE *out, const struct value *value,
                          unsigned depth) {
    for (uint32_t i = 0; i < value->operands.count; i++) {
        fputs(i ? ", " : "", out);
        if (depth >= DEEPEST || i == SHOWN_MEMBERS) {
            fputs("...", out);
            return;
        }
        print_value(program, out, program->operands.data[value->operands.first + i], depth + 1);
    }
}

static void print_int(const struct program *program, FILE *out, const struct value *value) {
    unsigned bits = program->types.data[value->type].bits;
    if (value->text)
        fputs(value->text, out);
    else if (bits == 1)
        fputs(value->number ? "true" : "false", out);
    else
        fprintf(out, "%lld", (long long)(value->number << (64 - bits)) >> (64 - bits));
}

static void print_value(const struct program *program, FILE *out, value_id id, unsigned depth) {
    if (id == NO_ID) {
        fputs("-", out);
        return;
    }
    const struct value *value = &program->values.data[id];
    switch (value->kind) {
    case VALUE_FUNCTION:
        fprintf(out, "@%s", program->functions.data[value->definition].name);
        break;
    case VALUE_GLOBAL:
        fprintf(out, "@%s", program->memory.data[value->definition].name);
        break;
    case VALUE_ALIAS:
        fprintf(out, "@%s", value->text);
        break;
    case VALUE_ARGUMENT:
    case VALUE_INSTRUCTION:
        fprintf(out, "%%v%u", id);
        break;
    case VALUE_INT:
        print_int(program, out, value);
        break;
    case VALUE_FLOAT:
        fputs(value->text, out);
        break;
    case VALUE_AGGREGATE:
        fputs("{", out);
        print_members(program, out, value, depth);
        fputs("}", out);
        break;
    case VALUE_DATA:
        if (value->text)
            print_bytes(out, value->text, value->number);
        else
            fputs("data", out);
        break;
    case VALUE_EXPRESSION:
        fprintf(out, "%s(", opcode_name(value->opcode));
        if (value->opcode == OP_GEP) {
            print_value(program, out, program->operands.data[value->operands.first], depth + 1);
            fprintf(out, " + %lld", (long long)value->number);
        } else {
            print_members(program, out, value, depth);
        }
        fputs(")", out);
        break;
    case VALUE_BLOCK_ADDRESS:
        fprintf(out, "&b%u", value->definition);
        break;
    case VALUE_ASSEMBLY:
        fputs("asm ", out);
        print_bytes(out, value->text, strlen(value->text));
        break;
    default:
        fputs(value_kind_name(value->kind), out);
    }
}

char *program_type_text(const struct program *program, type_id type) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_type(program, out, type);
    fclose(out);
    return text;
}

char *program_source_type_text(const struct program *program, source_type_id type) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_source_type(program, out, type);
    fclose(out);
    return text;
}

char *program_value_text(const struct program *program, value_id value) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_value(program, out, value, 0);
    fclose(out);
    return text;
}

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

char *program_gep_text(const struct program *program, const struct instruction *gep) {
    const struct type *type = &program->types.data[gep->source_type];
    if (gep->opcode != OP_GEP || type->kind != TYPE_STRUCT || !type->name || gep->steps.count < 2)
        return NULL;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs(type->name, out);
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
