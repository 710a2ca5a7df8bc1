/*
 * Constraints of values: constants, initial values of globals, and instructions
 * other than calls.
 *
 *   %r = gep %p, 16            r <- p + 16
 *   %r = gep %p, i*24 + 8      r <- p + 8 + n*24
 *   %r = load %p               r <- *p
 *   store %v, %p               *p <- v
 *   memcpy %p, %q, 24          *(p+k) <- t_k <- *(q+k)   for k = 0, 8, 16
 *   %r = phi, select, casts    r <- each
 *   %r = add %a, 8             r <- a + 8
 *   other arithmetic           r <- a, b anywhere
 */
#include <string.h>

#include "analysis/numbers.h"
#include "analysis/pta_impl.h"

enum {
    LONGEST_COPY = 512, /* bytes that are copied granule by granule */
    SHORTEST_ARRAY = 1, /* elements of what only begins an array, at the end of a struct */
    /* Addresses that programs make of numbers to mean something else. */
    LAST_SPECIAL_NUMBER = 4096,
};

uint32_t pta_anywhere(struct pta *pta, uint32_t node) {
    uint32_t moved = andersen_node(pta->solver);
    andersen_shift(pta->solver, moved, node, 0, ANYWHERE, 0);
    return moved;
}

uint32_t pta_within(struct pta *pta, uint32_t node) {
    uint32_t moved = andersen_node(pta->solver);
    andersen_shift_by(pta->solver, moved, node, &(struct andersen_shift){.stride = ANYWHERE});
    return moved;
}

uint32_t pta_contents_of(struct pta *pta, uint32_t node) {
    uint32_t contents = andersen_node(pta->solver);
    andersen_load(pta->solver, contents, pta_anywhere(pta, node), 0, GRANULE);
    return contents;
}

void pta_fill_contents(struct pta *pta, uint32_t node, uint32_t with) {
    andersen_store(pta->solver, pta_anywhere(pta, node), with, 0, GRANULE);
}

void pta_copy_memory(struct pta *pta, uint32_t to, uint32_t from, uint64_t size) {
    if (!size || size > LONGEST_COPY) {
        pta_fill_contents(pta, to, pta_contents_of(pta, from));
        return;
    }
    for (uint64_t k = 0; k < size; k += GRANULE) {
        uint32_t bytes = (uint32_t)(size - k < GRANULE ? size - k : GRANULE);
        uint32_t moved = andersen_node(pta->solver);
        andersen_load(pta->solver, moved, from, (int64_t)k, bytes);
        andersen_store(pta->solver, to, moved, (int64_t)k, bytes);
    }
}

/* A number that becomes an address: nothing of the program lies there. */
static void number_address(struct pta *pta, uint32_t to, uint64_t number) {
    if ((int64_t)number > LAST_SPECIAL_NUMBER || (int64_t)number < -LAST_SPECIAL_NUMBER)
        andersen_address(pta->solver, to, pta->environment, 0);
}

/* a + b, a - b: a constant moves the other exactly. */
static void sum(struct pta *pta, uint32_t to, uint8_t opcode, const value_id *operands) {
    for (int i = 0; i < 2; i++) {
        const struct value *other = &pta->program->values.data[operands[1 - i]];
        if (other->kind != VALUE_INT || other->text)
            andersen_shift(pta->solver, to, operands[i], 0, ANYWHERE, 0);
        else if (i == 0)
            andersen_shift(pta->solver, to, operands[0],
                           opcode == OP_SUB ? -(int64_t)other->number : (int64_t)other->number, 0,
                           0);
        else
            andersen_shift(pta->solver, to, operands[1], (int64_t)other->number,
                           opcode == OP_SUB ? ANYWHERE : 0, 0);
    }
}

