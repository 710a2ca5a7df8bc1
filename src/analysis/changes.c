/*
 * Which bytes behind a parameter does a function change?  See changes.h.
 *
 * Callees first; in a circle of calls until nothing is new.  Behind parameters and behind pointers
 * that lie there, no farther: what is behind those is found at run time, if somebody asks
 * (runtime/copies.h).
 */
#include "analysis/changes.h"

#include <stdlib.h>

/* Takes a change of a function that one of its instructions makes; is it new? */
typedef bool changes_visit(void *data, function_id function, const struct change_place *one);

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

static bool add_place(void *data, function_id function, const struct change_place *one) {
    struct changes *changes = data;
    if (one->memory != NO_ID)
        return add_variable(changes, function, (struct variable_change){one->memory, one->bytes});
    if (one->field != CHANGE_NO_FIELD)
        return add_field(changes, function,
                         (struct field_change){one->argument, one->field, one->bytes});
    return add(list_of(changes, function, one->argument), one->bytes);
}

/* --- what one instruction changes -------------------------------------------------------- */

struct visitor {
    const struct changes *changes;
    changes_visit *visit;
    void *data;
};

static bool visit(const struct visitor *visitor, function_id function, struct change_place one) {
    return visitor->visit(visitor->data, function, &one);
}

static struct change_place behind_parameter(uint32_t argument, struct change bytes) {
    return (struct change_place){argument, CHANGE_NO_FIELD, NO_ID, bytes};
}

static struct change_place behind_field(struct field_root field, struct change bytes) {
    return (struct change_place){field.argument, field.field, NO_ID, moved(bytes, field.behind)};
}

/* A write that goes by no parameter: to a variable, or behind a pointer. */
static void elsewhere(const struct visitor *visitor, function_id function,
                      const struct memory_effect *effect, struct change bytes) {
    const struct program *program = visitor->changes->program;
    int64_t offset = 0;
    value_id base = program_strip_offsets(program, effect->address, &offset);
    if (program->values.data[base].kind == VALUE_GLOBAL) {
        struct root root = {.offset = (int32_t)offset,
                            .is_moved = offset < 0 || offset > CHANGE_HIGH};
        visit(visitor, function,
              (struct change_place){NO_ID, CHANGE_NO_FIELD, program->values.data[base].definition,
                                    moved(bytes, root)});
        return;
    }
    struct field_root field = field_root(visitor->changes, effect->address);
    if (field.argument != NO_ID)
        visit(visitor, function, behind_field(field, bytes));
}

static struct change bytes_of(const struct memory_effect *effect) {
    return effect->size ? (struct change){0, (int32_t)effect->size}
                        : (struct change){CHANGE_LOW, CHANGE_HIGH};
}

static void own_changes(const struct visitor *visitor, function_id function, instruction_id id) {
    struct effect_list list = effects_of(visitor->changes->effects, id);
    for (uint32_t k = 0; k < list.count; k++) {
        const struct memory_effect *effect = &list.effects[k];
        struct change one = bytes_of(effect);
        if (effect->writes && effect->root.argument != NO_ID)
            visit(visitor, function,
                  behind_parameter(effect->root.argument, moved(one, effect->root)));
        else if (effect->writes && effect->address != NO_ID)
            elsewhere(visitor, function, effect, one);
    }
}

/* What a callee changes behind one of its parameters, for which it is handed a parameter of the
 * caller, or what lies behind a field. */
static bool by_argument(const struct visitor *visitor, function_id caller, value_id value,
                        function_id callee, uint32_t argument) {
    const struct changes *changes = visitor->changes;
    struct root root = effects_root(changes->effects, value);
    const change_vec *below = list_of(changes, callee, argument);
    struct field_root field = {.argument = NO_ID};
    bool is_new = false;
    if (root.argument == NO_ID && below->count)
        field = field_root(changes, value);
    for (size_t i = 0; i < below->count; i++)
        if (root.argument != NO_ID)
            is_new |= visit(visitor, caller,
                            behind_parameter(root.argument, moved(below->data[i], root)));
        else if (field.argument != NO_ID)
            is_new |= visit(visitor, caller, behind_field(field, below->data[i]));
    const field_vec *fields = &changes->fields[callee];
    bool is_plain = root.argument != NO_ID && !root.is_moved && !root.extent;
    for (size_t i = 0; is_plain && i < fields->count; i++)
        if (fields->data[i].argument == argument)
            is_new |=
                visit(visitor, caller,
                      (struct change_place){root.argument, fields->data[i].field + root.offset,
                                            NO_ID, fields->data[i].bytes});
    return is_new;
}

