/*
 * Copies of functions in the model of a program; copies.h.
 *
 * Everything that a function owns lies together, or is found by a list that is made once: so what
 * an id of the function is in the copy follows from how far it is from the first one.
 *
 * Cost: what is copied; at the beginning and at the end, one pass over the program.
 */
#include "program/copies.h"

#include "program/model.h"

typedef VEC(uint32_t) id_list;

/* What functions own, as ranges of one pool of ids, each ascending. */
struct owned {
    VEC(struct range) of; /* by function */
    id_list pool;
};

struct copies {
    struct program *program;
    struct owned memory, variables;
    VEC(bool) is_fixed; /* by function: the address of a label in it is known elsewhere */
};

/* One function on its way. */
struct copying {
    struct program *program;
    function_id from, to;
    const uint32_t *memory, *variables; /* what the function owns */
    struct range memory_range, variable_range;
    uint32_t first_memory, first_variable; /* of the copy */
};

struct ownership {
    function_id owner;
    uint32_t owned;
};

typedef VEC(struct ownership) ownerships;

/* From pairs with what is owned ascending. */
static void owned_init(struct owned *owned, size_t functions, const ownerships *pairs) {
    for (size_t f = 0; f < functions; f++)
        VEC_PUSH(&owned->of, (struct range){0, 0});
    for (size_t i = 0; i < pairs->count; i++)
        owned->of.data[pairs->data[i].owner].count++;
    uint32_t first = 0;
    for (size_t f = 0; f < functions; f++) {
        owned->of.data[f].first = first;
        first += owned->of.data[f].count;
        owned->of.data[f].count = 0;
    }
    for (size_t i = 0; i < pairs->count; i++)
        VEC_PUSH(&owned->pool, NO_ID);
    for (size_t i = 0; i < pairs->count; i++) {
        struct range *of = &owned->of.data[pairs->data[i].owner];
        owned->pool.data[of->first + of->count++] = pairs->data[i].owned;
    }
}

static void owned_deinit(struct owned *owned) {
    VEC_DEINIT(&owned->of);
    VEC_DEINIT(&owned->pool);
}

static struct range owned_add(struct owned *owned, uint32_t first, uint32_t count) {
    struct range range = {(uint32_t)owned->pool.count, count};
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&owned->pool, first + i);
    return range;
}

/* The functions that a variable has places in: several if its own was inlined. */
static void find_owners(const struct program *program, variable_id id, ownerships *ret) {
    const struct variable *variable = &program->variables.data[id];
    function_id last = NO_ID;
    if (variable->is_global)
        return;
    if (!variable->places.count && variable->memory != NO_ID &&
        program->memory.data[variable->memory].function != NO_ID)
        VEC_PUSH(ret, (struct ownership){program->memory.data[variable->memory].function, id});
    for (uint32_t i = 0; i < variable->places.count; i++) {
        const struct place *place = &program->places.data[variable->places.first + i];
        function_id function = program_function_of(program, place->instruction);
        if (function != last)
            VEC_PUSH(ret, (struct ownership){function, id});
        last = function;
    }
}

static void find_owned(struct copies *copies) {
    const struct program *program = copies->program;
    ownerships memory = {0}, variables = {0};
    for (memory_id m = 0; m < program->memory.count; m++)
        if (program->memory.data[m].function != NO_ID)
            VEC_PUSH(&memory, (struct ownership){program->memory.data[m].function, m});
    for (variable_id v = 0; v < program->variables.count; v++)
        find_owners(program, v, &variables);
    owned_init(&copies->memory, program->functions.count, &memory);
    owned_init(&copies->variables, program->functions.count, &variables);
    VEC_DEINIT(&memory);
    VEC_DEINIT(&variables);
}

struct copies *copies_begin(struct program *program) {
    struct copies *copies = mem_zalloc(1, sizeof *copies);
    copies->program = program;
    find_owned(copies);
    for (function_id f = 0; f < program->functions.count; f++)
        VEC_PUSH(&copies->is_fixed, false);
    for (value_id v = 0; v < program->values.count; v++) {
        const struct value *value = &program->values.data[v];
        if (value->kind == VALUE_BLOCK_ADDRESS)
            copies->is_fixed.data[program->blocks.data[value->definition].function] = true;
    }
    return copies;
}

void copies_end(struct copies *copies) {
    copies->program->lines.count = copies->program->line_instructions.count = 0;
    model_lines(copies->program);
    owned_deinit(&copies->memory);
    owned_deinit(&copies->variables);
    VEC_DEINIT(&copies->is_fixed);
    free(copies);
}

bool copies_can_add(const struct copies *copies, function_id function) {
    return copies->program->functions.data[function].flags & FUNCTION_DEFINED &&
           !copies->is_fixed.data[function];
}

void copies_enter(struct copies *copies, instruction_id call, function_id callee) {
    struct function *function = &copies->program->functions.data[callee];
    copies->program->instructions.data[call].called = function->value;
    copies->program->instructions.data[call].callee = callee;
    function->flags |= FUNCTION_CALLED;
}

