/* What does a function get, and in which argument?  See signature.h. */
#include "testgen/signature.h"

#include <string.h>

static uint64_t size_of(const struct program *program, source_type_id type) {
    source_type_id plain = program_plain_type(program, type);
    return plain == NO_ID ? 0 : program->source_types.data[plain].size;
}

/* Registers that are left for parameters. */
struct left {
    unsigned integers, vectors;
};

enum { is_integer = 1, is_vector = 2, is_memory = 4 };

static bool is_floating(const struct source_type *type) {
    return type->kind == SOURCE_BASE && type->name &&
           (strstr(type->name, "double") || strstr(type->name, "float") ||
            strstr(type->name, "complex"));
}

static bool is_complex(const struct source_type *type) {
    return type->kind == SOURCE_BASE && type->name && strstr(type->name, "complex");
}

/* What the words of a value are, by the x86-64 ABI: `ret` has one for each. */
static void classify(const struct program *program, source_type_id type, uint64_t offset,
                     uint8_t ret[2]) {
    enum { words = 2, complex_parts = 2 };
    source_type_id plain = type == NO_ID ? NO_ID : program_plain_type(program, type);
    if (plain == NO_ID)
        return;
    const struct source_type *known = &program->source_types.data[plain];
    switch (known->kind) {
    case SOURCE_STRUCT:
    case SOURCE_UNION:
        for (uint32_t i = 0; i < known->fields.count; i++) {
            const struct field *field = &program->fields.data[known->fields.first + i];
            classify(program, field->type, offset + field->bit_offset / 8, ret);
        }
        return;
    case SOURCE_ATOMIC:
        classify(program, known->target, offset, ret);
        return;
    case SOURCE_ARRAY:
        for (uint64_t i = 0, size = size_of(program, known->target); size && i < known->length; i++)
            classify(program, known->target, offset + i * size, ret);
        return;
    default:
        break;
    }
    uint64_t unit = is_complex(known) ? known->size / complex_parts : known->size;
    bool is_aligned = !unit || offset % unit == 0;
    bool is_long = is_floating(known) && unit > 8;
    for (uint64_t at = offset / 8; at <= (offset + (known->size ? known->size - 1 : 0)) / 8; at++)
        if (at < words)
            ret[at] |= !is_aligned || is_long ? is_memory
                       : is_floating(known)   ? is_vector
                                              : is_integer;
}

static bool take(struct left *left, unsigned integers, unsigned vectors) {
    bool has = left->integers >= integers && left->vectors >= vectors;
    left->integers -= has ? integers : 0;
    left->vectors -= has ? vectors : 0;
    return has;
}

/* How many arguments of the code a parameter is, by the rules of the x86-64 ABI as clang follows
 * them: a struct of up to 16 bytes comes in as many as it has words, if there are registers for all
 * of them; else it is in memory. */
static uint32_t arguments_of(const struct program *program, source_type_id type, struct left *left,
                             bool *ret_in_memory) {
    source_type_id plain = program_plain_type(program, type);
    uint8_t classes[2] = {0};
    *ret_in_memory = false;
    if (plain == NO_ID)
        return 1;
    const struct source_type *known = &program->source_types.data[plain];
    bool is_aggregate = known->kind == SOURCE_STRUCT || known->kind == SOURCE_UNION ||
                        (is_complex(known) && known->size >= 16);
    bool is_wide = known->kind == SOURCE_BASE && known->size == 16 && !is_floating(known);
    unsigned integers = 0, vectors = 0, words = (unsigned)((known->size + 7) / 8);
    if (words <= 2)
        classify(program, plain, 0, classes);
    for (unsigned i = 0; i < words && i < 2 && !known->is_vector; i++) {
        bool takes_integer = classes[i] & is_integer;
        integers += takes_integer;
        vectors += !takes_integer && classes[i] & is_vector;
    }
    vectors += known->is_vector;
    bool is_large = words > 2 || (classes[0] | classes[1]) & is_memory;
    if (is_aggregate && !words)
        return 0;
    if (!is_large && take(left, integers, vectors))
        return is_aggregate || is_wide ? words : 1;
    *ret_in_memory = is_aggregate;
    return 1;
}

