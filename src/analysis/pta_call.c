/*
 * Calls: from arguments to parameters, from what is returned to results, for
 * each function that a call may enter; indirect ones as the solver finds them.
 *
 * pta_return.c and pta_block.c say how allocations and parameters that are given back
 * keep callers apart.
 */
#include "analysis/pta_impl.h"

enum { WATCH_BITS = 2 };

uint32_t pta_datum(enum watch watch, uint32_t index) { return index << WATCH_BITS | watch; }

/* Arguments behind the last parameter; of structs the contents. */
static void pass_variadic(struct pta *pta, function_id function, value_id argument, bool by_value) {
    uint32_t object = pta_variadic(pta, function);
    uint32_t written = andersen_written(pta->solver, object);
    andersen_copy(pta->solver, written, argument);
    if (by_value && pta->program->types.data[pta->program->values.data[argument].type].has_pointers)
        andersen_copy(pta->solver, written, pta_contents_of(pta, argument));
}

static void pass_arguments(struct pta *pta, const struct instruction *call, function_id id) {
    const struct function *function = &pta->program->functions.data[id];
    for (uint32_t i = 0; i < call->operands.count; i++) {
        value_id argument = pta_operand(pta, call, i);
        if (i >= function->arguments.count && function->flags & FUNCTION_VARIADIC)
            pass_variadic(pta, id, argument, call->flags & INSTRUCTION_BY_VALUE);
        if (i >= function->arguments.count || !pta_is_passed(pta->program, argument) ||
            !pta_is_passed(pta->program, function->arguments.first + i))
            continue;
        andersen_copy(pta->solver, function->arguments.first + i, argument);
    }
}

static void enter(struct pta *pta, uint32_t id, function_id function) {
    const struct instruction *instruction =
        &pta->program->instructions.data[pta->calls.data[id].instruction];
    struct function_info *info = &pta->functions[function];
    pass_arguments(pta, instruction, function);
    VEC_PUSH(&info->callers, id);
    if (pta->calls.data[id].plain != NO_ID &&
        pta_is_passed(pta->program, pta->calls.data[id].result))
        andersen_copy(pta->solver, pta->calls.data[id].plain, info->returned);
    for (uint32_t n = 0; n < 64; n++)
        if (info->gives_back >> n & 1)
            pta_returns_argument(pta, id, n);
    pta_blocks_of(pta, id, function);
}

/* Links a call to a function, NO_ID for one without a name, once. */
static void link_call(struct pta *pta, uint32_t id, function_id function) {
    struct call *call = &pta->calls.data[id];
    for (size_t i = 0; i < call->callees.count; i++)
        if (call->callees.data[i] == function)
            return;
    VEC_PUSH(&call->callees, function);
    if (function == NO_ID)
        pta_unknown(pta, id);
    else if (pta->program->functions.data[function].flags & FUNCTION_DEFINED)
        enter(pta, id, function);
    else {
        VEC_PUSH(&pta->functions[function].callers, id);
        pta_external(pta, id, function);
    }
}

/* How a value is passed: registers of the ABI, and how much of one. */
enum passing { PASSED_NOT, PASSED_NARROW, PASSED_WIDE, PASSED_FLOAT, PASSED_OTHER };

static enum passing passing_of(const struct program *program, type_id id) {
    const struct type *type = &program->types.data[id];
    switch (type->kind) {
    case TYPE_VOID:
        return PASSED_NOT;
    case TYPE_POINTER:
        return PASSED_WIDE;
    case TYPE_INT:
        return type->bits <= 32 ? PASSED_NARROW : PASSED_WIDE;
    case TYPE_FLOAT:
        return PASSED_FLOAT;
    default:
        return PASSED_OTHER;
    }
}

/* Is something that is wanted there, in the register where it is looked for? */
static bool serves(enum passing wanted, enum passing given) {
    return wanted == given || (wanted == PASSED_NARROW && given == PASSED_WIDE);
}

/*
 * Can a call by this type work?  C wants the types to be compatible; programs pass
 * more arguments than are looked at, and pointers as numbers.  What would leave a
 * parameter or a used result without a value is taken not to happen.
 */