void copies_pass(struct copies *copies, instruction_id call, uint32_t argument,
                 function_id function) {
    struct program *program = copies->program;
    uint32_t operand = program->instructions.data[call].operands.first + argument;
    program->operands.data[operand] = program->functions.data[function].value;
    program->functions.data[function].flags |= FUNCTION_ADDRESS_TAKEN;
}

/* What ids of the function are in the copy. */

static uint32_t map_owned(const uint32_t *owned, uint32_t count, uint32_t first, uint32_t id) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (owned[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && owned[low] == id ? first + low : id;
}

static memory_id map_memory(const struct copying *at, memory_id id) {
    return map_owned(at->memory, at->memory_range.count, at->first_memory, id);
}

static variable_id map_variable(const struct copying *at, variable_id id) {
    return map_owned(at->variables, at->variable_range.count, at->first_variable, id);
}

static instruction_id map_instruction(const struct copying *at, instruction_id id) {
    const struct function *from = &at->program->functions.data[at->from];
    if (id == NO_ID || id - from->instructions.first >= from->instructions.count)
        return id;
    return at->program->functions.data[at->to].instructions.first + id - from->instructions.first;
}

static block_id map_block(const struct copying *at, block_id id) {
    return at->program->functions.data[at->to].blocks.first + id -
           at->program->functions.data[at->from].blocks.first;
}

/* Of what instructions compute: what is constant is the same in both. */
static value_id map_value(const struct copying *at, value_id id) {
    if (id == NO_ID)
        return id;
    const struct value *value = &at->program->values.data[id];
    if (value->kind == VALUE_ARGUMENT)
        return at->program->functions.data[at->to].arguments.first + (uint32_t)value->number;
    if (value->kind == VALUE_INSTRUCTION)
        return at->program->instructions.data[map_instruction(at, value->definition)].result;
    return id;
}

static struct range copy_operands(const struct copying *at, struct range range) {
    struct program *program = at->program;
    struct range copy = {(uint32_t)program->operands.count, range.count};
    for (uint32_t i = 0; i < range.count; i++) {
        value_id value = map_value(at, program->operands.data[range.first + i]);
        VEC_PUSH(&program->operands, value);
    }
    return copy;
}

static struct range copy_edges(const struct copying *at, struct range range) {
    struct program *program = at->program;
    struct range copy = {(uint32_t)program->edges.count, range.count};
    for (uint32_t i = 0; i < range.count; i++) {
        block_id block = map_block(at, program->edges.data[range.first + i]);
        VEC_PUSH(&program->edges, block);
    }
    return copy;
}

static struct range copy_steps(const struct copying *at, struct range range) {
    struct program *program = at->program;
    struct range copy = {(uint32_t)program->steps.count, range.count};
    for (uint32_t i = 0; i < range.count; i++) {
        struct step step = program->steps.data[range.first + i];
        step.index = map_value(at, step.index);
        VEC_PUSH(&program->steps, step);
    }
    return copy;
}

/* Blocks, instructions and values get their numbers first, so that all of them can be named. */

static value_id add_value(struct program *program, value_id like, uint32_t definition) {
    struct value value = program->values.data[like];
    value.definition = definition;
    VEC_PUSH(&program->values, value);
    return (value_id)program->values.count - 1;
}

static void number_code(struct copying *at) {
    struct program *program = at->program;
    const struct function from = program->functions.data[at->from];
    struct function *to = &program->functions.data[at->to];
    to->value = add_value(program, from.value, at->to);
    to->arguments.first = (uint32_t)program->values.count;
    for (uint32_t i = 0; i < from.arguments.count; i++)
        add_value(program, from.arguments.first + i, at->to);
    to->blocks.first = (uint32_t)program->blocks.count;
    for (uint32_t i = 0; i < from.blocks.count; i++) {
        struct block block = program->blocks.data[from.blocks.first + i];
        VEC_PUSH(&program->blocks, block);
    }
    to->instructions.first = (uint32_t)program->instructions.count;
    for (uint32_t i = 0; i < from.instructions.count; i++) {
        struct instruction instruction = program->instructions.data[from.instructions.first + i];
        if (instruction.result != NO_ID)
            instruction.result = add_value(program, instruction.result, to->instructions.first + i);
        VEC_PUSH(&program->instructions, instruction);
    }
}

static void fill_block(const struct copying *at, block_id id) {
    struct block block = at->program->blocks.data[id];
    block.function = at->to;
    block.instructions.first = map_instruction(at, block.instructions.first);
    block.successors = copy_edges(at, block.successors);
    block.predecessors = copy_edges(at, block.predecessors);
    at->program->blocks.data[id] = block;
}

static void fill_instruction(const struct copying *at, instruction_id id) {
    struct instruction instruction = at->program->instructions.data[id];
    instruction.block = map_block(at, instruction.block);
    instruction.operands = copy_operands(at, instruction.operands);
    instruction.object = map_memory(at, instruction.object);
    instruction.read_at = map_value(at, instruction.read_at);
    instruction.written_at = map_value(at, instruction.written_at);
    if (instruction.flags & INSTRUCTION_CALL)
        instruction.called = map_value(at, instruction.called);
    else if (instruction.opcode == OP_GEP)
        instruction.steps = copy_steps(at, instruction.steps);
    else if (instruction.opcode == OP_PHI)
        instruction.blocks = copy_edges(at, instruction.blocks);
    at->program->instructions.data[id] = instruction;
}

static void copy_memory(struct copying *at) {
    struct program *program = at->program;
    for (uint32_t i = 0; i < at->memory_range.count; i++) {
        struct memory memory = program->memory.data[at->memory[i]];
        memory.value = map_value(at, memory.value);
        memory.function = at->to;
        memory.site = map_instruction(at, memory.site);
        memory.variable = map_variable(at, memory.variable);
        VEC_PUSH(&program->memory, memory);
    }
}

static struct range copy_places(const struct copying *at, struct range range, variable_id owner) {
    struct program *program = at->program;
    struct range copy = {(uint32_t)program->places.count, 0};
    for (uint32_t i = 0; i < range.count; i++) {
        struct place place = program->places.data[range.first + i];
        if (program_function_of(program, place.instruction) != at->from)
            continue;
        copy.count++;
        place.variable = owner;
        place.instruction = map_instruction(at, place.instruction);
        place.value = map_value(at, place.value);
        place.memory = map_memory(at, place.memory);
        VEC_PUSH(&program->places, place);
    }
    return copy;
}

static void copy_variables(struct copying *at) {
    struct program *program = at->program;
    for (uint32_t i = 0; i < at->variable_range.count; i++) {
        variable_id original = at->variables[i], id = (variable_id)program->variables.count;
        struct variable variable = program->variables.data[original];
        variable.memory = map_memory(at, variable.memory);
        variable.places = copy_places(at, variable.places, id);
        if (variable.copy_of == NO_ID)
            variable.copy_of = original;
        VEC_PUSH(&program->variables, variable);
    }
}

static void fill(struct copying *at) {
    struct program *program = at->program;
    const struct function to = program->functions.data[at->to];
    for (uint32_t i = 0; i < to.blocks.count; i++)
        fill_block(at, to.blocks.first + i);
    for (uint32_t i = 0; i < to.instructions.count; i++) {
        fill_instruction(at, to.instructions.first + i);
        value_id result = program->instructions.data[to.instructions.first + i].result;
        if (result != NO_ID)
            program->values.data[result].variable =
                map_variable(at, program->values.data[result].variable);
    }
    for (uint32_t i = 0; i < to.arguments.count; i++) {
        struct value *argument = &program->values.data[to.arguments.first + i];
        argument->variable = map_variable(at, argument->variable);
    }
    copy_memory(at);
    copy_variables(at);
}

function_id copies_add(struct copies *copies, function_id id) {
    struct program *program = copies->program;
    struct function copy = program->functions.data[id];
    if (copy.copy_of == NO_ID)
        copy.copy_of = id;
    copy.flags &= ~(uint32_t)(FUNCTION_ADDRESS_TAKEN | FUNCTION_VISIBLE | FUNCTION_CALLED);
    copy.address = 0;
    VEC_PUSH(&program->functions, copy);
    struct copying at = {
        .program = program,
        .from = id,
        .to = (function_id)program->functions.count - 1,
        .memory_range = copies->memory.of.data[id],
        .variable_range = copies->variables.of.data[id],
        .first_memory = (uint32_t)program->memory.count,
        .first_variable = (uint32_t)program->variables.count,
    };
    at.memory = copies->memory.pool.data + at.memory_range.first;
    at.variables = copies->variables.pool.data + at.variable_range.first;
    number_code(&at);
    fill(&at);
    struct function *to = &program->functions.data[at.to];
    to->frame_base = map_value(&at, to->frame_base);
    to->slots.first = to->slots.count ? map_memory(&at, to->slots.first) : 0;
    to->variables = (struct range){at.first_variable, at.variable_range.count};
    struct range memory = owned_add(&copies->memory, at.first_memory, at.memory_range.count);
    VEC_PUSH(&copies->memory.of, memory);
    struct range variables =
        owned_add(&copies->variables, at.first_variable, at.variable_range.count);
    VEC_PUSH(&copies->variables.of, variables);
    VEC_PUSH(&copies->is_fixed, false);
    return at.to;
}

instruction_id copies_instruction(const struct program *program, function_id copy,
                                  instruction_id original) {
    const struct function *of = &program->functions.data[copy];
    return of->instructions.first + original -
           program->functions.data[of->copy_of].instructions.first;
}

variable_id copies_variable(const struct program *program, function_id copy, variable_id original) {
    struct range own = program->functions.data[copy].variables;
    for (uint32_t i = 0; i < own.count; i++)
        if (program->variables.data[own.first + i].copy_of == original)
            return own.first + i;
    return original;
}
