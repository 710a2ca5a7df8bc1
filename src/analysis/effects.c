/*
 * Effects of instructions: accesses by their addresses, external calls by their
 * models (effects_external.c); effects.h.
 *
 * Cost: linear in the instructions and the sizes of distinct points-to sets.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/effects_impl.h"
#include "analysis/threads.h"

static const struct instruction *definition(const struct program *program, value_id value) {
    return program->values.data[value].kind == VALUE_INSTRUCTION
               ? &program->instructions.data[program->values.data[value].definition]
               : NULL;
}

/* Bytes from the first element to the last one that the indices of a gep may choose, in arrays
 * whose lengths are known; -1 if it may go anywhere. */
static int64_t extent_of(const struct program *program, const struct instruction *gep) {
    enum { SHORTEST_ARRAY = 2 }; /* what ends a struct may be longer than it says */
    int64_t extent = 0;
    for (uint32_t i = 0; i < gep->steps.count; i++) {
        const struct step *step = &program->steps.data[gep->steps.first + i];
        if (step->is_constant)
            continue;
        uint64_t length = i ? program->types.data[step->container].length : 0;
        if (length < SHORTEST_ARRAY || length > ROOT_HIGH || step->stride > ROOT_HIGH)
            return -1;
        extent += (int64_t)((length - 1) * step->stride);
    }
    return extent;
}

struct root effects_root(const struct effects *effects, value_id value) {
    const struct program *program = effects->program;
    struct root none = {.argument = NO_ID}, root = none;
    int64_t offset = 0, extent = 0;
    enum { MOST_STEPS = 64 };
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        value = pta_origin(effects->pta, value);
        if (program->values.data[value].kind == VALUE_ARGUMENT) {
            root.argument = (uint32_t)program->values.data[value].number;
            root.is_moved |= offset < ROOT_LOW || offset + extent >= ROOT_HIGH;
            root.offset = root.is_moved ? 0 : (int32_t)offset;
            root.extent = root.is_moved ? 0 : (int32_t)extent;
            return root;
        }
        const struct instruction *made = definition(program, value);
        if (!made || made->object != NO_ID)
            return none;
        if (made->opcode == OP_GEP) {
            int64_t more = extent_of(program, made);
            root.is_moved |= more < 0 || extent > ROOT_HIGH;
            extent += more;
            offset += made->offset;
        } else if (made->opcode != OP_BITCAST && made->opcode != OP_FREEZE) {
            return none;
        }
        value = program->operands.data[made->operands.first];
    }
    return none;
}

void effects_add(struct effects *effects, uint32_t region, bool writes) {
    if (region != NO_ID)
        VEC_PUSH(&effects->pool, (struct memory_effect){.region = region,
                                                        .writes = writes,
                                                        .root = {.argument = NO_ID},
                                                        .address = NO_ID});
}

void effects_access(struct effects *effects, value_id address, uint64_t size, bool writes) {
    uint32_t region = cells_region(effects->cells, address, 0, size);
    if (region == NO_ID)
        return;
    struct root root = effects_root(effects, address);
    VEC_PUSH(&effects->pool, (struct memory_effect){.region = region,
                                                    .writes = writes,
                                                    .root = root,
                                                    .size = size < ROOT_HIGH ? (uint32_t)size : 0,
                                                    .address = address});
}

/* Structs behind the `...` of a function are copied by the call itself: what it reads. */
static void add_structs(struct effects *effects, instruction_id id) {
    const struct program *program = effects->program;
    const struct instruction *call = &program->instructions.data[id];
    uint32_t count, first = call->operands.count;
    const function_id *callees = pta_callees(effects->pta, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct function *callee =
            callees[i] == NO_ID ? NULL : &program->functions.data[callees[i]];
        if (callee && callee->flags & FUNCTION_DEFINED && callee->flags & FUNCTION_VARIADIC &&
            callee->arguments.count < first)
            first = callee->arguments.count;
    }
    for (uint32_t i = first; i < call->operands.count; i++)
        effects_add(
            effects,
            cells_region_whole(effects->cells, program->operands.data[call->operands.first + i]),
            false);
}