static bool has_hidden_result(const struct program *program, const struct source_type *type) {
    struct left all = {6, 8};
    bool in_memory = false;
    if (type->target != NO_ID)
        arguments_of(program, type->target, &all, &in_memory);
    return in_memory;
}

/* The words of an argument in the record of a call. */
static uint32_t words_of(const struct program *program, const struct function *function,
                         uint32_t argument) {
    type_id type = program->values.data[function->arguments.first + argument].type;
    return (uint32_t)((program->types.data[type].size + 7) / 8);
}

/* The names of the parameters, as far as there are variables for them. */
static const char *name_of(const struct program *program, const struct function *function,
                           uint32_t number) {
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        if (variable->argument == number + 1 && variable->scope == function->scope)
            return variable->name;
    }
    return NULL;
}

/* What a parameter without an argument is, if the compiler says that where the function begins. */
static value_id constant_of(const struct program *program, const struct function *function,
                            uint32_t number) {
    const struct block *first = &program->blocks.data[function->blocks.first];
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        if (variable->argument != number + 1 || variable->scope != function->scope)
            continue;
        for (uint32_t n = 0; n < variable->places.count; n++) {
            const struct place *place = &program->places.data[variable->places.first + n];
            if (place->inlined_at != NO_ID)
                continue;
            if (place->kind != PLACE_VALUE || place->fragment_bits ||
                place->instruction - first->instructions.first >= first->instructions.count)
                return NO_ID;
            uint8_t kind = program->values.data[place->value].kind;
            bool is_known = kind == VALUE_INT || kind == VALUE_NULL || kind == VALUE_FUNCTION ||
                            kind == VALUE_GLOBAL;
            return is_known ? place->value : NO_ID;
        }
    }
    return NO_ID;
}

/* --- parameters that the code has no argument for ------------------------------------------ */

static bool is_place_of(const struct program *program, const struct variable *variable,
                        value_id value) {
    for (uint32_t i = 0; i < variable->places.count; i++) {
        const struct place *place = &program->places.data[variable->places.first + i];
        if (place->kind == PLACE_VALUE && place->inlined_at == NO_ID && place->value == value)
            return true;
    }
    return false;
}

/* Which parameter an argument is, from 1 on; 0: the compiler does not say.  It may be one of an
 * inlined function, too. */
static uint32_t number_of(const struct program *program, const struct function *function,
                          uint32_t argument) {
    value_id value = function->arguments.first + argument;
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        if (variable->argument && variable->scope == function->scope &&
            (program->values.data[value].variable == i || is_place_of(program, variable, value)))
            return variable->argument;
    }
    return 0;
}

/* May these arguments be the parameter of this number?  Of a part of a struct that nobody needs
 * the compiler says nothing. */
static bool may_be(const struct program *program, const struct function *function,
                   const struct parameter *parameter, uint32_t number, uint32_t first) {
    if (first + parameter->count > function->arguments.count)
        return false;
    bool is_whole = parameter->count == 1;
    for (uint32_t n = first; n < first + parameter->count; n++) {
        uint32_t known = number_of(program, function, n);
        if (known ? known != number + 1 : is_whole)
            return false;
    }
    return true;
}

/* In how many ways are the arguments the parameters from one on, none of which is moved?  `ways`
 * has a row for each parameter and one more; two stand for many. */
static void count_ways(const struct program *program, const struct function *function,
                       const struct signature *signature, uint8_t *ways) {
    uint32_t arguments = function->arguments.count, row = arguments + 1;
    size_t count = signature->parameters.count;
    for (uint32_t n = 0; n <= arguments; n++)
        ways[count * row + n] = n == arguments;
    for (size_t i = count; i-- > 0;)
        for (uint32_t n = 0; n <= arguments; n++) {
            const struct parameter *one = &signature->parameters.data[i];
            unsigned all = ways[(i + 1) * row + n];
            if (one->count && may_be(program, function, one, (uint32_t)i, n))
                all += ways[(i + 1) * row + n + one->count];
            ways[i * row + n] = (uint8_t)(all > 2 ? 2 : all);
        }
}

/* A test declares the function without them: does the compiler pass the others as the code wants
 * them? */
