/*
 * What is known where only a call's failure leads; sdg_impl.h.
 *
 * A model says of a call that it may set errno.  So what reads errno depends on that call and on
 * whatever may have set it before: all that a program does with its environment.  But programs ask
 * for errno where a call has failed, and there nobody but that call has set it:
 *
 *     if ((n = read(fd, buffer, size)) < 0)
 *         die(errno);                       errno is what this read() left
 *
 * Such a place is a node of the flow that can only be entered from a branch, by the way that a
 * comparison of the call's result with a constant takes when the call fails, as its model says
 * (`fails if ret < 0 with errno`).  The result is compared as it is, or as it was
 * stored in a variable that nobody has overwritten.
 *
 * Cost: a few steps for each conditional branch.
 */
#include <string.h>

#include "analysis/sdg_impl.h"

/* What a comparison says of a value on one of its ways. */
struct fact {
    value_id value;
    uint8_t predicate;
    int64_t number;
    bool is_null; /* compared with a null pointer */
};

static const struct instruction *maker(const struct program *program, value_id value,
                                       instruction_id *ret) {
    if (value == NO_ID || program->values.data[value].kind != VALUE_INSTRUCTION)
        return NULL;
    *ret = program->values.data[value].definition;
    return &program->instructions.data[*ret];
}

static value_id operand(const struct program *program, const struct instruction *instruction,
                        uint32_t number) {
    return program->operands.data[instruction->operands.first + number];
}

static bool constant(const struct program *program, value_id id, int64_t *ret, bool *ret_is_null) {
    const struct value *value = &program->values.data[id];
    uint32_t bits = program->types.data[value->type].bits;
    *ret_is_null = value->kind == VALUE_NULL;
    *ret = 0;
    if (*ret_is_null)
        return true;
    if (value->kind != VALUE_INT || value->text || bits < 8 || bits > 64)
        return false;
    *ret = (int64_t)(value->number << (64 - bits)) >> (64 - bits);
    return true;
}

/* a < b is b > a. */
static uint8_t swapped(uint8_t predicate) {
    switch (predicate) {
    case PREDICATE_SGT:
        return PREDICATE_SLT;
    case PREDICATE_SGE:
        return PREDICATE_SLE;
    case PREDICATE_SLT:
        return PREDICATE_SGT;
    case PREDICATE_SLE:
        return PREDICATE_SGE;
    default:
        return predicate;
    }
}

static uint8_t negated(uint8_t predicate) {
    switch (predicate) {
    case PREDICATE_EQ:
        return PREDICATE_NE;
    case PREDICATE_NE:
        return PREDICATE_EQ;
    case PREDICATE_SGT:
        return PREDICATE_SLE;
    case PREDICATE_SGE:
        return PREDICATE_SLT;
    case PREDICATE_SLT:
        return PREDICATE_SGE;
    case PREDICATE_SLE:
        return PREDICATE_SGT;
    default:
        return 0;
    }
}

/* What the branch at the end of a node says where its only way to `to` is taken. */
static bool find_fact(const struct program *program, const struct flow *flow, uint32_t node,
                      uint32_t to, struct fact *ret) {
    struct range piece = flow->instructions[node];
    const struct instruction *branch = &program->instructions.data[piece.first + piece.count - 1];
    const struct block *block = &program->blocks.data[branch->block];
    if (branch->opcode != OP_BRANCH || branch->operands.count != 1 || block->successors.count != 2)
        return false;
    block_id ways[2] = {program->edges.data[block->successors.first],
                        program->edges.data[block->successors.first + 1]};
    block_id taken = program->instructions.data[flow->instructions[to].first].block;
    if (ways[0] == ways[1] || (taken != ways[0] && taken != ways[1]))
        return false;
    instruction_id id;
    const struct instruction *compared = maker(program, operand(program, branch, 0), &id);
    if (!compared || compared->opcode != OP_ICMP)
        return false;
    value_id left = operand(program, compared, 0), right = operand(program, compared, 1);
    uint8_t predicate = compared->predicate;
    if (!constant(program, right, &ret->number, &ret->is_null)) {
        if (!constant(program, left, &ret->number, &ret->is_null))
            return false;
        predicate = swapped(predicate);
        left = right;
    }
    ret->value = left;
    ret->predicate = taken == ways[0] ? predicate : negated(predicate);
    return true;
}