static void of_instruction(struct effects *effects, instruction_id id) {
    const struct instruction *instruction = &effects->program->instructions.data[id];
    if (instruction->flags & INSTRUCTION_SYNTHETIC)
        return;
    if (instruction->read_at != NO_ID)
        effects_access(effects, instruction->read_at, instruction->access_size, false);
    if (instruction->written_at != NO_ID)
        effects_access(effects, instruction->written_at, instruction->access_size, true);
    if (!(instruction->flags & INSTRUCTION_CALL))
        return;
    if (instruction->flags & INSTRUCTION_BY_VALUE)
        add_structs(effects, id);
    uint32_t count;
    const function_id *callees = pta_callees(effects->pta, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] != NO_ID &&
            effects->program->functions.data[callees[i]].flags & FUNCTION_DEFINED)
            VEC_PUSH(&effects->callees, callees[i]);
        else
            effects_external(effects, id, callees[i]);
    if (effects->program->values.data[instruction->called].kind == VALUE_ASSEMBLY)
        for (uint32_t i = 0; i < instruction->operands.count; i++)
            for (int writes = 0; writes < 2; writes++)
                effects_add(effects,
                            cells_region_whole(
                                effects->cells,
                                effects->program->operands.data[instruction->operands.first + i]),
                            writes);
}

/* Calls of functions without a model, and what these may call back. */
static void find_escaped(struct effects *effects) {
    const struct program *program = effects->program;
    enum { MOST_CALLEES = 20000 }; /* each binds all memory that its function uses */
    for (uint32_t i = 0; i < pta_object_count(effects->pta); i++) {
        struct pta_object object = pta_object(effects->pta, i);
        if (object.kind == PTA_FUNCTION && object.flags & PTA_ESCAPED &&
            program->functions.data[object.id].flags & FUNCTION_DEFINED)
            VEC_PUSH(&effects->escaped, object.id);
    }
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = pta_callees(effects->pta, i, &count);
        for (uint32_t k = 0; k < count; k++)
            if (effects_is_unknown(effects, callees[k]))
                bitset_add(&effects->unknown, i);
    }
    effects->are_threads =
        effects->escaped.count * (size_t)bitset_count(&effects->unknown) > MOST_CALLEES;
}

/* What is given to functions that create threads. */
static void find_thread_entries(struct effects *effects) {
    const struct program *program = effects->program;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *call = &program->instructions.data[i];
        if (!(call->flags & INSTRUCTION_CALL) || !threads_is_create(program, effects->pta, i))
            continue;
        for (uint32_t k = 0; k < call->operands.count; k++) {
            struct pta_cursor cursor = {0};
            value_id operand = program->operands.data[call->operands.first + k];
            for (struct pta_target target;
                 pta_points_to(effects->pta, operand, &cursor, &target);) {
                struct pta_object object = pta_object(effects->pta, target.object);
                if (object.kind == PTA_FUNCTION &&
                    program->functions.data[object.id].flags & FUNCTION_DEFINED)
                    VEC_PUSH(&effects->thread_entries, object.id);
            }
        }
    }
}

/* No thread waits for itself. */
static void add_ends(struct effects *effects, instruction_id id) {
    const struct instruction *call = &effects->program->instructions.data[id];
    function_id function = program_function_of(effects->program, id);
    if (!(call->flags & INSTRUCTION_CALL) || !effects->thread_entries.count ||
        !threads_is_join(effects->program, effects->pta, id))
        return;
    for (size_t i = 0; i < effects->thread_entries.count; i++) {
        function_id entry = effects->thread_entries.data[i];
        bool is_known = entry == function;
        for (size_t k = 0; k < i && !is_known; k++)
            is_known = effects->thread_entries.data[k] == entry;
        if (!is_known)
            VEC_PUSH(&effects->callees, entry);
    }
}

/* Says of what a store writes whether that is all of it; once cells are known. */
static void mark_exact(struct effects *effects, instruction_id id) {
    const struct instruction *instruction = &effects->program->instructions.data[id];
    bool is_whole = instruction->opcode == OP_STORE || instruction->opcode == OP_ATOMICRMW ||
                    instruction->intrinsic == INTRINSIC_MEMCPY ||
                    instruction->intrinsic == INTRINSIC_MEMMOVE ||
                    instruction->intrinsic == INTRINSIC_MEMSET;
    for (uint32_t i = effects->first[id]; is_whole && i < effects->first[id + 1]; i++) {
        struct memory_effect *effect = &effects->pool.data[i];
        if (effect->writes)
            effect->is_exact = effect->root.argument != NO_ID
                                   ? !effect->root.is_moved && !effect->root.extent && effect->size
                                   : cells_is_exact(effects->cells, instruction->written_at, 0,
                                                    instruction->access_size,
                                                    program_function_of(effects->program, id));
    }
}

