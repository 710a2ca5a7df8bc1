/* How does C write a value?  See test_impl.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "testgen/names_impl.h"
#include "testgen/test_impl.h"

/* --- numbers ------------------------------------------------------------------------------ */

static uint64_t word_of(const uint8_t *bytes, uint64_t size) {
    uint64_t word = 0;
    memcpy(&word, bytes, size < 8 ? size : 8);
    return word;
}

static int64_t sign_extend(uint64_t word, uint64_t size) {
    unsigned shift = (unsigned)(64 - 8 * (size < 8 ? size : 8));
    return (int64_t)(word << shift) >> shift;
}

static char *integer_text(const struct source_type *type, uint64_t word) {
    bool is_char = type->size == 1 && type->name && strstr(type->name, "char");
    if (is_char && word >= ' ' && word < 127 && word != '\'' && word != '\\')
        return mem_printf("'%c'", (char)word);
    if (type->is_signed) {
        int64_t number = sign_extend(word, type->size);
        if (number == INT64_MIN)
            return mem_strdup("(-9223372036854775807L - 1)");
        bool is_int = number >= INT32_MIN && number <= INT32_MAX;
        return mem_printf("%" PRId64 "%s", number, is_int ? "" : "L");
    }
    return mem_printf(word > 0xffff && word % 16 == 0 ? "%#" PRIx64 "%s" : "%" PRIu64 "%s", word,
                      word > INT32_MAX ? "UL" : "");
}

/* With as few digits as it takes, where it is used as a float or a double. */
static char *number_text(double number, bool is_float) {
    enum { few = 6, all = 17 };
    if (!isfinite(number))
        return mem_printf("%s__builtin_%s(%s)", signbit(number) ? "-" : "",
                          isnan(number) ? "nan" : "inf", isnan(number) ? "\"\"" : "");
    char *text = NULL;
    for (int digits = few; digits <= all; digits++) {
        free(text);
        text = mem_printf("%.*g", digits, number);
        double read = strtod(text, NULL);
        if ((is_float ? (float)read : read) == number)
            break;
    }
    if (strpbrk(text, ".en"))
        return text;
    char *whole CLEANUP_FREE = text;
    return mem_printf("%s.0", whole);
}

static char *float_text(const struct source_type *type, const uint8_t *bytes) {
    double number;
    float narrow;
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&number, bytes, type->size == sizeof narrow ? sizeof narrow : sizeof number);
    return type->size == sizeof narrow ? number_text(narrow, true) : number_text(number, false);
}

