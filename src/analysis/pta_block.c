/*
 * Names of blocks of the heap: by the call that first does more with one than hand it on.
 *
 * A function hands on what a call gave it by returning it, or by storing it where a parameter
 * points (pta_return.c finds both):
 *
 *     void *xmalloc(n)              { p = malloc(n + 8); ...; return p + 8; }
 *     int os_malloc(n, void **at)   { p = malloc(n); ...; *at = p; return 0; }
 *
 * So a call gives blocks in several ways: as its result, and where its arguments point.  What
 * it gives is a *product*; the result's has the number of the call, the others get
 * numbers of their own as they turn up.  For products inner and outer, one handed on as the other:
 *
 *     start(inner) >= start(outer)                  the block itself, by all of its names
 *     result(p)    >= start(p) + move               p points so far into it
 *
 * and start(p) is a name of p's own where it is not handed on.  Inside a function, a block has the
 * names that all callers give it, so what is done to it there is done to each; nothing is lost by
 * names.  A function that the environment calls, and a call whose product nobody can take, name the
 * block inside as well.
 *
 * What is handed on and was not allocated by this call, a block that realloc() left in its place,
 * goes as any value goes; but a parameter that is given back is the argument of that call, and what
 * is stored again where it was loaded from stays there.
 */
#include "analysis/pta_impl.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool pta_is_same_move(struct move a, struct move b) {
    return a.offset == b.offset && a.stride == b.stride;
}

/* Of a stride, the offset counts modulo the stride. */
static struct move normal(int64_t offset, uint64_t stride) {
    if (offset > INT32_MAX || offset < INT32_MIN)
        return (struct move){0, ANYWHERE};
    int64_t length = (int64_t)stride;
    return (struct move){length ? ((offset % length) + length) % length : offset, stride};
}

struct move pta_both_moves(struct move a, struct move b) {
    return normal(a.offset + b.offset, gcd(a.stride, b.stride));
}

struct move pta_either_move(struct move a, struct move b) {
    int64_t apart = a.offset < b.offset ? b.offset - a.offset : a.offset - b.offset;
    return normal(a.offset, gcd(gcd(a.stride, b.stride), (uint64_t)apart));
}

struct move pta_gep_move(const struct pta *pta, const struct instruction *gep) {
    uint64_t stride = 0;
    for (uint32_t i = 0; i < gep->steps.count; i++) {
        const struct step *step = &pta->program->steps.data[gep->steps.first + i];
        if (!step->is_constant)
            stride = gcd(stride, step->stride);
    }
    return normal(gep->offset, stride);
}

/* The value that an address is a known distance from. */
static value_id strip(const struct pta *pta, value_id value, int64_t *ret_offset) {
    enum { MOST_STEPS = 64 };
    *ret_offset = 0;
    value = pta_origin(pta, value);
    for (int i = 0; i < MOST_STEPS; i++) {
        const struct instruction *made = pta_definition(pta, value);
        if (!made || made->opcode != OP_GEP || made->object != NO_ID ||
            !(made->flags & INSTRUCTION_CONSTANT_OFFSET))
            break;
        *ret_offset += made->offset;
        value = pta_origin(pta, pta_operand(pta, made, 0));
    }
    return value;
}

bool pta_is_parameter(const struct pta *pta, value_id value, uint32_t *ret_param) {
    int64_t offset;
    if (value == NO_ID)
        return false;
    const struct value *base = &pta->program->values.data[strip(pta, value, &offset)];
    *ret_param = (uint32_t)base->number;
    return base->kind == VALUE_ARGUMENT && offset == 0;
}

uint32_t pta_heap_object(struct pta *pta, uint32_t id) {
    struct call *call = &pta->calls.data[id];
    if (call->object != NO_ID)
        return call->object;
    uint64_t size = call->memory == NO_ID || pta->blocks_grow
                        ? 0
                        : pta->program->memory.data[call->memory].size;
    uint32_t object = pta_new_object(
        pta, (struct pta_object){.kind = PTA_HEAP, .id = call->instruction, .memory = call->memory},
        (struct andersen_shape){.size = size});
    pta->calls.data[id].object = object;
    return object;
}

