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

static bool is_kind(const struct program *program, source_type_id id, enum source_type_kind kind) {
    return id != NO_ID && program->source_types.data[id].kind == kind;
}

/* The parameters of a function behind its declarator. */
static char *declare_function(const struct program *program, const struct source_type *type,
                              const char *inner) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s(", inner);
    for (uint32_t i = 0; i < type->fields.count; i++) {
        char *parameter =
            program_source_type_text(program, program->fields.data[type->fields.first + i].type);
        fprintf(out, "%s%s", i ? ", " : "", parameter);
        free(parameter);
    }
    fputs(!type->variadic ? ")" : type->fields.count ? ", ...)" : "...)", out);
    fclose(out);
    return text;
}

/*
 * A declaration of `inner` as C writes it, from the inside out: an array of
 * pointers is `char *[12]`, a pointer to a function `int (*)(char)`.
 */
static char *declare(const struct program *program, source_type_id id, const char *inner) {
    const struct source_type *type = id == NO_ID ? NULL : &program->source_types.data[id];
    const char *name = !type ? "void" : type->name ? type->name : source_type_kind_name(type->kind);
    char *next CLEANUP_FREE = NULL;
    switch (type ? type->kind : SOURCE_OTHER) {
    case SOURCE_POINTER:
        next = is_kind(program, type->target, SOURCE_ARRAY) ||
                       is_kind(program, type->target, SOURCE_FUNCTION)
                   ? mem_printf("(*%s)", inner)
                   : mem_printf("*%s", inner);
        return declare(program, type->target, next);
    case SOURCE_ARRAY:
        next = type->length ? mem_printf("%s[%llu]", inner, (unsigned long long)type->length)
                            : mem_printf("%s[]", inner);
        return declare(program, type->target, next);
    case SOURCE_FUNCTION:
        next = declare_function(program, type, inner);
        return declare(program, type->target, next);
    case SOURCE_CONST:
    case SOURCE_VOLATILE:
    case SOURCE_RESTRICT:
    case SOURCE_ATOMIC: {
        const char *word =
            type->kind == SOURCE_ATOMIC ? "_Atomic" : source_type_kind_name(type->kind);
        if (is_kind(program, type->target, SOURCE_POINTER)) {
            next = mem_printf("*%s%s%s", word, *inner && *inner != '[' ? " " : "", inner);
            return declare(program, program->source_types.data[type->target].target, next);
        }
        next = declare(program, type->target, inner);
        return mem_printf("%s %s", word, next);
    }
    case SOURCE_STRUCT:
    case SOURCE_UNION:
    case SOURCE_ENUM:
        return mem_printf("%s %s%s%s", source_type_kind_name(type->kind),
                          type->name ? type->name : "(unnamed)", *inner ? " " : "", inner);
    default:
        return mem_printf("%s%s%s", name, *inner ? " " : "", inner);
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
    return declare(program, type, "");
}

char *program_value_text(const struct program *program, value_id value) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_value(program, out, value, 0);
    fclose(out);
    return text;
}
