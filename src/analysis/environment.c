/*
 * Bits of accesses, from what their addresses may point to; environment.h.
 *
 * Cost: one look at the points-to set of each address.  As imprecise as points-to
 * analysis is: one pointer of the environment in a set marks the access.
 */
#include "analysis/environment.h"

#include <stdlib.h>
#include <string.h>

struct environment {
    const struct program *program;
    const struct pta *pta;
    uint8_t *accesses[2]; /* by instruction; enum access */
    uint8_t *arguments;   /* by place in the pool of operands */
    uint32_t argument_count;
    VEC(function_id) callbacks;
};

static uint8_t bits_of_object(struct pta_object object) {
    if (object.kind == PTA_ENVIRONMENT)
        return ENVIRONMENT_OWNED;
    if (object.kind == PTA_HANDLES)
        return ENVIRONMENT_HANDLE;
    uint8_t bits = object.kind == PTA_DESCRIBED ? ENVIRONMENT_DESCRIBED : 0;
    if (object.flags & PTA_SHARED)
        bits |= ENVIRONMENT_SHARED;
    return object.flags & PTA_ESCAPED ? bits | ENVIRONMENT_WRITTEN : bits;
}

static bool is_constant(const struct program *program, struct pta_object object) {
    return object.kind == PTA_FUNCTION ||
           (object.memory != NO_ID && program->memory.data[object.memory].flags & MEMORY_CONSTANT);
}

uint8_t environment_of_address(const struct environment *environment, value_id address) {
    struct pta_cursor cursor = {0};
    uint8_t bits = ENVIRONMENT_UNKNOWN;
    bool always = true;
    for (struct pta_target target; pta_points_to(environment->pta, address, &cursor, &target);) {
        struct pta_object object = pta_object(environment->pta, target.object);
        bits &= (uint8_t)~ENVIRONMENT_UNKNOWN;
        always &= object.kind == PTA_ENVIRONMENT || object.kind == PTA_HANDLES ||
                  object.kind == PTA_DESCRIBED;
        if (!is_constant(environment->program, object))
            bits |= bits_of_object(object);
    }
    if (always && !(bits & ENVIRONMENT_UNKNOWN))
        bits |= ENVIRONMENT_ALWAYS;
    return bits;
}

static void mark_access(struct environment *environment, instruction_id id) {
    const struct instruction *instruction = &environment->program->instructions.data[id];
    if (instruction->flags & INSTRUCTION_SYNTHETIC)
        return;
    if (instruction->read_at != NO_ID)
        environment->accesses[ACCESS_READ][id] =
            environment_of_address(environment, instruction->read_at);
    if (instruction->written_at != NO_ID)
        environment->accesses[ACCESS_WRITE][id] =
            environment_of_address(environment, instruction->written_at);
}

/* Does the function look at what the argument points to? */
static bool looks_into(const struct model_table *table, const struct model_function *model,
                       uint32_t number) {
    if (number >= model->param_count) /* printf's strings */
        return true;
    switch (model_table_param(table, model, number)->kind) {
    case MODEL_PARAM_POINTER:
    case MODEL_PARAM_HANDLE:
    case MODEL_PARAM_FUNCTION:
    case MODEL_PARAM_UNUSED:
        return false;
    default:
        return true;
    }
}

static void mark_arguments(struct environment *environment, const struct model_table *table,
                           instruction_id id) {
    const struct program *program = environment->program;
    const struct instruction *call = &program->instructions.data[id];
    uint32_t count;
    const function_id *callees = pta_callees(environment->pta, id, &count);
    for (uint32_t c = 0; c < count; c++) {
        const struct model_function *model =
            callees[c] == NO_ID ? NULL : pta_model(environment->pta, callees[c]);
        if (!model || model->class == MODEL_REFUSED)
            continue;
        for (uint32_t i = 0; i < call->operands.count; i++) {
            uint32_t at = call->operands.first + i;
            value_id argument = program->operands.data[at];
            if (program->types.data[program->values.data[argument].type].kind == TYPE_POINTER &&
                program->values.data[argument].kind != VALUE_NULL && looks_into(table, model, i)) {
                environment->arguments[at] |= environment_of_address(environment, argument);
                environment->argument_count++;
            }
        }
    }
}

struct environment *environment_build(const struct pta *pta) {
    struct environment *environment = mem_zalloc(1, sizeof *environment);
    const struct program *program = pta_program(pta);
    environment->pta = pta;
    environment->program = program;
    environment->accesses[ACCESS_READ] = mem_zalloc(program->instructions.count + 1, 1);
    environment->accesses[ACCESS_WRITE] = mem_zalloc(program->instructions.count + 1, 1);
    environment->arguments = mem_zalloc(program->operands.count + 1, 1);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        mark_access(environment, i);
        if (program->instructions.data[i].flags & INSTRUCTION_CALL && pta_models(pta))
            mark_arguments(environment, pta_models(pta), i);
    }
    for (function_id f = 0; f < program->functions.count; f++)
        if (pta_is_called_back(pta, f))
            VEC_PUSH(&environment->callbacks, f);
    return environment;
}

void environment_free(struct environment *environment) {
    if (!environment)
        return;
    free(environment->accesses[ACCESS_READ]);
    free(environment->accesses[ACCESS_WRITE]);
    free(environment->arguments);
    VEC_DEINIT(&environment->callbacks);
    free(environment);
}

uint8_t environment_of_access(const struct environment *environment, instruction_id instruction,
                              enum access access) {
    return environment->accesses[access][instruction];
}

uint8_t environment_of_argument(const struct environment *environment, instruction_id call,
                                uint32_t number) {
    struct range operands = environment->program->instructions.data[call].operands;
    return number < operands.count ? environment->arguments[operands.first + number] : 0;
}

const function_id *environment_callbacks(const struct environment *environment,
                                         uint32_t *ret_count) {
    *ret_count = (uint32_t)environment->callbacks.count;
    return environment->callbacks.data;
}

static void count_access(struct environment_figures *figures, uint8_t bits) {
    figures->accesses++;
    figures->owned += (bits & ENVIRONMENT_OWNED) != 0;
    figures->written += (bits & ENVIRONMENT_WRITTEN) != 0;
    figures->handle += (bits & ENVIRONMENT_HANDLE) != 0;
    figures->described += (bits & ENVIRONMENT_DESCRIBED) != 0;
    figures->shared += (bits & ENVIRONMENT_SHARED) != 0;
    figures->unknown += (bits & ENVIRONMENT_UNKNOWN) != 0;
    figures->always += (bits & ENVIRONMENT_ALWAYS) != 0;
    figures->logged += (bits & ENVIRONMENT_LOGGED) != 0;
}

struct environment_figures environment_figures(const struct environment *environment) {
    struct environment_figures figures = {0};
    const struct program *program = environment->program;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *instruction = &program->instructions.data[i];
        if (instruction->flags & INSTRUCTION_SYNTHETIC)
            continue;
        if (instruction->read_at != NO_ID)
            count_access(&figures, environment_of_access(environment, i, ACCESS_READ));
        if (instruction->written_at != NO_ID)
            count_access(&figures, environment_of_access(environment, i, ACCESS_WRITE));
    }
    figures.arguments = environment->argument_count;
    for (size_t i = 0; i < program->operands.count; i++)
        figures.arguments_logged += (environment->arguments[i] & ENVIRONMENT_LOGGED) != 0;
    for (function_id f = 0; f < program->functions.count; f++)
        figures.unmodelled += pta_is_unmodelled(environment->pta, f);
    return figures;
}