static void own_object(struct pta *pta, uint32_t id) {
    andersen_address(pta->solver, pta->calls.data[id].start, pta_heap_object(pta, id), 0);
}

static uint32_t moved(struct pta *pta, uint32_t node, struct move move) {
    if (!move.offset && !move.stride)
        return node;
    uint32_t to = andersen_node(pta->solver);
    andersen_shift(pta->solver, to, node, move.offset, move.stride, 0);
    return to;
}

void pta_hand_on(struct pta *pta, function_id function, const struct forward *forward,
                 uint32_t node) {
    node = moved(pta, node, forward->move);
    if (forward->param == NO_ID)
        andersen_copy(pta->solver, pta->functions[function].returned, node);
    else
        andersen_store(pta->solver, forward->address, node, 0, GRANULE);
}

/* What a call stores where an argument points; NO_ID if it has no such argument. */
static uint32_t product_behind(struct pta *pta, uint32_t id, uint32_t param) {
    struct call outer = pta->calls.data[id];
    for (size_t i = 0; i < outer.products.count; i++)
        if (pta->calls.data[outer.products.data[i]].param == param)
            return outer.products.data[i];
    value_id argument =
        pta_operand(pta, &pta->program->instructions.data[outer.instruction], param);
    if (argument == NO_ID)
        return NO_ID;
    struct function_info *caller = &pta->functions[outer.caller];
    struct call made = {.instruction = outer.instruction,
                        .caller = outer.caller,
                        .result = andersen_node(pta->solver),
                        .plain = NO_ID,
                        .start = NO_ID,
                        .object = NO_ID,
                        .memory = NO_ID,
                        .param = param};
    struct forward forward = {.call = (uint32_t)pta->calls.count, .address = argument};
    made.is_forwarded =
        pta->names == NAMES_OF_ALL && pta_is_parameter(pta, argument, &forward.param);
    VEC_PUSH(&pta->calls, made);
    VEC_PUSH(&pta->calls.data[id].products, forward.call);
    if (made.is_forwarded)
        VEC_PUSH(&caller->forwards, forward);
    if (!made.is_forwarded || caller->is_called_back)
        andersen_store(pta->solver, argument, made.result, 0, GRANULE);
    return forward.call;
}

/* Does it say more of a product than is known? */
static bool add_move(struct call *call, struct move *move) {
    enum { MOST_MOVES = sizeof call->moves / sizeof *call->moves };
    for (uint32_t i = 0; i < call->move_count; i++)
        if (pta_is_same_move(call->moves[i], *move))
            return false;
    if (call->move_count < MOST_MOVES) {
        call->moves[call->move_count++] = *move;
        return true;
    }
    *move = pta_either_move(call->moves[MOST_MOVES - 1], *move);
    bool is_new = !pta_is_same_move(call->moves[MOST_MOVES - 1], *move);
    call->moves[MOST_MOVES - 1] = *move;
    return is_new;
}

/* What `forward` hands on, `move` into a block, comes out of a call of its function. */
static void come_out(struct pta *pta, struct forward forward, uint32_t outer, struct move move) {
    uint32_t product = forward.param == NO_ID ? outer : product_behind(pta, outer, forward.param);
    if (product == NO_ID || pta->calls.data[product].result == NO_ID) {
        own_object(pta, forward.call); /* nobody takes it: it has no name there */
        return;
    }
    pta_allocates(pta, product, pta_both_moves(move, forward.move));
    andersen_copy(pta->solver, pta->calls.data[forward.call].start, pta->calls.data[product].start);
}

