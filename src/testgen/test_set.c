/* How does a test set an object?  See test_impl.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testgen/redact.h"
#include "testgen/test_impl.h"

enum { most_elements = 32, most_bytes = 64 };

static const struct source_type *plain_type(const struct writer *writer, source_type_id type) {
    source_type_id plain = c_types_plain(writer->types, type);
    return plain == NO_ID ? NULL : &writer->program->source_types.data[plain];
}

static bool is_bytes(const struct writer *writer, const struct source_type *array) {
    const struct source_type *element = plain_type(writer, array->target);
    return element && element->kind == SOURCE_BASE && element->size == 1;
}

uint64_t test_lines(const struct writer *writer, source_type_id type) {
    const struct source_type *known = plain_type(writer, type);
    if (!known)
        return 1;
    uint64_t lines = 0;
    switch (known->kind) {
    case SOURCE_STRUCT:
        for (uint32_t i = 0; i < known->fields.count && lines <= test_most_lines; i++)
            lines += test_lines(writer, writer->program->fields.data[known->fields.first + i].type);
        return lines;
    case SOURCE_ARRAY:
        if (is_bytes(writer, known))
            return known->length <= test_most_text ? 1 : test_most_lines + 1;
        if (known->length > most_elements)
            return test_most_lines + 1;
        return known->length * test_lines(writer, known->target);
    case SOURCE_UNION:
        return known->size <= most_bytes ? 1 : test_most_lines + 1;
    default:
        return 1;
    }
}

bool test_holds_union(const struct writer *writer, source_type_id type) {
    const struct program *program = writer->program;
    type = c_types_plain(writer->types, type);
    if (type == NO_ID)
        return true;
    const struct source_type *known = &program->source_types.data[type];
    if (known->kind == SOURCE_ARRAY || known->kind == SOURCE_ATOMIC)
        return test_holds_union(writer, known->target);
    for (uint32_t i = 0; known->kind == SOURCE_STRUCT && i < known->fields.count; i++)
        if (test_holds_union(writer, program->fields.data[known->fields.first + i].type))
            return true;
    return known->kind == SOURCE_UNION || (known->kind == SOURCE_BASE && known->size > 8);
}

/* Of memory, or of the value that is set. */
static bool get(const struct writer *writer, uint64_t address, void *to, uint64_t size) {
    if (!writer->value)
        return capture_get(writer->input->state, address, to, size);
    if (address > writer->value_size || size > writer->value_size - address)
        return false;
    memcpy(to, writer->value + address, size);
    return true;
}

/* Is what is not set zero? */
static bool begins_as_zero(const struct writer *writer, uint64_t address) {
    return writer->value || capture_is_movable(address); /* that comes from the file */
}

static void cover(struct writer *writer, uint64_t address, uint64_t size) {
    if (!writer->value)
        VEC_PUSH(&writer->covered, (struct test_range){address, size});
}

static void line(struct writer *writer) { writer->lines++; }

static void set_bytes(struct writer *writer, const char *path, uint64_t address, uint64_t size) {
    uint8_t *bytes CLEANUP_FREE = mem_zalloc(size + 1, 1);
    if (!get(writer, address, bytes, size))
        return;
    uint64_t used = size;
    while (used && !bytes[used - 1])
        used--;
    char *text CLEANUP_FREE = test_text(bytes, used);
    fprintf(writer->code, "    recut_set(%s, %s);\n", path, text);
    line(writer);
    cover(writer, address, size);
}

static bool is_zero(const uint8_t *bytes, uint64_t size) {
    while (size && !bytes[size - 1])
        size--;
    return !size;
}

/* "L"text"" for an array of wide characters that ends by zeros; NULL if it is none. */
static char *wide_items(const struct writer *writer, const struct source_type *array,
                        uint64_t address) {
    enum { width = 4 };
    uint8_t *bytes CLEANUP_FREE = mem_zalloc(array->size + 1, 1);
    uint64_t used = array->length;
    if (!test_is_wide(writer->program, array->target) || array->size != width * array->length ||
        !get(writer, address, bytes, array->size))
        return NULL;
    while (used && is_zero(bytes + width * (used - 1), width))
        used--;
    return used && used < array->length ? test_wide_text(bytes, used) : NULL;
}

/* A pointer in memory of the file to a constant that C has no name or text for: the file says what
 * it leads to in another build. */
static bool is_left(struct writer *writer, source_type_id type, uint64_t address,
                    const uint8_t *bytes) {
    const struct source_type *known = plain_type(writer, type);
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    if (!known || known->kind != SOURCE_POINTER || !capture_is_movable(address) ||
        !test_constant_at(writer, word))
        return false;
    char *text CLEANUP_FREE = test_value(writer, type, bytes);
    return text && strncmp(text, "(void *)0x", 10) == 0;
}

