/*
 * Is a program model consistent?
 *
 * Every id is in range and every range in its pool; blocks and instructions
 * divide their functions without gaps; edges lead both ways within a function;
 * operands are of the same function and are computed before they are used, on
 * every way (dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm", 2001); memory accesses have addresses of pointer type.  Linear but
 * for the dominators, which take few rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error_in(error_new(ERROR_BUG, __VA_ARGS__), "the program model is wrong (%s)",  \
                            #condition);                                                           \
    } while (0)

static bool in_pool(struct range range, size_t count) {
    return range.count == 0 || (range.first < count && range.count <= count - range.first);
}

static bool is_id(uint32_t id, size_t count) { return id == NO_ID || id < count; }

static struct error *check_pools(const struct program *program) {
    for (size_t i = 0; i < program->operands.count; i++)
        CHECK(program->operands.data[i] < program->values.count, "operand %zu", i);
    for (size_t i = 0; i < program->edges.count; i++)
        CHECK(program->edges.data[i] < program->blocks.count, "edge %zu", i);
    for (size_t i = 0; i < program->type_members.count; i++)
        CHECK(program->type_members.data[i] < program->types.count, "member of type %zu", i);
    for (size_t i = 0; i < program->initial_pointers.count; i++)
        CHECK(program->initial_pointers.data[i].value < program->values.count, "pointer %zu", i);
    for (size_t i = 0; i < program->fields.count; i++)
        CHECK(is_id(program->fields.data[i].type, program->source_types.count), "field %zu", i);
    for (size_t i = 0; i < program->steps.count; i++)
        CHECK(program->steps.data[i].container < program->types.count &&
                  program->steps.data[i].index < program->values.count,
              "step %zu", i);
    return NULL;
}

static struct error *check_values(const struct program *program) {
    for (size_t i = 0; i < program->values.count; i++) {
        const struct value *value = &program->values.data[i];
        size_t limit = value->kind == VALUE_FUNCTION || value->kind == VALUE_ARGUMENT
                           ? program->functions.count
                       : value->kind == VALUE_GLOBAL        ? program->memory.count
                       : value->kind == VALUE_INSTRUCTION   ? program->instructions.count
                       : value->kind == VALUE_BLOCK_ADDRESS ? program->blocks.count
                                                            : 0;
        CHECK(value->kind < VALUE_KIND_COUNT, "value %zu", i);
        CHECK(value->type < program->types.count, "value %zu", i);
        CHECK(limit ? value->definition < limit : value->definition == NO_ID, "value %zu", i);
        CHECK(in_pool(value->operands, program->operands.count), "value %zu", i);
        CHECK(is_id(value->variable, program->variables.count), "value %zu", i);
        if (value->kind == VALUE_INSTRUCTION)
            CHECK(program->instructions.data[value->definition].result == i, "value %zu", i);
        if (value->kind == VALUE_ARGUMENT)
            CHECK(program->functions.data[value->definition].arguments.first + value->number == i,
                  "value %zu", i);
    }
    return NULL;
}

static struct error *check_memory(const struct program *program) {
    for (size_t i = 0; i < program->memory.count; i++) {
        const struct memory *memory = &program->memory.data[i];
        CHECK(memory->kind < MEMORY_KIND_COUNT, "memory %zu", i);
        CHECK(is_id(memory->type, program->types.count), "memory %zu", i);
        CHECK(is_id(memory->value, program->values.count), "memory %zu", i);
        CHECK(is_id(memory->initial, program->values.count), "memory %zu", i);
        CHECK(is_id(memory->function, program->functions.count), "memory %zu", i);
        CHECK(is_id(memory->site, program->instructions.count), "memory %zu", i);
        CHECK(is_id(memory->variable, program->variables.count), "memory %zu", i);
        CHECK(in_pool(memory->pointers, program->initial_pointers.count), "memory %zu", i);
        if (memory->site != NO_ID && memory->value != NO_ID)
            CHECK(program->instructions.data[memory->site].object == i, "memory %zu", i);
        if (memory->kind == MEMORY_SLOT)
            CHECK(memory->offset >= 0 && (uint64_t)memory->offset + memory->size <=
                                             program->functions.data[memory->function].frame_size,
                  "slot %zu", i);
        if (memory->kind == MEMORY_GLOBAL)
            for (uint32_t n = 0; n < memory->pointers.count; n++)
                CHECK(program->initial_pointers.data[memory->pointers.first + n].offset <
                          memory->size,
                      "memory %zu", i);
    }
    return NULL;
}

static struct error *check_types(const struct program *program) {
    for (size_t i = 0; i < program->types.count; i++) {
        const struct type *type = &program->types.data[i];
        CHECK(type->kind < TYPE_KIND_COUNT && is_id(type->source, program->source_types.count),
              "type %zu", i);
        CHECK(type->element == NO_ID || type->element < i, "type %zu", i);
        CHECK(in_pool(type->members, program->type_members.count), "type %zu", i);
    }
    for (size_t i = 0; i < program->source_types.count; i++) {
        const struct source_type *type = &program->source_types.data[i];
        CHECK(type->kind < SOURCE_TYPE_KIND_COUNT && is_id(type->file, program->files.count),
              "source type %zu", i);
        CHECK(is_id(type->target, program->source_types.count), "source type %zu", i);
        CHECK(in_pool(type->fields, program->fields.count), "source type %zu", i);
        for (uint32_t n = 0; n < type->fields.count && type->kind == SOURCE_STRUCT; n++) {
            const struct field *field = &program->fields.data[type->fields.first + n];
            CHECK(field->bit_offset + field->bit_size <= type->size * 8, "field %s of struct %s",
                  field->name ? field->name : "", type->name ? type->name : "");
        }
    }
    return NULL;
}

static struct error *check_source(const struct program *program) {
    for (size_t i = 0; i < program->scopes.count; i++) {
        const struct scope *scope = &program->scopes.data[i];
        CHECK(scope->parent == NO_ID || scope->parent < i, "scope %zu", i);
        CHECK(is_id(scope->file, program->files.count), "scope %zu", i);
        CHECK(is_id(scope->function, program->functions.count), "scope %zu", i);
    }
    for (size_t i = 0; i < program->locations.count; i++) {
        const struct location *location = &program->locations.data[i];
        CHECK(location->scope < program->scopes.count, "location %zu", i);
        CHECK(is_id(location->file, program->files.count), "location %zu", i);
        CHECK(location->inlined_at == NO_ID || location->inlined_at < i, "location %zu", i);
    }
    for (size_t i = 0; i < program->lines.count; i++)
        CHECK(in_pool(program->lines.data[i].instructions, program->line_instructions.count),
              "line %zu", i);
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        CHECK(is_id(variable->type, program->source_types.count), "variable %zu", i);
        CHECK(is_id(variable->scope, program->scopes.count), "variable %zu", i);
        CHECK(is_id(variable->file, program->files.count), "variable %zu", i);
        CHECK(is_id(variable->memory, program->memory.count), "variable %zu", i);
        CHECK(in_pool(variable->places, program->places.count), "variable %zu", i);
    }
    for (size_t i = 0; i < program->places.count; i++) {
        const struct place *place = &program->places.data[i];
        CHECK(place->variable < program->variables.count, "place %zu", i);
        CHECK(place->instruction < program->instructions.count, "place %zu", i);
        CHECK(is_id(place->inlined_at, program->locations.count), "place %zu", i);
        CHECK(is_id(place->value, program->values.count), "place %zu", i);
        CHECK(is_id(place->memory, program->memory.count), "place %zu", i);
    }
    return NULL;
}

static bool has_edge(const struct program *program, struct range edges, block_id to) {
    for (uint32_t i = 0; i < edges.count; i++)
        if (program->edges.data[edges.first + i] == to)
            return true;
    return false;
}

static struct error *check_block(const struct program *program, block_id id) {
    const struct block *block = &program->blocks.data[id];
    CHECK(block->instructions.count > 0, "block %u", id);
    CHECK(in_pool(block->instructions, program->instructions.count), "block %u", id);
    CHECK(in_pool(block->successors, program->edges.count), "block %u", id);
    CHECK(in_pool(block->predecessors, program->edges.count), "block %u", id);
    for (uint32_t i = 0; i < block->instructions.count; i++) {
        const struct instruction *instruction =
            &program->instructions.data[block->instructions.first + i];
        bool is_last = i + 1 == block->instructions.count;
        CHECK(instruction->block == id, "block %u", id);
        CHECK(((instruction->flags & INSTRUCTION_TERMINATOR) != 0) == is_last, "block %u", id);
    }
    for (uint32_t i = 0; i < block->successors.count; i++) {
        block_id to = program->edges.data[block->successors.first + i];
        CHECK(program->blocks.data[to].function == block->function, "block %u to %u", id, to);
        CHECK(has_edge(program, program->blocks.data[to].predecessors, id), "block %u to %u", id,
              to);
    }
    for (uint32_t i = 0; i < block->predecessors.count; i++) {
        block_id from = program->edges.data[block->predecessors.first + i];
        CHECK(has_edge(program, program->blocks.data[from].successors, id), "block %u from %u", id,
              from);
    }
    return NULL;
}

static struct error *check_instruction(const struct program *program, instruction_id id) {
    const struct instruction *instruction = &program->instructions.data[id];
    CHECK(instruction->opcode < OPCODE_COUNT && instruction->intrinsic < INTRINSIC_COUNT,
          "instruction %u", id);
    CHECK(instruction->type < program->types.count, "instruction %u", id);
    CHECK(is_id(instruction->result, program->values.count), "instruction %u", id);
    CHECK((instruction->result == NO_ID) ==
              (program->types.data[instruction->type].kind == TYPE_VOID),
          "instruction %u", id);
    CHECK(in_pool(instruction->operands, program->operands.count), "instruction %u", id);
    CHECK(is_id(instruction->location, program->locations.count), "instruction %u", id);
    CHECK(is_id(instruction->object, program->memory.count), "instruction %u", id);
    value_id addresses[] = {instruction->read_at, instruction->written_at};
    for (int i = 0; i < 2; i++) {
        CHECK(is_id(addresses[i], program->values.count), "instruction %u", id);
        if (addresses[i] != NO_ID) {
            const struct type *type = &program->types.data[program->values.data[addresses[i]].type];
            CHECK(type->kind == TYPE_POINTER || type->kind == TYPE_VECTOR, "instruction %u", id);
        }
    }
    if (instruction->opcode == OP_PHI)
        CHECK(instruction->blocks.count == instruction->operands.count, "instruction %u", id);
    if (instruction->flags & INSTRUCTION_CALL)
        CHECK(instruction->called < program->values.count &&
                  is_id(instruction->callee, program->functions.count),
              "instruction %u", id);
    if (instruction->opcode == OP_GEP)
        CHECK(instruction->steps.count + 1 == instruction->operands.count, "instruction %u", id);
    return NULL;
}

/* Immediate dominators of a function's blocks, counted from its first. */
struct dominators {
    uint32_t first, count;
    uint32_t *order; /* reverse postorder: blocks that can be reached */
    uint32_t reached;
    uint32_t *number; /* place in the order, NO_ID if it cannot be reached */
    uint32_t *parent; /* immediate dominator */
};