static bool by_call(const struct visitor *visitor, function_id caller, instruction_id call,
                    function_id callee) {
    const struct changes *changes = visitor->changes;
    const struct instruction *at = &changes->program->instructions.data[call];
    uint32_t count = changes->program->functions.data[callee].arguments.count;
    bool is_new = false;
    for (uint32_t a = 0; a < count && a < at->operands.count; a++)
        is_new |= by_argument(visitor, caller,
                              changes->program->operands.data[at->operands.first + a], callee, a);
    const variable_vec *variables = &changes->variables[callee];
    for (size_t i = 0; i < variables->count; i++)
        is_new |= visit(visitor, caller,
                        (struct change_place){NO_ID, CHANGE_NO_FIELD, variables->data[i].memory,
                                              variables->data[i].bytes});
    return is_new;
}

/* --- all functions ------------------------------------------------------------------------ */

static void by_itself(struct changes *changes, function_id function) {
    const struct visitor visitor = {changes, add_place, changes};
    struct range instructions = changes->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        own_changes(&visitor, function, instructions.first + i);
        struct effect_list list = effects_of(changes->effects, instructions.first + i);
        for (uint32_t k = 0; k < list.count; k++) {
            struct root root = list.effects[k].root;
            if (root.argument != NO_ID)
                add(&changes->used[changes->first[function] + root.argument],
                    moved(bytes_of(&list.effects[k]), root));
        }
    }
}

static bool by_calls(struct changes *changes, function_id function) {
    const struct visitor visitor = {changes, add_place, changes};
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
            is_new |= by_call(&visitor, function, id, callees[k]);
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

/* --- where ------------------------------------------------------------------------------- */

struct question {
    const struct change_place *place;
    bool is_changed;
};

static bool meets(struct change one, struct change other) {
    return one.low < other.high && other.low < one.high;
}

/* Is it the place, or the pointer that leads there? */
static bool compare(void *data, function_id function, const struct change_place *one) {
    (void)function;
    struct question *question = data;
    const struct change_place *place = question->place;
    struct change pointer = {place->field, place->field + (int32_t)sizeof(uint64_t)};
    if (one->memory != NO_ID || place->memory != NO_ID)
        question->is_changed |= one->memory == place->memory && meets(one->bytes, place->bytes);
    else if (one->argument == place->argument && one->field == place->field)
        question->is_changed |= meets(one->bytes, place->bytes);
    else if (one->argument == place->argument && one->field == CHANGE_NO_FIELD)
        question->is_changed |= meets(one->bytes, pointer);
    return false;
}

/* A list that is full does not say what else there is. */
static bool is_full(const struct changes *changes, function_id callee) {
    return changes->fields[callee].count == CHANGES_FIELDS_MOST ||
           changes->variables[callee].count == CHANGES_VARIABLES_MOST;
}

bool changes_may(const struct changes *changes, instruction_id id,
                 const struct change_place *place) {
    const struct instruction *at = &changes->program->instructions.data[id];
    function_id function = changes->program->blocks.data[at->block].function;
    struct question question = {.place = place};
    const struct visitor visitor = {changes, compare, &question};
    own_changes(&visitor, function, id);
    uint32_t count;
    const function_id *callees = effects_callees(changes->effects, id, &count);
    if (count && !effects_is_direct(changes->effects, id))
        return true;
    for (uint32_t k = 0; k < count && !question.is_changed; k++) {
        question.is_changed |= is_full(changes, callees[k]);
        by_call(&visitor, function, id, callees[k]);
    }
    return question.is_changed;
}