/* With as many digits as it takes; NULL if C has no literal for it. */
static char *long_double_text(const uint8_t *bytes) {
    enum { used = 10, few = 18, all = 21 };
    long double number = 0;
    memcpy(&number, bytes, used);
    if (!isfinite(number))
        return NULL;
    char *text = mem_printf("%.*Lg", few, number);
    if (strtold(text, NULL) != number) {
        free(text);
        text = mem_printf("%.*Lg", all, number);
    }
    char *digits CLEANUP_FREE = text;
    return mem_printf("%s%sL", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static char *complex_text(const struct source_type *type, const uint8_t *bytes) {
    bool is_narrow = type->size == 2 * sizeof(float);
    if (!is_narrow && type->size != 2 * sizeof(double))
        return NULL;
    double parts[2];
    for (size_t i = 0; i < 2; i++) {
        float narrow;
        memcpy(&narrow, bytes + i * sizeof narrow, sizeof narrow);
        if (is_narrow)
            parts[i] = narrow;
        else
            memcpy(&parts[i], bytes + i * sizeof *parts, sizeof *parts);
    }
    char *real CLEANUP_FREE = number_text(parts[0], is_narrow),
               *imaginary CLEANUP_FREE = number_text(parts[1], is_narrow);
    const char *cast = is_narrow ? "(float)" : "";
    return mem_printf("__builtin_complex(%s%s, %s%s)", cast, real, cast, imaginary);
}

/* Bits that are an address, or what a register happened to hold, are no number. */
char *test_double(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return isfinite(number) && (number == 0 || (fabs(number) > 1e-30 && fabs(number) < 1e30))
               ? number_text(number, false)
               : NULL;
}

static bool is_complex(const struct source_type *type) {
    return type->name && strstr(type->name, "complex");
}

static bool is_long_double(const struct source_type *type) {
    return type->name && strcmp(type->name, "long double") == 0;
}

static bool is_float(const struct source_type *type) {
    return type->name && (strcmp(type->name, "double") == 0 || strcmp(type->name, "float") == 0);
}

static char *enum_text(struct writer *writer, source_type_id id, uint64_t word) {
    const struct source_type *type = &writer->program->source_types.data[id];
    int64_t number = sign_extend(word, type->size);
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *one = &writer->program->fields.data[type->fields.first + i];
        if (one->name && (one->number == number || one->number == (int64_t)word)) {
            names_add_type(writer->names, id);
            return mem_strdup(one->name);
        }
    }
    return mem_printf("%" PRId64, number);
}

/* --- text --------------------------------------------------------------------------------- */

char *test_text(const uint8_t *bytes, size_t size) {
    char *text = mem_alloc(4 * size + 3), *at = text;
    *at++ = '"';
    for (size_t i = 0; i < size; i++) {
        uint8_t c = bytes[i];
        const char *known = "\"\\\n\t\r", *names = "\"\\ntr";
        const char *special = c ? strchr(known, c) : NULL;
        if (special) {
            *at++ = '\\';
            *at++ = names[special - known];
        } else if (c >= ' ' && c < 127 && !(c == '?' && i && bytes[i - 1] == '?')) {
            *at++ = (char)c;
        } else {
            at += sprintf(at, "\\%03o", c);
        }
    }
    strcpy(at, "\"");
    return text;
}

/* Wide characters, each of four bytes; NULL if there is none that a literal can have. */
char *test_wide_text(const uint8_t *bytes, size_t count) {
    char *text = mem_alloc(12 * count + 4), *at = text;
    at += sprintf(at, "L\"");
    for (size_t i = 0; i < count; i++) {
        uint32_t c;
        memcpy(&c, bytes + sizeof c * i, sizeof c);
        if (c == '"' || c == '\\')
            at += sprintf(at, "\\%c", (char)c);
        else if (c >= ' ' && c < 127 && c != '?')
            *at++ = (char)c;
        else if (c >= 0xa0 && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff))
            at += sprintf(at, "\\U%08" PRIx32, c);
        else if (c < 0xa0)
            at += sprintf(at, "\\%03" PRIo32, c);
        else {
            free(text);
            return NULL;
        }
    }
    strcpy(at, "\"");
    return text;
}

/* The characters at an address up to their zero, from memory or from the executable's constants;
 * false if it is no text that a person can read. */
static bool text_at(const struct writer *writer, uint64_t address, bool is_constant, uint8_t *ret,
                    size_t most, size_t *ret_size) {
    for (size_t i = 0; i < most; i++) {
        bool got = is_constant ? image_get(writer->input->image, address + i, ret + i, 1)
                               : capture_get(writer->input->state, address + i, ret + i, 1);
        if (!got)
            return false;
        if (!ret[i]) {
            *ret_size = i;
            return true;
        }
        if (ret[i] < ' ' && !strchr("\t\n\r\033", ret[i]))
            return false;
    }
    return false;
}

/* --- addresses in the program ------------------------------------------------------------- */