static void dominators_deinit(struct dominators *d) {
    free(d->order);
    free(d->number);
    free(d->parent);
}

static void find_order(const struct program *program, struct dominators *d) {
    uint32_t *stack CLEANUP_FREE = mem_zalloc(d->count, sizeof *stack);
    uint32_t *next CLEANUP_FREE = mem_zalloc(d->count, sizeof *next);
    uint32_t depth = 0, place = d->count;
    stack[depth++] = 0;
    d->number[0] = 0;
    while (depth) {
        uint32_t at = stack[depth - 1];
        struct range edges = program->blocks.data[d->first + at].successors;
        if (next[at] == edges.count) {
            d->order[--place] = at;
            depth--;
            continue;
        }
        uint32_t to = program->edges.data[edges.first + next[at]++] - d->first;
        if (d->number[to] == NO_ID) {
            d->number[to] = 0;
            stack[depth++] = to;
        }
    }
    d->reached = d->count - place;
    memmove(d->order, d->order + place, d->reached * sizeof *d->order);
    for (uint32_t i = 0; i < d->reached; i++)
        d->number[d->order[i]] = i;
}

static uint32_t meet(const struct dominators *d, uint32_t a, uint32_t b) {
    while (a != b) {
        while (d->number[a] > d->number[b])
            a = d->parent[a];
        while (d->number[b] > d->number[a])
            b = d->parent[b];
    }
    return a;
}