static bool is_passed_alike(const struct program *program, const struct signature *signature,
                            unsigned hidden) {
    struct left all = {6 - hidden, 8}, left = all;
    for (size_t i = 0; i < signature->parameters.count; i++) {
        const struct parameter *one = &signature->parameters.data[i];
        bool in_memory, is_in_memory = false;
        uint32_t count = arguments_of(program, one->type, &all, &in_memory);
        if (!one->is_lost && (arguments_of(program, one->type, &left, &is_in_memory) != count ||
                              is_in_memory != in_memory))
            return false;
    }
    return true;
}

/* By what the compiler kept of them: which variable an argument is. */
static void match_by_variable(const struct program *program, const struct function *function,
                              uint32_t hidden, struct signature *signature) {
    uint32_t n = hidden, word = hidden, row = function->arguments.count + 1;
    size_t count = signature->parameters.count;
    uint8_t *ways CLEANUP_FREE = mem_zalloc((count + 1) * row, 1);
    count_ways(program, function, signature, ways);
    if (n > function->arguments.count || ways[n] != 1) {
        signature->wrong = "the compiler changed its parameters";
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct parameter *parameter = &signature->parameters.data[i];
        parameter->is_lost = parameter->count && ways[(i + 1) * row + n] == 1;
        parameter->words = 0;
        if (parameter->is_lost) {
            signature->has_lost = true;
            parameter->constant = constant_of(program, function, i);
            continue;
        }
        parameter->first = n;
        parameter->word = word;
        for (uint32_t k = 0; k < parameter->count; k++)
            parameter->words += words_of(program, function, n + k);
        n += parameter->count;
        word += parameter->words;
    }
    signature->words = word;
    if (!is_passed_alike(program, signature, hidden))
        signature->wrong = "the compiler changed its parameters";
}

void signature_find(const struct program *program, function_id id, struct signature *ret) {
    const struct function *function = &program->functions.data[id];
    *ret = (struct signature){0};
    if (function->source_type == NO_ID) {
        ret->wrong = "there is no debug information of it";
        return;
    }
    const struct source_type *type = &program->source_types.data[function->source_type];
    ret->is_variadic = function->flags & FUNCTION_VARIADIC;
    uint32_t hidden = has_hidden_result(program, type), argument = hidden, word = hidden;
    bool has_memory = false;
    struct left left = {6 - argument, 8};
    for (uint32_t i = 0; i < type->fields.count; i++) {
        struct parameter one = {
            .name = name_of(program, function, i),
            .type = program->fields.data[type->fields.first + i].type,
            .constant = NO_ID,
            .first = argument,
            .word = word,
        };
        bool in_memory;
        one.count = arguments_of(program, one.type, &left, &in_memory);
        has_memory |= in_memory;
        argument += one.count;
        for (uint32_t n = one.first; n < argument && n < function->arguments.count; n++)
            one.words += words_of(program, function, n);
        if (in_memory)
            one.words = (uint32_t)((size_of(program, one.type) + 7) / 8);
        word += one.words;
        VEC_PUSH(&ret->parameters, one);
    }
    ret->words = word;
    if (argument == function->arguments.count)
        return;
    if (has_memory) /* what was in memory may be passed by its parts now, or by a pointer */
        ret->wrong = "the compiler changed its parameters";
    else
        match_by_variable(program, function, hidden, ret);
}

void signature_deinit(struct signature *signature) { VEC_DEINIT(&signature->parameters); }

void signature_trim(const struct program *program, function_id function, uint64_t *record,
                    size_t words) {
    const struct function *known = &program->functions.data[function];
    struct signature signature;
    signature_find(program, function, &signature);
    for (size_t i = 0; i < signature.parameters.count; i++) {
        const struct parameter *one = &signature.parameters.data[i];
        for (uint32_t n = 0; !one->is_lost && n < one->count && n < one->words; n++) {
            value_id value = known->arguments.first + one->first + n;
            const struct type *type = &program->types.data[program->values.data[value].type];
            if (type->kind == TYPE_INT && type->size < 8 && one->word + n < words)
                record[one->word + n] &= (1ULL << 8 * type->size) - 1;
        }
    }
    signature_deinit(&signature);
}