static const struct test_variable *variable_at(const struct writer *writer, uint64_t address) {
    size_t low = 0, high = writer->variables.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (writer->variables.data[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct test_variable *one = low ? &writer->variables.data[low - 1] : NULL;
    return one && address - one->address < (one->size ? one->size : 1) ? one : NULL;
}

static function_id function_at(const struct writer *writer, uint64_t address) {
    size_t low = 0, high = writer->functions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t own = writer->program->functions.data[writer->functions.data[middle]].address;
        if (own == address)
            return writer->functions.data[middle];
        if (own < address)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_ID;
}

static variable_id variable_of(const struct writer *writer, const struct test_variable *variable) {
    return writer->program->memory.data[variable->memory].variable;
}

/* Of an array; 0 if it is none. */
static uint64_t element_size(const struct writer *writer, source_type_id type) {
    source_type_id plain = c_types_plain(writer->types, type);
    const struct source_type *known =
        plain == NO_ID ? NULL : &writer->program->source_types.data[plain];
    source_type_id element =
        known && known->kind == SOURCE_ARRAY ? c_types_plain(writer->types, known->target) : NO_ID;
    return element == NO_ID ? 0 : writer->program->source_types.data[element].size;
}

char *test_symbol(struct writer *writer, uint64_t address) {
    function_id f = function_at(writer, address);
    if (f != NO_ID) {
        names_add_function(writer->names, f);
        char *name CLEANUP_FREE = names_function(writer->program, f);
        return mem_printf("(void *)%s", name);
    }
    const struct test_variable *variable = variable_at(writer, address);
    if (!variable)
        return NULL;
    names_add_variable(writer->names, variable->memory);
    char *name CLEANUP_FREE = names_variable(writer->program, variable->memory);
    uint64_t offset = address - variable->address;
    source_type_id type = writer->program->variables.data[variable_of(writer, variable)].type;
    uint64_t element =
        names_is_part(writer->program, variable->memory) ? 0 : element_size(writer, type);
    if (offset && element && offset % element == 0)
        return mem_printf("(void *)&%s[%" PRIu64 "]", name, offset / element);
    return offset ? mem_printf("(void *)((char *)&%s + %" PRIu64 ")", name, offset)
                  : mem_printf("(void *)&%s", name);
}

/* Variables of libraries that the program uses, such as stdout: pointers that have their value are
 * what they are. */
static char *import_text(struct writer *writer, uint64_t word) {
    const struct program *program = writer->program;
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *memory = &program->memory.data[m];
        uint64_t value;
        if (memory->kind == MEMORY_GLOBAL && (memory->flags & MEMORY_EXTERNAL) && memory->address &&
            memory->size == 8 && memory->name &&
            capture_get(writer->input->state, memory->address, &value, 8) && value == word)
            return mem_printf("recut_import(%s)", memory->name);
    }
    return NULL;
}

/* --- pointers ----------------------------------------------------------------------------- */

static const struct test_object *object_at(const struct writer *writer, uint64_t address,
                                           source_type_id type) {
    for (size_t i = 0; i < writer->objects.count; i++)
        if (writer->objects.data[i].address == address &&
            c_types_plain(writer->types, writer->objects.data[i].type) ==
                c_types_plain(writer->types, type))
            return &writer->objects.data[i];
    return NULL;
}

static bool has_object(const struct writer *writer, const char *name) {
    for (size_t i = 0; i < writer->objects.count; i++)
        if (strcmp(name, writer->objects.data[i].name) == 0)
            return true;
    return false;
}

static char *numbered(const struct writer *writer, const char *base) {
    for (unsigned number = 1;; number++) {
        char *name = mem_printf("%s_%u", base, number);
        if (!has_object(writer, name))
            return name;
        free(name);
    }
}

/* "item_3" for the third object of a struct item. */
static char *object_name(const struct writer *writer, source_type_id type) {
    const struct program *program = writer->program;
    const char *own = NULL;
    for (source_type_id t = type; t != NO_ID && !own; t = program->source_types.data[t].target) {
        own = program->source_types.data[t].name;
        if (program->source_types.data[t].kind == SOURCE_POINTER)
            break;
    }
    return numbered(writer, own && !strchr(own, ' ') ? own : "object");
}

bool test_is_wide(const struct program *program, source_type_id type) {
    for (; type != NO_ID; type = program->source_types.data[type].target) {
        const struct source_type *known = &program->source_types.data[type];
        if (known->kind == SOURCE_TYPEDEF && known->name && strcmp(known->name, "wchar_t") == 0)
            return true;
        if (known->kind != SOURCE_TYPEDEF && known->kind != SOURCE_CONST &&
            known->kind != SOURCE_VOLATILE)
            return false;
    }
    return false;
}

static bool is_char(const struct program *program, source_type_id type) {
    type = type == NO_ID ? NO_ID : program_plain_type(program, type);
    const struct source_type *known = type == NO_ID ? NULL : &program->source_types.data[type];
    return known && known->kind == SOURCE_BASE && known->size == 1 && known->name &&
           strstr(known->name, "char");
}

/* What a test can set there: something with a size that is not too large. */
static bool is_settable(const struct writer *writer, source_type_id type) {
    source_type_id plain = c_types_plain(writer->types, type);
    if (plain == NO_ID)
        return false;
    const struct source_type *known = &writer->program->source_types.data[plain];
    return known->size && known->kind != SOURCE_FUNCTION && known->kind != SOURCE_OTHER &&
           known->kind != SOURCE_UNION && c_types_is_unique(writer->types, type) &&
           writer->objects.count < test_most_objects &&
           test_lines(writer, type) + writer->lines < test_most_lines;
}

bool test_is_free(const struct writer *writer, const char *name) {
    static const char *const ours[] = {"recut", "symbols", "STATE"};
    const struct program *program = writer->program;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0)
            return false;
    if (has_object(writer, name))
        return false;
    for (source_type_id t = 0; t < program->source_types.count; t++)
        if (program->source_types.data[t].kind == SOURCE_TYPEDEF &&
            program->source_types.data[t].name &&
            strcmp(name, program->source_types.data[t].name) == 0)
            return false;
    for (source_type_id t = 0; t < program->source_types.count; t++) {
        const struct source_type *type = &program->source_types.data[t];
        for (uint32_t i = 0; type->kind == SOURCE_ENUM && i < type->fields.count; i++)
            if (strcmp(name, program->fields.data[type->fields.first + i].name) == 0)
                return false;
    }
    return names_count(program, name) == 0;
}