static bool can_enter(const struct pta *pta, const struct instruction *call, function_id id) {
    const struct program *program = pta->program;
    const struct type *type = &program->types.data[program->functions.data[id].type];
    if (type->members.count > call->operands.count)
        return false;
    for (uint32_t i = 0; i < type->members.count; i++) {
        value_id argument = pta_operand(pta, call, i);
        if (!serves(passing_of(program, program->type_members.data[type->members.first + i]),
                    passing_of(program, program->values.data[argument].type)))
            return false;
    }
    enum passing result = passing_of(program, call->type);
    return result == PASSED_NOT || serves(result, passing_of(program, type->element));
}

void pta_call(struct pta *pta, uint32_t id) {
    const struct instruction *instruction =
        &pta->program->instructions.data[pta->calls.data[id].instruction];
    if (instruction->callee != NO_ID)
        link_call(pta, id, instruction->callee);
    else if (pta->program->values.data[instruction->called].kind == VALUE_ASSEMBLY)
        pta_assembly(pta, instruction);
    else
        andersen_watch(pta->solver, instruction->called, pta_datum(WATCH_CALL, id));
}

void pta_call_back(struct pta *pta, function_id id, struct callback callback) {
    const struct function *function = &pta->program->functions.data[id];
    struct function_info *info = &pta->functions[id];
    if (!(function->flags & FUNCTION_DEFINED))
        return;
    for (uint32_t i = 0; i < function->arguments.count; i++)
        if (pta_is_passed(pta->program, function->arguments.first + i))
            andersen_copy(pta->solver, function->arguments.first + i, callback.parameter);
    if (function->flags & FUNCTION_VARIADIC)
        andersen_copy(pta->solver, andersen_written(pta->solver, pta_variadic(pta, id)),
                      callback.parameter);
    bool is_first = !info->is_called_back;
    info->is_called_back = true;
    pta->objects.data[info->object].flags |= PTA_CALLED_BACK;
    pta_blocks_to_environment(pta, id, is_first, callback.returned);
    if (callback.returned == NO_ID)
        return;
    andersen_copy(pta->solver, callback.returned, info->returned);
    andersen_copy(pta->solver, callback.returned, callback.parameter);
}

/* An instruction may move what it reaches to all that it reaches. */
static void reached_by_assembly(struct pta *pta, uint32_t node, uint32_t object) {
    struct pta_object of = pta->objects.data[object];
    if (of.kind == PTA_FUNCTION) {
        pta_call_back(pta, of.id, (struct callback){node, node});
        return;
    }
    andersen_copy(pta->solver, node, andersen_read(pta->solver, object));
    andersen_copy(pta->solver, andersen_written(pta->solver, object), node);
}

/* What the environment can look into, it can read, write, call and keep. */
static void reached_by_environment(struct pta *pta, uint32_t object) {
    struct pta_object of = pta->objects.data[object];
    if (of.kind == PTA_ENVIRONMENT || of.kind == PTA_HANDLES || of.flags & PTA_ESCAPED)
        return;
    pta->objects.data[object].flags |= PTA_ESCAPED;
    if (of.kind == PTA_FUNCTION) {
        pta_call_back(pta, of.id, (struct callback){pta->seen, pta->reach});
        return;
    }
    /* All that it holds comes to `seen` and back to all of it: nothing is lost. */
    andersen_collapse(pta->solver, object);
    andersen_copy(pta->solver, pta->reach, andersen_read(pta->solver, object));
    if (of.memory == NO_ID || !(pta->program->memory.data[of.memory].flags & MEMORY_CONSTANT))
        andersen_copy(pta->solver, andersen_written(pta->solver, object), pta->seen);
}

void pta_hook(void *context, uint32_t datum, uint32_t location) {
    struct pta *pta = context;
    uint32_t index = datum >> WATCH_BITS;
    uint32_t object = andersen_location(pta->solver, location).object;
    struct pta_object of = pta->objects.data[object];
    switch ((enum watch)(datum & ((1 << WATCH_BITS) - 1))) {
    case WATCH_CALL:
        if (of.kind == PTA_FUNCTION) {
            instruction_id call = pta->calls.data[index].instruction;
            if (can_enter(pta, &pta->program->instructions.data[call], of.id))
                link_call(pta, index, of.id);
        } else if (of.kind == PTA_ENVIRONMENT)
            link_call(pta, index, NO_ID);
        break;
    case WATCH_REACH:
        reached_by_environment(pta, object);
        break;
    case WATCH_CALLBACK:
        if (of.kind == PTA_FUNCTION)
            pta_call_back(pta, of.id, pta->callbacks.data[index]);
        break;
    case WATCH_ASSEMBLY:
        reached_by_assembly(pta, index, object);
        break;
    }
}
