/*
 * How instructions that compute hand on pointers, and which values matter.
 *
 * A pointer may travel as an integer, a float or a vector; whole, through any
 * computation of integers; in pieces, when these are moved as they are, as loops that copy or
 * swap bytes do.  Pieces that are widened, narrowed or computed with are data, but for
 * halves: (uint64_t)high << 32 | low may be any pointer of which a low half was taken, as those are
 * that go through makecontext().
 *
 * Most integers carry no pointer, and go nowhere where it would matter: what is only
 * compared, or used as an index, needs no node.  Walking back from where it
 * matters (what is stored, passed, returned or made a pointer) finds the others.
 *
 * Cost: linear in the operands.
 */
#include "analysis/pta_impl.h"

enum { HALF = GRANULE / 2 };

/* Each element at least as wide as a pointer? */
static bool is_wide(const struct program *program, type_id type) {
    if (program->types.data[type].kind == TYPE_VECTOR)
        type = program->types.data[type].element;
    return program->types.data[type].size >= GRANULE;
}

/* p - q, both pointers: a distance, no address. */
static bool is_difference(const struct pta *pta, struct range operands) {
    for (uint32_t i = 0; i < operands.count; i++) {
        value_id id = pta->program->operands.data[operands.first + i];
        const struct value *value = &pta->program->values.data[id];
        const struct instruction *made = pta_definition(pta, id);
        uint8_t opcode = made ? made->opcode : value->opcode;
        if ((!made && value->kind != VALUE_EXPRESSION) || opcode != OP_PTRTOINT)
            return false;
    }
    return true;
}

static type_id operand_type(const struct pta *pta, struct range operands, uint32_t number) {
    return pta->program->values.data[pta->program->operands.data[operands.first + number]].type;
}

enum carry pta_carry(const struct pta *pta, uint8_t opcode, type_id type, struct range operands) {
    if (!pta_carries(pta->program, type))
        return CARRY_NOTHING;
    bool wide = is_wide(pta->program, type);
    switch (opcode) {
    case OP_PHI:
    case OP_SELECT:
    case OP_FREEZE:
    case OP_ADDRSPACECAST:
    case OP_INTTOPTR:
    case OP_PTRTOINT:
    case OP_BITCAST:
    case OP_INSERT_ELEMENT:
    case OP_SHUFFLE_VECTOR:
    case OP_EXTRACT_VALUE:
    case OP_INSERT_VALUE:
        return CARRY_SAME;
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_UITOFP: /* an address has fewer bits than a double is exact for */
    case OP_SITOFP:
    case OP_FPTOUI:
    case OP_FPTOSI:
    case OP_FPTRUNC:
    case OP_FPEXT:
    case OP_EXTRACT_ELEMENT: /* of pieces: they are computed with */
        return wide && is_wide(pta->program, operand_type(pta, operands, 0)) ? CARRY_SAME
                                                                             : CARRY_NOTHING;
    case OP_SUB:
        if (is_difference(pta, operands))
            return CARRY_NOTHING;
        return wide ? CARRY_SUM : CARRY_NOTHING;
    case OP_ADD:
        return wide ? CARRY_SUM : CARRY_NOTHING;
    case OP_OR:
    case OP_AND:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_XOR:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return wide ? CARRY_ANYWHERE : CARRY_NOTHING;
    default:
        return CARRY_NOTHING;
    }
}

/* A value of 32 bits that was made a wide one? */
static bool is_widened(const struct pta *pta, value_id id) {
    const struct instruction *made = pta_definition(pta, id);
    if (!made || (made->opcode != OP_ZEXT && made->opcode != OP_SEXT))
        return false;
    return pta->program->types.data[operand_type(pta, made->operands, 0)].size == HALF &&
           is_wide(pta->program, made->type);
}

static bool is_high_half(const struct pta *pta, value_id id) {
    const struct instruction *made = pta_definition(pta, id);
    if (!made || made->opcode != OP_SHL)
        return false;
    const struct value *by = &pta->program->values.data[pta_operand(pta, made, 1)];
    return by->kind == VALUE_INT && by->number == 8 * HALF &&
           is_widened(pta, pta_operand(pta, made, 0));
}

bool pta_joins_halves(const struct pta *pta, const struct instruction *instruction) {
    if (instruction->opcode != OP_OR && instruction->opcode != OP_ADD &&
        instruction->opcode != OP_XOR)
        return false;
    value_id a = pta_operand(pta, instruction, 0), b = pta_operand(pta, instruction, 1);
    return (is_high_half(pta, a) && is_widened(pta, b)) ||
           (is_high_half(pta, b) && is_widened(pta, a));
}

bool pta_takes_half(const struct pta *pta, const struct instruction *instruction) {
    if (!pta->joins_halves || instruction->opcode != OP_TRUNC ||
        pta->program->types.data[instruction->type].size != HALF)
        return false;
    const struct instruction *from = pta_definition(pta, pta_operand(pta, instruction, 0));
    return is_wide(pta->program, operand_type(pta, instruction->operands, 0)) &&
           (!from || (from->opcode != OP_LSHR && from->opcode != OP_ASHR));
}

struct walk {
    struct pta *pta;
    id_vec waiting;
};

static void need(struct walk *walk, value_id value) {
    if (walk->pta->needed[value])
        return;
    walk->pta->needed[value] = true;
    VEC_PUSH(&walk->waiting, value);
}

static void need_operands(struct walk *walk, struct range operands) {
    for (uint32_t i = 0; i < operands.count; i++)
        need(walk, walk->pta->program->operands.data[operands.first + i]);
}

/* Where a value leaves the arithmetic of its function. */
static void need_roots(struct walk *walk, const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_STORE:
        need(walk, pta_operand(walk->pta, instruction, 0));
        break;
    case OP_RETURN:
    case OP_INTTOPTR:
    case OP_ATOMICRMW:
    case OP_CMPXCHG:
    case OP_INDIRECT_BRANCH:
        need_operands(walk, instruction->operands);
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_CALL_BRANCH:
        need_operands(walk, instruction->operands);
        break;
    case OP_GEP: /* of null: its indices are the address */
        if (walk->pta->program->values.data[pta_operand(walk->pta, instruction, 0)].kind ==
            VALUE_NULL)
            need_operands(walk, instruction->operands);
        break;
    default:
        break;
    }
    if (pta_takes_half(walk->pta, instruction))
        need_operands(walk, instruction->operands);
    /* Pointers, and vectors and structs of them: someone may ask for those. */
    if (instruction->result != NO_ID &&
        walk->pta->program->types.data[instruction->type].has_pointers)
        need(walk, instruction->result);
}

void pta_find_needed(struct pta *pta) {
    const struct program *program = pta->program;
    struct walk walk = {.pta = pta};
    pta->needed = mem_zalloc(program->values.count + 1, 1);
    for (size_t i = 0; i < program->instructions.count; i++)
        pta->joins_halves |= pta_joins_halves(pta, &program->instructions.data[i]);
    for (size_t i = 0; i < program->instructions.count; i++)
        need_roots(&walk, &program->instructions.data[i]);
    while (walk.waiting.count) {
        const struct instruction *made =
            pta_definition(pta, walk.waiting.data[--walk.waiting.count]);
        if (made && pta_carry(pta, made->opcode, made->type, made->operands) != CARRY_NOTHING)
            need_operands(&walk, made->operands);
    }
    VEC_DEINIT(&walk.waiting);
}