static bool says_negative(const struct fact *fact) {
    return (fact->predicate == PREDICATE_EQ && fact->number < 0) ||
           (fact->predicate == PREDICATE_SLT && fact->number <= 0) ||
           (fact->predicate == PREDICATE_SLE && fact->number < 0);
}

/* What is transferred is less than 2^31 bytes in one call, whatever is asked for: so a result
 * that is cut to an int is negative if it was. */
static bool is_transfer(const struct sdg *sdg, const struct model_function *model) {
    const struct model_table *table = pta_models(sdg->pta);
    for (uint32_t i = 0; i < model->param_count; i++)
        switch (model_table_param(table, model, i)->kind) {
        case MODEL_PARAM_IN:
        case MODEL_PARAM_OUT:
        case MODEL_PARAM_IN_IOVEC:
        case MODEL_PARAM_OUT_IOVEC:
            return true;
        default:
            break;
        }
    return false;
}

/* The model of an external function that leaves errno behind when the fact holds of its result. */
static bool has_failed(const struct sdg *sdg, instruction_id id, const struct fact *fact,
                       bool is_cut) {
    const struct instruction *call = &sdg->program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID)
        return false;
    const struct model_function *model = pta_model(sdg->pta, call->callee);
    if (!model || (is_cut && !is_transfer(sdg, model)))
        return false;
    switch (model->failure) {
    case MODEL_FAILS_NEGATIVE_ERRNO:
        return !fact->is_null && says_negative(fact);
    case MODEL_FAILS_ZERO_ERRNO:
        return fact->predicate == PREDICATE_EQ && fact->number == 0;
    default:
        return false;
    }
}

/* May others change it, between what this function does? */
static bool is_shared(const struct sdg *sdg, const struct part *part) {
    for (uint32_t i = 0; i < part->cell_count; i++)
        if (threads_share(sdg->threads, parts_cells(sdg->parts)[part->first_cell + i]))
            return true;
    return part->argument != NO_ID;
}

/* What was stored in the variable that is loaded at the end of a node, if that is one store. */
static value_id stored(struct sdg *sdg, struct definitions *definitions, const struct flow *flow,
                       uint32_t node, instruction_id load) {
    const struct program *program = sdg->program;
    const struct instruction *loaded = &program->instructions.data[load];
    struct effect_list list = effects_of(sdg->effects, load);
    if (flow_node(flow, load) != node || loaded->flags & INSTRUCTION_VOLATILE || list.count != 1)
        return NO_ID;
    part_uses uses = {0};
    parts_of_effect(sdg->parts, flow->function, &list.effects[0], &uses);
    node_id by = NO_ID;
    if (uses.count == 1 &&
        !is_shared(sdg, &parts_of(sdg->parts, flow->function).parts[uses.data[0].part]))
        by = definitions_read(definitions, node, uses.data[0].part);
    VEC_DEINIT(&uses);
    if (by >= program->instructions.count)
        return NO_ID;
    const struct instruction *store = &program->instructions.data[by];
    /* One that comes behind the load, in the same node, is not what was loaded. */
    if (store->opcode != OP_STORE || (flow_node(flow, by) == node && by > load) ||
        store->written_at != loaded->read_at || store->access_size != loaded->access_size)
        return NO_ID;
    return operand(program, store, 0);
}

instruction_id sdg_failed_call(struct sdg *sdg, struct definitions *definitions,
                               const struct flow *flow, uint32_t node, uint32_t to) {
    const struct program *program = sdg->program;
    struct fact fact;
    if (!find_fact(program, flow, node, to, &fact))
        return NO_ID;
    bool is_cut = false, is_loaded = false;
    for (;;) {
        instruction_id id;
        const struct instruction *made = maker(program, fact.value, &id);
        if (!made)
            return NO_ID;
        if (made->opcode == OP_TRUNC || made->opcode == OP_SEXT) {
            is_cut |= made->opcode == OP_TRUNC;
            fact.value = operand(program, made, 0);
        } else if (made->opcode == OP_LOAD && !is_loaded) {
            is_loaded = true;
            fact.value = stored(sdg, definitions, flow, node, id);
        } else {
            return has_failed(sdg, id, &fact, is_cut) ? id : NO_ID;
        }
    }
}