static void dominators_init(struct dominators *d, const struct program *program,
                            struct range blocks) {
    *d = (struct dominators){.first = blocks.first, .count = blocks.count};
    d->order = mem_zalloc(d->count, sizeof *d->order);
    d->number = mem_alloc(d->count * sizeof *d->number);
    d->parent = mem_alloc(d->count * sizeof *d->parent);
    memset(d->number, 0xff, d->count * sizeof *d->number);
    memset(d->parent, 0xff, d->count * sizeof *d->parent);
    find_order(program, d);
    d->parent[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < d->reached; i++) {
            uint32_t at = d->order[i], best = NO_ID;
            struct range edges = program->blocks.data[d->first + at].predecessors;
            for (uint32_t n = 0; n < edges.count; n++) {
                uint32_t from = program->edges.data[edges.first + n] - d->first;
                if (d->number[from] == NO_ID || d->parent[from] == NO_ID)
                    continue;
                best = best == NO_ID ? from : meet(d, best, from);
            }
            changed |= d->parent[at] != best;
            d->parent[at] = best;
        }
    }
}

static bool dominates(const struct dominators *d, uint32_t a, uint32_t b) {
    if (d->number[b] == NO_ID)
        return true;
    while (d->number[b] > d->number[a])
        b = d->parent[b];
    return a == b;
}