static bool enters_program_only(const struct effects *effects, instruction_id call) {
    uint32_t count;
    const function_id *callees = pta_callees(effects->pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] == NO_ID ||
            !(effects->program->functions.data[callees[i]].flags & FUNCTION_DEFINED))
            return false;
    return true;
}

struct effects *effects_build_uncut(const struct pta *pta) {
    struct effects *effects = mem_zalloc(1, sizeof *effects);
    const struct program *program = pta_program(pta);
    effects->program = program;
    effects->pta = pta;
    effects->cells = cells_new(pta);
    effects->escaped_region = cells_region_flagged(effects->cells, PTA_ESCAPED);
    effects->errno_region = NO_ID;
    for (uint32_t i = 0; i < pta_object_count(pta); i++)
        if (pta_is_errno(pta, i))
            effects->errno_region = cells_region_object(effects->cells, i);
    effects->first = mem_zalloc(program->instructions.count + 1, sizeof *effects->first);
    effects->first_callee =
        mem_zalloc(program->instructions.count + 1, sizeof *effects->first_callee);
    effects->end_callee = mem_zalloc(program->instructions.count + 1, sizeof *effects->end_callee);
    effects->is_direct = mem_zalloc(program->instructions.count + 1, sizeof *effects->is_direct);
    find_thread_entries(effects);
    find_escaped(effects);
    effects_find_streams(effects);
    effects_find_moved(effects);
    effects_find_contexts(effects);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        effects->is_direct[i] = enters_program_only(effects, i);
        of_instruction(effects, i);
        effects->end_callee[i] = (uint32_t)effects->callees.count;
        add_ends(effects, i);
        effects->first[i + 1] = (uint32_t)effects->pool.count;
        effects->first_callee[i + 1] = (uint32_t)effects->callees.count;
    }
    return effects;
}

struct effects *effects_build(const struct pta *pta) {
    struct effects *effects = effects_build_uncut(pta);
    cells_cut(effects->cells);
    for (instruction_id i = 0; i < effects->program->instructions.count; i++)
        mark_exact(effects, i);
    return effects;
}

void effects_free(struct effects *effects) {
    if (!effects)
        return;
    cells_free(effects->cells);
    free(effects->first);
    free(effects->first_callee);
    free(effects->end_callee);
    free(effects->is_direct);
    VEC_DEINIT(&effects->thread_entries);
    VEC_DEINIT(&effects->escaped);
    VEC_DEINIT(&effects->contexts);
    bitset_deinit(&effects->unknown);
    idmap_deinit(&effects->reached);
    VEC_DEINIT(&effects->pool);
    VEC_DEINIT(&effects->callees);
    free(effects);
}

struct effect_list effects_of(const struct effects *effects, instruction_id instruction) {
    uint32_t first = effects->first[instruction];
    uint32_t count = effects->first[instruction + 1] - first;
    return (struct effect_list){count ? effects->pool.data + first : NULL, count};
}

struct cells *effects_cells(const struct effects *effects) { return effects->cells; }

uint32_t effects_errno(const struct effects *effects) { return effects->errno_region; }

const struct pta *effects_pta(const struct effects *effects) { return effects->pta; }

const function_id *effects_callees(const struct effects *effects, instruction_id call,
                                   uint32_t *ret_count) {
    uint32_t first = effects->first_callee[call];
    *ret_count = effects->end_callee[call] - first;
    return *ret_count ? effects->callees.data + first : NULL;
}

bool effects_is_entered_later(const struct effects *effects, function_id function) {
    for (size_t i = 0; i < effects->escaped.count && effects->are_threads; i++)
        if (effects->escaped.data[i] == function)
            return true;
    return false;
}

bool effects_may_enter(const struct effects *effects, instruction_id call) {
    return effects->are_threads && bitset_has(&effects->unknown, call);
}

const function_id *effects_shown(const struct effects *effects, instruction_id call,
                                 uint32_t *ret_count) {
    uint32_t first = effects->first_callee[call];
    *ret_count = effects->first_callee[call + 1] - first;
    return *ret_count ? effects->callees.data + first : NULL;
}

bool effects_is_direct(const struct effects *effects, instruction_id call) {
    return effects->is_direct[call];
}