/* What an instruction or constant expression computes from its operands. */
static void compute(struct pta *pta, uint32_t to, uint8_t opcode, type_id type,
                    struct range operands) {
    const value_id *from = &pta->program->operands.data[operands.first];
    enum carry carry = pta_carry(pta, opcode, type, operands);
    if (carry == CARRY_SUM && operands.count == 2) {
        sum(pta, to, opcode, from);
        return;
    }
    for (uint32_t i = opcode == OP_SELECT; i < operands.count && carry != CARRY_NOTHING; i++) {
        const struct value *value = &pta->program->values.data[from[i]];
        if (opcode == OP_INTTOPTR && value->kind == VALUE_INT)
            number_address(pta, to, value->number);
        else
            andersen_shift(pta->solver, to, from[i], 0, carry == CARRY_SAME ? 0 : ANYWHERE, 0);
    }
}

/* A gep, and the array that its steps may lead into. */
static void move_by(struct pta *pta, value_id to, value_id from, struct andersen_shift by,
                    struct range steps) {
    struct inner_array array;
    const struct step *first = &pta->program->steps.data[steps.first];
    by.is_step =
        steps.count == 1 && first->is_constant && (first->constant == 1 || first->constant == -1);
    if (program_inner_array(pta->program, steps, &array)) {
        by.array_at = array.offset;
        by.array_size = array.size;
        by.is_last_array = array.is_last;
    }
    andersen_shift_by(pta->solver, to, from, &by);
}

static void alias(struct pta *pta, value_id id, value_id target) {
    andersen_copy(pta->solver, id, target);
    /* It may be an ifunc: then it is what its resolver returns. */
    if (pta->program->values.data[target].kind == VALUE_FUNCTION)
        andersen_copy(pta->solver, id,
                      pta->functions[pta->program->values.data[target].definition].returned);
}

static void constant(struct pta *pta, value_id id) {
    const struct value *value = &pta->program->values.data[id];
    const value_id *operands = &pta->program->operands.data[value->operands.first];
    switch (value->kind) {
    case VALUE_FUNCTION:
        andersen_address(pta->solver, id, pta->functions[value->definition].object, 0);
        break;
    case VALUE_GLOBAL:
        andersen_address(pta->solver, id, pta->memory_objects[value->definition], 0);
        break;
    case VALUE_ALIAS:
        alias(pta, id, operands[0]);
        break;
    case VALUE_AGGREGATE:
        for (uint32_t i = 0; i < value->operands.count; i++)
            andersen_copy(pta->solver, id, operands[i]);
        break;
    case VALUE_EXPRESSION:
        if (value->opcode == OP_GEP)
            move_by(pta, id, operands[0], (struct andersen_shift){.offset = (int64_t)value->number},
                    value->steps);
        else
            compute(pta, id, value->opcode, value->type, value->operands);
        break;
    default:
        break;
    }
}

void pta_constants(struct pta *pta) {
    /* Initial values of globals are large, and come in by their pointers. */
    uint8_t *is_initial CLEANUP_FREE = mem_zalloc(pta->program->values.count + 1, 1);
    for (size_t i = 0; i < pta->program->memory.count; i++)
        if (pta->program->memory.data[i].initial != NO_ID)
            is_initial[pta->program->memory.data[i].initial] = true;
    for (value_id i = 0; i < pta->program->values.count; i++)
        if (!is_initial[i] || pta->program->values.data[i].kind != VALUE_AGGREGATE)
            constant(pta, i);
}

void pta_initial_values(struct pta *pta) {
    for (memory_id i = 0; i < pta->program->memory.count; i++) {
        const struct memory *memory = &pta->program->memory.data[i];
        for (uint32_t n = 0; n < memory->pointers.count; n++) {
            struct initial_pointer pointer =
                pta->program->initial_pointers.data[memory->pointers.first + n];
            uint32_t cell =
                andersen_cell(pta->solver, pta->memory_objects[i], (int64_t)pointer.offset);
            andersen_copy(pta->solver, cell, pointer.value);
            if (pointer.offset % GRANULE) /* packed: it lies in two */
                andersen_copy(pta->solver,
                              andersen_cell(pta->solver, pta->memory_objects[i],
                                            (int64_t)pointer.offset + GRANULE - 1),
                              pointer.value);
        }
    }
}

