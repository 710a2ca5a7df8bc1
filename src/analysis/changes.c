/*
 * Which bytes behind a parameter does a function change?  See changes.h.
 *
 * Callees first; in a circle of calls until nothing is new.  Behind parameters and behind pointers
 * that lie there, no farther: what is behind those is found at run time, if somebody asks
 * (runtime/copies.h).
 */
#include "analysis/changes.h"

#include <stdlib.h>

typedef VEC(struct change) change_vec;
typedef VEC(struct field_change) field_vec;
typedef VEC(struct variable_change) variable_vec;

struct changes {
    const struct program *program;
    struct effects *effects;
    const struct callgraph *graph;
    uint32_t *first; /* by function: its first argument in `arguments` */
    change_vec *arguments, *used;
    size_t argument_count;
    field_vec *fields;       /* by function */
    variable_vec *variables; /* by function */
};

static bool is_within(struct change inner, struct change outer) {
    return inner.low >= outer.low && inner.high <= outer.high;
}

static bool add(change_vec *list, struct change one) {
    const struct change all = {CHANGE_LOW, CHANGE_HIGH};
    for (size_t i = 0; i < list->count; i++)
        if (is_within(one, list->data[i]))
            return false;
    if (one.low < all.low || one.high > all.high || list->count == CHANGES_MOST)
        one = all;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!is_within(list->data[i], one))
            list->data[kept++] = list->data[i];
    list->count = kept;
    VEC_PUSH(list, one);
    return true;
}

static change_vec *list_of(const struct changes *changes, function_id function, uint32_t argument) {
    return &changes->arguments[changes->first[function] + argument];
}

static struct change moved(struct change one, struct root root) {
    if (root.is_moved || (one.low == CHANGE_LOW && one.high == CHANGE_HIGH))
        return (struct change){CHANGE_LOW, CHANGE_HIGH};
    return (struct change){one.low + root.offset, one.high + root.offset + root.extent};
}

/* --- behind pointers ---------------------------------------------------------------------- */

/* A pointer that was loaded from behind a parameter, and moved. */
struct field_root {
    uint32_t argument; /* NO_ID: it is none */
    int32_t field;
    struct root behind; /* its argument means nothing */
};

static struct field_root field_root(const struct changes *changes, value_id value) {
    enum { most_steps = 16 };
    const struct program *program = changes->program;
    struct field_root ret = {.argument = NO_ID};
    int64_t offset = 0;
    for (int steps = 0; steps < most_steps; steps++) {
        value = pta_origin(effects_pta(changes->effects), value);
        if (program->values.data[value].kind != VALUE_INSTRUCTION)
            return ret;
        const struct instruction *made =
            &program->instructions.data[program->values.data[value].definition];
        if (made->opcode == OP_LOAD) {
            struct root root = effects_root(changes->effects, made->read_at);
            ret.behind.is_moved |= offset < ROOT_LOW || offset >= ROOT_HIGH;
            ret.behind.offset = ret.behind.is_moved ? 0 : (int32_t)offset;
            ret.argument = root.is_moved || root.extent ? NO_ID : root.argument;
            ret.field = root.offset;
            return ret;
        }
        if (made->object != NO_ID ||
            (made->opcode != OP_GEP && made->opcode != OP_BITCAST && made->opcode != OP_FREEZE))
            return ret;
        if (made->opcode == OP_GEP) {
            ret.behind.is_moved |= !(made->flags & INSTRUCTION_CONSTANT_OFFSET);
            offset += made->offset;
        }
        value = program->operands.data[made->operands.first];
    }
    return ret;
}

static bool add_field(struct changes *changes, function_id function, struct field_change one) {
    field_vec *list = &changes->fields[function];
    if (one.field < CHANGE_LOW || one.field >= CHANGE_HIGH)
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].argument == one.argument && list->data[i].field == one.field &&
            is_within(one.bytes, list->data[i].bytes))
            return false;
    if (list->count == CHANGES_FIELDS_MOST)
        return false;
    VEC_PUSH(list, one);
    return true;
}

static bool add_variable(struct changes *changes, function_id function,
                         struct variable_change one) {
    variable_vec *list = &changes->variables[function];
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].memory == one.memory && is_within(one.bytes, list->data[i].bytes))
            return false;
    if (list->count == CHANGES_VARIABLES_MOST)
        return false;
    VEC_PUSH(list, one);
    return true;
}

/* A write that goes by no parameter: to a variable, or behind a pointer. */
static void elsewhere(struct changes *changes, function_id function,
                      const struct memory_effect *effect, struct change bytes) {
    const struct program *program = changes->program;
    int64_t offset = 0;
    value_id base = program_strip_offsets(program, effect->address, &offset);
    if (program->values.data[base].kind == VALUE_GLOBAL) {
        struct root root = {.offset = (int32_t)offset,
                            .is_moved = offset < 0 || offset > CHANGE_HIGH};
        add_variable(
            changes, function,
            (struct variable_change){program->values.data[base].definition, moved(bytes, root)});
        return;
    }
    struct field_root field = field_root(changes, effect->address);
    if (field.argument != NO_ID)
        add_field(changes, function,
                  (struct field_change){field.argument, field.field, moved(bytes, field.behind)});
}

/* --- all functions ------------------------------------------------------------------------ */