void pta_allocates(struct pta *pta, uint32_t id, struct move move) {
    if (pta->calls.data[id].result == NO_ID || !add_move(&pta->calls.data[id], &move))
        return;
    const struct function_info *caller = &pta->functions[pta->calls.data[id].caller];
    bool is_first = pta->calls.data[id].start == NO_ID;
    if (is_first)
        pta->calls.data[id].start = andersen_node(pta->solver);
    andersen_shift(pta->solver, pta->calls.data[id].result, pta->calls.data[id].start, move.offset,
                   move.stride, 0);
    if (is_first && (!pta->calls.data[id].is_forwarded || caller->is_called_back))
        own_object(pta, id);
    for (size_t f = 0; f < caller->forwards.count; f++)
        for (size_t i = 0; caller->forwards.data[f].call == id && i < caller->callers.count; i++)
            come_out(pta, caller->forwards.data[f], caller->callers.data[i], move);
}

void pta_allocates_behind(struct pta *pta, uint32_t id, uint32_t param) {
    uint32_t product = product_behind(pta, id, param);
    if (product == NO_ID)
        return;
    pta->calls.data[product].memory = pta->calls.data[id].memory;
    pta_allocates(pta, product, (struct move){0});
}

void pta_blocks_of(struct pta *pta, uint32_t id, function_id function) {
    const struct function_info *info = &pta->functions[function];
    for (size_t f = 0; f < info->forwards.count; f++) {
        uint32_t inner = info->forwards.data[f].call;
        for (uint32_t i = 0; i < pta->calls.data[inner].move_count; i++)
            come_out(pta, info->forwards.data[f], id, pta->calls.data[inner].moves[i]);
    }
}

void pta_blocks_to_environment(struct pta *pta, function_id function, bool is_first,
                               uint32_t returned) {
    const struct function_info *info = &pta->functions[function];
    for (size_t f = 0; f < info->forwards.count; f++) {
        struct forward forward = info->forwards.data[f];
        const struct call *inner = &pta->calls.data[forward.call];
        uint32_t result = inner->result;
        if (is_first && inner->move_count)
            own_object(pta, forward.call);
        if (forward.param != NO_ID && is_first)
            pta_hand_on(pta, function, &forward, result);
        else if (forward.param == NO_ID && returned != NO_ID)
            andersen_copy(pta->solver, returned, moved(pta, result, forward.move));
    }
}

static void gives_back(struct pta *pta, function_id function, uint32_t number) {
    struct function_info *info = &pta->functions[function];
    if (number >= 64 || info->gives_back >> number & 1)
        return;
    info->gives_back |= 1ULL << number;
    for (size_t i = 0; i < info->callers.count; i++)
        pta_returns_argument(pta, info->callers.data[i], number);
}

/* Was the value loaded where the parameter points? */
static bool comes_from(const struct pta *pta, value_id value, uint32_t param) {
    const struct instruction *made = pta_definition(pta, value);
    uint32_t from;
    return made && made->opcode == OP_LOAD && made->access_size == GRANULE &&
           pta_is_parameter(pta, made->read_at, &from) && from == param;
}

/* Hands on an argument that a call gave back. */
static void hand_back(struct pta *pta, function_id function, const struct forward *forward,
                      value_id argument) {
    int64_t offset;
    value_id base = strip(pta, argument, &offset);
    const struct value *origin = &pta->program->values.data[base];
    bool is_same = !forward->move.stride && offset + forward->move.offset == 0;
    if (is_same && forward->param == NO_ID && origin->kind == VALUE_ARGUMENT && origin->number < 64)
        gives_back(pta, function, (uint32_t)origin->number);
    else if (!is_same || forward->param == NO_ID || !comes_from(pta, base, forward->param))
        pta_hand_on(pta, function, forward, argument);
}

void pta_returns_argument(struct pta *pta, uint32_t id, uint32_t number) {
    const struct call *call = &pta->calls.data[id];
    const struct instruction *instruction = &pta->program->instructions.data[call->instruction];
    value_id argument = pta_operand(pta, instruction, number);
    function_id caller = call->caller;
    if (argument == NO_ID || call->result == NO_ID)
        return;
    andersen_copy(pta->solver, call->result, argument);
    for (size_t f = 0; f < pta->functions[caller].forwards.count; f++) {
        struct forward forward = pta->functions[caller].forwards.data[f];
        if (forward.call == id)
            hand_back(pta, caller, &forward, argument);
    }
}