static const char *add_object(struct writer *writer, uint64_t address, source_type_id type,
                              bool is_text) {
    struct test_object object = {address, type, NULL, is_text};
    if (writer->hint && test_is_free(writer, writer->hint))
        object.name = mem_strdup(writer->hint);
    else if (is_text)
        object.name = numbered(writer, "text");
    else
        object.name = object_name(writer, type);
    writer->hint = NULL;
    names_add_type(writer->names, type);
    VEC_PUSH(&writer->objects, object);
    writer->lines += 2;
    return object.name;
}

static char *cast(uint64_t word) { return mem_printf("(void *)%#" PRIx64, word); }

/* Is there wide text that a person can read? */
static bool wide_at(const struct writer *writer, uint64_t address) {
    enum { width = 4 };
    uint8_t bytes[test_most_text];
    if (!capture_get(writer->input->state, address, bytes, sizeof bytes))
        return false;
    for (size_t i = 0; i < sizeof bytes / width; i++) {
        char *text CLEANUP_FREE = test_wide_text(bytes + width * i, 1);
        if (!text)
            return false;
        if (memcmp(bytes + width * i, "\0\0\0", width) == 0)
            return true;
    }
    return false;
}

static char *movable_pointer(struct writer *writer, source_type_id target, uint64_t word) {
    const struct test_object *known = object_at(writer, word, target);
    if (known)
        return mem_strdup(known->name);
    uint8_t text[test_most_text];
    size_t size;
    if (test_is_wide(writer->program, target) && wide_at(writer, word) &&
        writer->objects.count < test_most_objects && writer->lines < test_most_lines)
        return mem_strdup(add_object(writer, word, target, true));
    bool is_text = is_char(writer->program, target);
    if (is_text ? text_at(writer, word, false, text, sizeof text, &size) &&
                      writer->objects.count < test_most_objects && writer->lines < test_most_lines
                : is_settable(writer, target))
        return mem_strdup(add_object(writer, word, target, is_text));
    return cast(word);
}

static bool are_same(const struct writer *writer, source_type_id left, source_type_id right) {
    source_type_id a = c_types_plain(writer->types, left), b = c_types_plain(writer->types, right);
    if (a == NO_ID || b == NO_ID)
        return false;
    char *a_text CLEANUP_FREE = program_source_type_text(writer->program, a);
    char *b_text CLEANUP_FREE = program_source_type_text(writer->program, b);
    return a == b || strcmp(a_text, b_text) == 0;
}