/* "1, 2, 3", or "{1, 2}, {3, 4}", without zeros at the end; NULL if an element has no value. */
static char *items_of(struct writer *writer, const struct source_type *array, uint64_t address) {
    const struct source_type *element = plain_type(writer, array->target);
    bool is_nested = element && element->kind == SOURCE_ARRAY && !element->is_vector;
    bool is_plain = element && (element->kind == SOURCE_BASE || element->kind == SOURCE_ENUM ||
                                element->kind == SOURCE_POINTER);
    if (!is_nested && (!is_plain || element->size > 8))
        return NULL;
    char *wide = wide_items(writer, array, address);
    if (wide)
        return wide;
    uint8_t *bytes CLEANUP_FREE = mem_zalloc(array->size + 1, 1);
    if (!get(writer, address, bytes, array->size))
        return NULL;
    uint64_t used = array->length;
    while (used > 1 && is_zero(bytes + element->size * (used - 1), element->size))
        used--;
    char *text = mem_strdup("");
    for (uint64_t i = 0; i < used; i++) {
        char *before CLEANUP_FREE = text;
        if (element->size == 8 && is_left(writer, array->target, address + 8 * i, bytes + 8 * i))
            return NULL;
        char *one CLEANUP_FREE = is_nested
                                     ? items_of(writer, element, address + i * element->size)
                                     : test_value(writer, array->target, bytes + i * element->size);
        if (!one)
            return NULL;
        text = mem_printf(is_nested ? "%s%s{%s}" : "%s%s%s", before, i ? ", " : "", one);
    }
    return text;
}

static void set_array(struct writer *writer, const char *path, const struct source_type *array,
                      uint64_t address) {
    const struct source_type *element = plain_type(writer, array->target);
    if (is_bytes(writer, array)) {
        set_bytes(writer, path, address, array->length);
        return;
    }
    char *items CLEANUP_FREE = items_of(writer, array, address);
    if (items) {
        fprintf(writer->code, "    recut_items(%s, %s);\n", path, items);
        line(writer);
        cover(writer, address, array->size);
        return;
    }
    uint8_t *bytes CLEANUP_FREE = element ? mem_zalloc(element->size + 1, 1) : NULL;
    for (uint64_t i = 0; element && i < array->length; i++) {
        if (begins_as_zero(writer, address) &&
            get(writer, address + i * element->size, bytes, element->size) &&
            is_zero(bytes, element->size))
            continue;
        char *one CLEANUP_FREE = mem_printf("%s[%" PRIu64 "]", path, i);
        test_set(writer, one, array->target, address + i * element->size);
    }
}

static void set_bit_field(struct writer *writer, const char *path, const struct field *field,
                          uint64_t address) {
    const struct source_type *type = plain_type(writer, field->type);
    uint64_t from = field->bit_offset / 8, word = 0;
    uint64_t size = (field->bit_offset % 8 + field->bit_size + 7) / 8;
    if (!field->name || size > 8 || !get(writer, address + from, &word, size))
        return;
    word = word >> field->bit_offset % 8 & ((1ULL << (field->bit_size & 63)) - 1);
    char *name CLEANUP_FREE = type && type->kind == SOURCE_ENUM
                                  ? test_value(writer, field->type, (const uint8_t *)&word)
                                  : NULL;
    if (name)
        fprintf(writer->code, "    %s = %s;\n", path, name);
    else if (type && type->is_signed && word >> (field->bit_size - 1) & 1)
        fprintf(writer->code, "    %s = %" PRId64 ";\n", path,
                (int64_t)(word | ~0ULL << field->bit_size));
    else
        fprintf(writer->code, "    %s = %" PRIu64 ";\n", path, word);
    line(writer);
}

static void set_struct(struct writer *writer, const char *path, const struct source_type *type,
                       uint64_t address) {
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *field = &writer->program->fields.data[type->fields.first + i];
        bool is_pointer = path[strlen(path) - 1] == '>'; /* "object->" */
        char *one CLEANUP_FREE =
            field->name ? mem_printf("%s%s%s", path, is_pointer ? "" : ".", field->name)
                        : mem_strdup(path);
        if (field->is_bit_field)
            set_bit_field(writer, one, field, address);
        else
            test_set(writer, one, field->type, address + field->bit_offset / 8);
    }
}

void test_set(struct writer *writer, const char *path, source_type_id type, uint64_t address) {
    const struct source_type *known = plain_type(writer, type);
    uint8_t bytes[16] = {0};
    if (!known || !known->size)
        return;
    /* Of a struct, some members may be. */
    if (known->kind != SOURCE_STRUCT && known->kind != SOURCE_UNION && !writer->value &&
        redact_is_hidden(writer->input->capture, address, known->size)) {
        fprintf(writer->code, "    /* %s is redacted */\n", path);
        line(writer);
        return;
    }
    switch (known->kind) {
    case SOURCE_STRUCT:
        set_struct(writer, path, known, address);
        return;
    case SOURCE_ARRAY:
        set_array(writer, path, known, address);
        return;
    case SOURCE_UNION: /* nobody knows which of its members it is */
        if (path[strlen(path) - 1] != '>' && !writer->value)
            fprintf(writer->code, "    /* %s, a union, is as it was. */\n", path);
        return;
    default:
        break;
    }
    if (known->size > sizeof bytes || !get(writer, address, bytes, known->size))
        return;
    if (is_left(writer, type, address, bytes)) {
        fprintf(writer->code, "    /* %s, a constant without a name, is as it was. */\n", path);
        return;
    }
    char *value CLEANUP_FREE = test_value(writer, type, bytes);
    if (!value)
        return;
    fprintf(writer->code, "    %s = %s;\n", path, value);
    line(writer);
    cover(writer, address, known->size);
}
