/*
 * What is an argument in a test?  See test_impl.h.
 *
 * Numbers and pointers are written where they are passed.  A struct is a variable before that,
 * which is set field by field, as objects in memory are, or by its words where it is too large for
 * that.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testgen/test_impl.h"

/* The compiler found out that it is always the same, and passes it no more. */
static char *constant_text(struct writer *writer, const struct parameter *parameter) {
    const struct program *program = writer->program;
    const struct value *value = &program->values.data[parameter->constant];
    uint64_t word = value->number;
    if (value->kind == VALUE_FUNCTION)
        word = program->functions.data[value->definition].address;
    else if (value->kind == VALUE_GLOBAL)
        word = program->memory.data[value->definition].address;
    else if (value->kind != VALUE_INT)
        word = 0;
    return test_value(writer, parameter->type, (const uint8_t *)&word);
}

static void set_by_words(struct writer *writer, const char *name, const uint8_t *bytes,
                         uint32_t words) {
    fprintf(writer->code, "    recut_words(%s", name);
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, bytes + sizeof word * i, sizeof word);
        fprintf(writer->code, ", %#" PRIx64, word);
    }
    fprintf(writer->code, ");\n");
    writer->lines++;
}

/* A variable of that type, and its name. */
static char *declare(struct writer *writer, const struct parameter *parameter, size_t number,
                     bool is_zero) {
    bool has_name = parameter->name && test_is_free(writer, parameter->name);
    char *name = has_name ? mem_strdup(parameter->name) : mem_printf("argument_%zu", number + 1);
    char *declared CLEANUP_FREE = c_types_declare(writer->types, parameter->type, name);
    fprintf(writer->code, "    %s%s;\n", declared, is_zero ? " = {0}" : "");
    writer->lines++;
    return name;
}

static bool has_fields(const struct writer *writer, source_type_id type) {
    source_type_id plain = c_types_plain(writer->types, type);
    return plain != NO_ID && writer->program->source_types.data[plain].kind == SOURCE_STRUCT &&
           c_types_is_unique(writer->types, type) &&
           writer->lines + test_lines(writer, type) < test_most_lines;
}

char *test_argument(struct writer *writer, const struct signature *signature, size_t number) {
    const struct capture_state *state = writer->input->state;
    const struct parameter *parameter = &signature->parameters.data[number];
    if (parameter->is_lost) {
        char *constant = parameter->constant == NO_ID ? NULL : constant_text(writer, parameter);
        return constant ? constant : mem_strdup("0");
    }
    if (parameter->word + parameter->words > state->word_count)
        return NULL;
    const uint8_t *bytes = (const uint8_t *)&state->words[parameter->word];
    writer->hint = parameter->name;
    char *value = test_value(writer, parameter->type, bytes);
    writer->hint = NULL;
    if (value)
        return value;
    bool by_field = has_fields(writer, parameter->type);
    bool by_word = !by_field || test_holds_union(writer, parameter->type);
    char *name = declare(writer, parameter, number, !by_word);
    if (by_word)
        set_by_words(writer, name, bytes, parameter->words);
    if (by_field) {
        writer->value = bytes;
        writer->value_size = sizeof(uint64_t) * (uint64_t)parameter->words;
        test_set(writer, name, parameter->type, 0);
        writer->value = NULL;
    }
    return name;
}