/* What the pointer leads to is declared as that: "print", "&item", "items", "&items[3]". */
static char *without_cast(const struct writer *writer, source_type_id target, uint64_t word,
                          char *symbol) {
    static const char cast[] = "(void *)";
    const struct program *program = writer->program;
    size_t length = sizeof cast - 1;
    function_id f = function_at(writer, word);
    const struct test_variable *variable = f == NO_ID ? variable_at(writer, word) : NULL;
    if (f != NO_ID) {
        if (!are_same(writer, program->functions.data[f].source_type, target))
            return symbol;
    } else if (!variable || names_is_part(program, variable->memory)) {
        return symbol;
    } else {
        source_type_id type = program->variables.data[variable_of(writer, variable)].type;
        source_type_id plain = c_types_plain(writer->types, type);
        bool is_first = word == variable->address;
        bool is_array = element_size(writer, type) != 0;
        bool is_item =
            is_array && are_same(writer, program->source_types.data[plain].target, target);
        if (!is_item && !(is_first && are_same(writer, type, target)))
            return symbol;
        if (!is_first && !strchr(symbol, '['))
            return symbol;
        length += is_item && is_first; /* and the "&" */
    }
    char *text = mem_strdup(symbol + length);
    free(symbol);
    return text;
}

/* The constant that begins there; NULL if it is no wide text that a person can read. */
static char *wide_literal(const struct writer *writer, uint64_t address) {
    enum { width = 4 };
    uint8_t bytes[test_most_text];
    for (size_t i = 0; i < sizeof bytes / width; i++) {
        if (!image_get(writer->input->image, address + width * i, bytes + width * i, width) ||
            !image_is_constant(writer->input->image, address))
            return NULL;
        if (memcmp(bytes + width * i, "\0\0\0", width) == 0)
            return test_wide_text(bytes, i);
    }
    return NULL;
}

static char *pointer_text(struct writer *writer, source_type_id target, uint64_t word) {
    if (!word)
        return mem_strdup("0");
    if (capture_is_movable(word))
        return movable_pointer(writer, target, word);
    char *symbol = test_symbol(writer, word);
    if (symbol)
        return without_cast(writer, target, word, symbol);
    uint8_t text[test_most_text];
    size_t size;
    if (is_char(writer->program, target) && image_is_constant(writer->input->image, word) &&
        text_at(writer, word, true, text, sizeof text, &size))
        return test_text(text, size);
    char *wide = test_is_wide(writer->program, target) ? wide_literal(writer, word) : NULL;
    if (wide)
        return wide;
    char *import = import_text(writer, word);
    return import ? import : cast(word);
}

/* NO_ID if the program has no type of that name. */
static source_type_id find_char(const struct program *program) {
    for (source_type_id t = 0; t < program->source_types.count; t++)
        if (program->source_types.data[t].kind == SOURCE_BASE && is_char(program, t))
            return t;
    return NO_ID;
}

char *test_any_pointer(struct writer *writer, uint64_t word) {
    uint8_t text[test_most_text];
    size_t size;
    bool is_constant = image_is_constant(writer->input->image, word);
    if (word < RECUT_IMAGE_BASE)
        return mem_printf("%" PRIu64 "L", word);
    bool is_text =
        text_at(writer, word, is_constant, text, sizeof text, &size) && (is_constant || size > 1);
    source_type_id type = is_text ? find_char(writer->program) : NO_ID;
    if (!is_constant && !capture_is_movable(word) && word >= RECUT_ARGS_BASE)
        return mem_printf("%#" PRIx64 "UL", word);
    return pointer_text(writer, type, word);
}

char *test_value(struct writer *writer, source_type_id type, const uint8_t *bytes) {
    source_type_id plain = c_types_plain(writer->types, type);
    if (plain == NO_ID)
        return NULL;
    const struct source_type *known = &writer->program->source_types.data[plain];
    uint64_t word = word_of(bytes, known->size);
    switch (known->kind) {
    case SOURCE_BASE:
        if (is_float(known))
            return float_text(known, bytes);
        if (is_complex(known))
            return complex_text(known, bytes);
        if (is_long_double(known))
            return long_double_text(bytes);
        if (known->size > 8)
            return NULL;
        return integer_text(known, word);
    case SOURCE_ENUM:
        return enum_text(writer, plain, word);
    case SOURCE_POINTER:
        return pointer_text(writer, known->target, word);
    default:
        return NULL;
    }
}