static void gep(struct pta *pta, const struct instruction *instruction) {
    const struct program *program = pta->program;
    value_id base = pta_operand(pta, instruction, 0);
    uint64_t stride = 0, extent = 0;
    bool is_bounded = true;
    for (uint32_t i = 0; i < instruction->steps.count; i++) {
        const struct step *step = &program->steps.data[instruction->steps.first + i];
        if (step->is_constant)
            continue;
        uint64_t length = i ? program->types.data[step->container].length : 0;
        is_bounded &= length > SHORTEST_ARRAY;
        extent += length * step->stride;
        stride = gcd(stride, step->stride);
        if (program->values.data[base].kind == VALUE_NULL)
            andersen_shift(pta->solver, instruction->result, step->index, 0, ANYWHERE, 0);
    }
    move_by(pta, instruction->result, base,
            (struct andersen_shift){
                .offset = instruction->offset, .stride = stride, .extent = is_bounded ? extent : 0},
            instruction->steps);
}

bool pta_can_hold_pointer(const struct program *program, value_id id) {
    const struct value *value = &program->values.data[id];
    switch (value->kind) {
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_NULL:
    case VALUE_ZERO:
    case VALUE_UNDEFINED:
    case VALUE_DATA:
    case VALUE_BLOCK_ADDRESS:
        return false;
    default:
        return pta_carries(program, value->type);
    }
}

static void access_size(const struct instruction *instruction, uint32_t *ret) {
    *ret = instruction->access_size && instruction->access_size <= UINT32_MAX
               ? (uint32_t)instruction->access_size
               : GRANULE;
}

static void load(struct pta *pta, instruction_id id) {
    const struct instruction *instruction = &pta->program->instructions.data[id];
    uint32_t size;
    access_size(instruction, &size);
    if (!pta->needed[instruction->result] || !pta_carries(pta->program, instruction->type))
        return;
    if (pta->reached[id] == NO_ID)
        andersen_load(pta->solver, instruction->result, instruction->read_at, 0, size);
    else if (pta->reached[id] != PTA_NOTHING)
        andersen_copy(pta->solver, instruction->result, pta->reached[id]);
}

static void store(struct pta *pta, const struct instruction *instruction, value_id value) {
    uint32_t size;
    access_size(instruction, &size);
    if (pta_can_hold_pointer(pta->program, value))
        andersen_store(pta->solver, instruction->written_at, value, 0, size);
}

/* The old value comes out; what is computed of it and the operand goes in. */
static void update(struct pta *pta, const struct instruction *instruction) {
    uint32_t size;
    access_size(instruction, &size);
    value_id value = pta_operand(pta, instruction, instruction->opcode == OP_CMPXCHG ? 2 : 1);
    andersen_load(pta->solver, instruction->result, instruction->read_at, 0, size);
    store(pta, instruction, value);
    if (instruction->opcode == OP_ATOMICRMW && instruction->predicate != 0) /* not xchg */
        andersen_store(pta->solver, instruction->written_at, pta_anywhere(pta, instruction->result),
                       0, size);
}

void pta_instruction(struct pta *pta, function_id function, instruction_id id) {
    const struct instruction *instruction = &pta->program->instructions.data[id];
    if (instruction->object != NO_ID && pta->memory_objects[instruction->object] != NO_ID) {
        andersen_address(pta->solver, instruction->result, pta->memory_objects[instruction->object],
                         0);
        return;
    }
    if (instruction->flags & INSTRUCTION_SYNTHETIC)
        return;
    switch (instruction->opcode) {
    case OP_LOAD:
        load(pta, id);
        break;
    case OP_STORE:
        if (!bitset_has(&pta->handed_out, id))
            store(pta, instruction, pta_operand(pta, instruction, 0));
        break;
    case OP_GEP:
        gep(pta, instruction);
        break;
    case OP_ATOMICRMW:
    case OP_CMPXCHG:
        update(pta, instruction);
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_CALL_BRANCH:
        if (pta->call_of[id] != NO_ID)
            pta_call(pta, pta->call_of[id]);
        else
            pta_intrinsic(pta, function, id);
        break;
    case OP_VA_ARG: {
        uint32_t area = andersen_node(pta->solver);
        andersen_load(pta->solver, area, instruction->read_at, GRANULE, 2 * GRANULE);
        andersen_copy(pta->solver, instruction->result, pta_contents_of(pta, area));
        break;
    }
    case OP_LANDING_PAD:
        andersen_copy(pta->solver, instruction->result, pta->seen);
        break;
    default:
        if (pta_takes_half(pta, instruction))
            andersen_copy(pta->solver, pta->halves, pta_operand(pta, instruction, 0));
        if (instruction->result == NO_ID || !pta->needed[instruction->result])
            break;
        if (pta->joins_halves && pta_joins_halves(pta, instruction))
            andersen_copy(pta->solver, instruction->result, pta->halves);
        compute(pta, instruction->result, instruction->opcode, instruction->type,
                instruction->operands);
    }
}