static void by_itself(struct changes *changes, function_id function) {
    struct range instructions = changes->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        struct effect_list list = effects_of(changes->effects, instructions.first + i);
        for (uint32_t k = 0; k < list.count; k++) {
            const struct memory_effect *effect = &list.effects[k];
            struct change one = {0, (int32_t)effect->size};
            if (!effect->size)
                one = (struct change){CHANGE_LOW, CHANGE_HIGH};
            if (effect->root.argument == NO_ID) {
                if (effect->writes && effect->address != NO_ID)
                    elsewhere(changes, function, effect, one);
                continue;
            }
            one = moved(one, effect->root);
            if (effect->writes)
                add(list_of(changes, function, effect->root.argument), one);
            add(&changes->used[changes->first[function] + effect->root.argument], one);
        }
    }
}

/* What is handed on lies behind a field: what the callee changes of it is changed there. */
static bool behind_field(struct changes *changes, function_id caller, value_id value,
                         const change_vec *below) {
    struct field_root field = {.argument = NO_ID};
    bool is_new = false;
    if (below->count)
        field = field_root(changes, value);
    for (size_t i = 0; field.argument != NO_ID && i < below->count; i++)
        is_new |= add_field(changes, caller,
                            (struct field_change){field.argument, field.field,
                                                  moved(below->data[i], field.behind)});
    return is_new;
}

static bool by_call(struct changes *changes, function_id caller, instruction_id call,
                    function_id callee) {
    const struct instruction *at = &changes->program->instructions.data[call];
    uint32_t count = changes->program->functions.data[callee].arguments.count;
    bool is_new = false;
    for (uint32_t a = 0; a < count && a < at->operands.count; a++) {
        value_id value = changes->program->operands.data[at->operands.first + a];
        struct root root = effects_root(changes->effects, value);
        const change_vec *below = list_of(changes, callee, a);
        if (root.argument == NO_ID) {
            is_new |= behind_field(changes, caller, value, below);
            continue;
        }
        for (size_t i = 0; i < below->count; i++)
            is_new |= add(list_of(changes, caller, root.argument), moved(below->data[i], root));
        const field_vec *fields = &changes->fields[callee];
        for (size_t i = 0; !root.is_moved && !root.extent && i < fields->count; i++) {
            struct field_change one = fields->data[i];
            if (one.argument != a)
                continue;
            one.argument = root.argument;
            one.field += root.offset;
            is_new |= add_field(changes, caller, one);
        }
    }
    const variable_vec *variables = &changes->variables[callee];
    for (size_t i = 0; i < variables->count; i++)
        is_new |= add_variable(changes, caller, variables->data[i]);
    return is_new;
}

static bool by_calls(struct changes *changes, function_id function) {
    struct range instructions = changes->program->functions.data[function].instructions;
    bool is_new = false;
    for (uint32_t i = 0; i < instructions.count; i++) {
        instruction_id id = instructions.first + i;
        if (!(changes->program->instructions.data[id].flags & INSTRUCTION_CALL) ||
            !effects_is_direct(changes->effects, id))
            continue;
        uint32_t count;
        const function_id *callees = effects_callees(changes->effects, id, &count);
        for (uint32_t k = 0; k < count; k++)
            is_new |= by_call(changes, function, id, callees[k]);
    }
    return is_new;
}

struct changes *changes_build(struct effects *effects, const struct callgraph *graph) {
    const struct program *program = pta_program(effects_pta(effects));
    struct changes *changes = mem_zalloc(1, sizeof *changes);
    *changes = (struct changes){.program = program, .effects = effects, .graph = graph};
    changes->first = mem_zalloc(program->functions.count + 1, sizeof *changes->first);
    for (function_id f = 0; f < program->functions.count; f++) {
        changes->first[f] = (uint32_t)changes->argument_count;
        changes->argument_count += program->functions.data[f].arguments.count;
    }
    changes->arguments = mem_zalloc(changes->argument_count + 1, sizeof *changes->arguments);
    changes->used = mem_zalloc(changes->argument_count + 1, sizeof *changes->used);
    changes->fields = mem_zalloc(program->functions.count + 1, sizeof *changes->fields);
    changes->variables = mem_zalloc(program->functions.count + 1, sizeof *changes->variables);
    for (function_id f = 0; f < program->functions.count; f++)
        by_itself(changes, f);
    for (uint32_t c = 0; c < graph->count; c++) {
        bool is_new = true;
        while (is_new) {
            is_new = false;
            for (uint32_t i = graph->start[c]; i < graph->start[c + 1]; i++)
                is_new |= by_calls(changes, graph->members[i]);
            is_new &= graph->is_recursive[c];
        }
    }
    return changes;
}

void changes_free(struct changes *changes) {
    if (!changes)
        return;
    for (size_t i = 0; i < changes->argument_count; i++) {
        VEC_DEINIT(&changes->arguments[i]);
        VEC_DEINIT(&changes->used[i]);
    }
    for (size_t f = 0; f < changes->program->functions.count; f++) {
        VEC_DEINIT(&changes->fields[f]);
        VEC_DEINIT(&changes->variables[f]);
    }
    free(changes->fields);
    free(changes->variables);
    free(changes->arguments);
    free(changes->used);
    free(changes->first);
    free(changes);
}

struct change_list changes_of(const struct changes *changes, function_id function,
                              uint32_t argument) {
    const change_vec *list = list_of(changes, function, argument);
    return (struct change_list){list->data, list->count};
}

struct change_list changes_used(const struct changes *changes, function_id function,
                                uint32_t argument) {
    const change_vec *list = &changes->used[changes->first[function] + argument];
    return (struct change_list){list->data, list->count};
}

struct field_change_list changes_of_fields(const struct changes *changes, function_id function) {
    const field_vec *list = &changes->fields[function];
    return (struct field_change_list){list->data, list->count};
}

struct variable_change_list changes_of_variables(const struct changes *changes,
                                                 function_id function) {
    const variable_vec *list = &changes->variables[function];
    return (struct variable_change_list){list->data, list->count};
}