static struct error *check_operand(const struct program *program, const struct dominators *d,
                                   instruction_id user, uint32_t index) {
    const struct instruction *instruction = &program->instructions.data[user];
    const struct value *value =
        &program->values.data[program->operands.data[instruction->operands.first + index]];
    function_id function = program->blocks.data[instruction->block].function;
    if (value->kind == VALUE_ARGUMENT)
        CHECK(value->definition == function, "operand %u of instruction %u", index, user);
    if (value->kind != VALUE_INSTRUCTION)
        return NULL;
    block_id made = program->instructions.data[value->definition].block;
    CHECK(program->blocks.data[made].function == function, "operand %u of instruction %u", index,
          user);
    if (instruction->opcode == OP_PHI) {
        block_id from = program->edges.data[instruction->blocks.first + index];
        CHECK(dominates(d, made - d->first, from - d->first), "operand %u of instruction %u", index,
              user);
    } else if (made == instruction->block) {
        CHECK(value->definition < user || d->number[made - d->first] == NO_ID,
              "operand %u of instruction %u", index, user);
    } else {
        CHECK(dominates(d, made - d->first, instruction->block - d->first),
              "operand %u of instruction %u", index, user);
    }
    return NULL;
}

static struct error *check_body(const struct program *program, const struct function *function) {
    uint32_t expected = function->instructions.first;
    for (uint32_t i = 0; i < function->blocks.count; i++) {
        struct error *err = check_block(program, function->blocks.first + i);
        if (err)
            return err;
        CHECK(program->blocks.data[function->blocks.first + i].instructions.first == expected,
              "function %s", function->name);
        expected += program->blocks.data[function->blocks.first + i].instructions.count;
    }
    CHECK(expected == function->instructions.first + function->instructions.count, "function %s",
          function->name);
    struct dominators dominators;
    dominators_init(&dominators, program, function->blocks);
    struct error *err = NULL;
    for (uint32_t i = 0; i < function->instructions.count && !err; i++) {
        instruction_id id = function->instructions.first + i;
        err = check_instruction(program, id);
        for (uint32_t n = 0; !err && n < program->instructions.data[id].operands.count; n++)
            err = check_operand(program, &dominators, id, n);
    }
    dominators_deinit(&dominators);
    return err;
}

static struct error *check_functions(const struct program *program) {
    for (uint32_t i = 0; i < program->functions.count; i++) {
        const struct function *function = &program->functions.data[i];
        CHECK(function->value < program->values.count &&
                  program->values.data[function->value].definition == i,
              "function %u", i);
        CHECK(program->types.data[function->type].kind == TYPE_FUNCTION, "function %u", i);
        CHECK(program->types.data[function->type].members.count == function->arguments.count,
              "function %u", i);
        CHECK(is_id(function->file, program->files.count), "function %u", i);
        CHECK(is_id(function->source_type, program->source_types.count), "function %u", i);
        CHECK(is_id(function->scope, program->scopes.count), "function %u", i);
        CHECK(is_id(function->frame_base, program->values.count), "function %u", i);
        CHECK(in_pool(function->blocks, program->blocks.count), "function %u", i);
        CHECK(in_pool(function->slots, program->memory.count), "function %u", i);
        CHECK(((function->flags & FUNCTION_DEFINED) != 0) == (function->blocks.count > 0),
              "function %u", i);
        struct error *err = function->blocks.count ? check_body(program, function) : NULL;
        if (err)
            return error_in(err, "%s", function->name);
    }
    return NULL;
}

struct error *program_check(const struct program *program) {
    static struct error *(*const checks[])(const struct program *) = {
        check_pools, check_values, check_memory, check_types, check_source, check_functions,
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct error *err = checks[i](program);
        if (err)
            return err;
    }
    return NULL;
}
