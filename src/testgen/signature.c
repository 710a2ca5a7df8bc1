/* What does a function get, and in which argument?  See signature.h. */
#include "testgen/signature.h"

static uint64_t size_of(const struct program *program, source_type_id type) {
    source_type_id plain = program_plain_type(program, type);
    return plain == NO_ID ? 0 : program->source_types.data[plain].size;
}

/* How many arguments of the code a parameter is, by the rules of the x86-64 ABI as clang follows
 * them: a struct of up to 16 bytes comes in as many as it has words. */
static uint32_t arguments_of(const struct program *program, source_type_id type,
                             bool *ret_in_memory) {
    source_type_id plain = program_plain_type(program, type);
    *ret_in_memory = false;
    if (plain == NO_ID)
        return 1;
    const struct source_type *known = &program->source_types.data[plain];
    if (known->kind != SOURCE_STRUCT && known->kind != SOURCE_UNION)
        return 1;
    *ret_in_memory = known->size > 16;
    return known->size > 16 ? 1 : (uint32_t)((known->size + 7) / 8);
}

static bool has_hidden_result(const struct program *program, const struct source_type *type) {
    bool in_memory;
    return type->target != NO_ID && (arguments_of(program, type->target, &in_memory), in_memory);
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

/* By what the compiler kept of them: which variable an argument is. */
static void match_by_variable(const struct program *program, const struct function *function,
                              struct signature *signature) {
    uint32_t word = 0;
    for (size_t i = 0; i < signature->parameters.count; i++)
        signature->parameters.data[i].is_lost = signature->has_lost = true;
    for (uint32_t n = 0; n < function->arguments.count; n++) {
        variable_id v = program->values.data[function->arguments.first + n].variable;
        uint32_t number = v == NO_ID ? 0 : program->variables.data[v].argument;
        if (!number || number > signature->parameters.count) {
            signature->wrong = "the compiler changed its parameters";
            return;
        }
        struct parameter *parameter = &signature->parameters.data[number - 1];
        parameter->is_lost = false;
        parameter->first = n;
        parameter->count = 1;
        parameter->word = word;
        parameter->words = words_of(program, function, n);
        word += parameter->words;
    }
    signature->words = word;
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
    uint32_t argument = has_hidden_result(program, type), word = argument, structs = 0;
    for (uint32_t i = 0; i < type->fields.count; i++) {
        struct parameter one = {
            .name = name_of(program, function, i),
            .type = program->fields.data[type->fields.first + i].type,
            .first = argument,
            .word = word,
        };
        bool in_memory;
        one.count = arguments_of(program, one.type, &in_memory);
        structs += one.count != 1 || in_memory;
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
    if (structs || has_hidden_result(program, type))
        ret->wrong = "the compiler changed its parameters";
    else
        match_by_variable(program, function, ret);
}

void signature_deinit(struct signature *signature) { VEC_DEINIT(&signature->parameters); }