static bool takes_pointer(const struct pta *pta, const struct instruction *call) {
    for (uint32_t i = 0; i < call->operands.count; i++)
        if (pta->program->types.data[pta->program->values.data[pta_operand(pta, call, i)].type]
                .has_pointers)
            return true;
    return false;
}

static void other_intrinsic(struct pta *pta, const struct instruction *call) {
    const struct function *callee = &pta->program->functions.data[call->callee];
    if (takes_pointer(pta, call) && callee->effects & (EFFECT_READS | EFFECT_WRITES)) {
        pta_assembly(pta, call);
        return;
    }
    if (call->result == NO_ID || !pta->needed[call->result] ||
        !pta_carries(pta->program, call->type))
        return;
    if (strstr(callee->name, "frameaddress") || strstr(callee->name, "sponentry"))
        andersen_address(pta->solver, call->result, pta->environment, 0);
    for (uint32_t i = 0; i < call->operands.count; i++)
        andersen_shift(pta->solver, call->result, pta_operand(pta, call, i), 0, ANYWHERE, 0);
}

/* Intrinsics that work on memory say where in the model; the others compute. */
void pta_intrinsic(struct pta *pta, function_id function, instruction_id id) {
    const struct instruction *call = &pta->program->instructions.data[id];
    value_id first = pta_operand(pta, call, 0);
    uint32_t list;
    switch (call->intrinsic) {
    case INTRINSIC_MEMCPY:
    case INTRINSIC_MEMMOVE:
    case INTRINSIC_VA_COPY:
        pta_copy_memory(pta, call->written_at, call->read_at, call->access_size);
        break;
    case INTRINSIC_MASKED_LOAD:
    case INTRINSIC_MASKED_GATHER:
    case INTRINSIC_EXPAND_LOAD:
        andersen_load(pta->solver, call->result, call->read_at, 0,
                      call->access_size ? (uint32_t)call->access_size : GRANULE);
        for (uint32_t i = 1; i < call->operands.count; i++) /* where the mask is off */
            andersen_copy(pta->solver, call->result, pta_operand(pta, call, i));
        break;
    case INTRINSIC_MASKED_STORE:
    case INTRINSIC_MASKED_SCATTER:
    case INTRINSIC_COMPRESS_STORE:
        store(pta, call, first);
        break;
    case INTRINSIC_VA_START: /* two pointers in the list lead to the arguments */
        list = andersen_node(pta->solver);
        andersen_address(pta->solver, list, pta_variadic(pta, function), 0);
        andersen_store(pta->solver, first, list, GRANULE, 2 * GRANULE);
        break;
    case INTRINSIC_THREAD_LOCAL_ADDRESS:
        andersen_copy(pta->solver, call->result, first);
        break;
    case INTRINSIC_MEMSET:
    case INTRINSIC_VA_END:
    case INTRINSIC_STACK_SAVE:
    case INTRINSIC_STACK_RESTORE:
    case INTRINSIC_LIFETIME:
    case INTRINSIC_INVARIANT:
    case INTRINSIC_ASSUME:
    case INTRINSIC_PREFETCH:
    case INTRINSIC_NO_ALIAS_SCOPE:
        break;
    default:
        other_intrinsic(pta, call);
    }
}
