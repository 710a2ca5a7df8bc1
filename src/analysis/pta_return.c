/*
 * What a function returns, as its callers should see it.
 *
 * Callers are not told apart, with two exceptions that matter in C, where most
 * programs have an xmalloc() of their own and a create() on top of it:
 *
 *   - A result that is memory allocated during this very call, by a call in the
 *     function whose result it returns, gets its name at the call of the function.
 *     Inside, that memory has the names of all callers.
 *   - A result that is a parameter is the argument of that call.
 *
 * Both are read off the code: from each return backwards, through phis, selects
 * and locals that are only loaded and stored (what -O0 makes of variables).
 *
 *     fresh(inner call) >= fresh(c)            for each call c of the function
 *     result(c)         >= fresh(c), plain(inner call), arguments given back
 *
 * Calls allocate, and functions give back, only once it is known that what they
 * call does, which indirect calls tell during solving (pta_call.c).
 */
#include <stdlib.h>

#include "analysis/pta_impl.h"

/* Leaves of a return value before it is taken as any value. */
enum { MOST_SOURCES = 64 };

static memory_id local_of(const struct pta *pta, value_id address) {
    const struct instruction *made = pta_definition(pta, address);
    if (!made || made->object == NO_ID)
        return NO_ID;
    uint8_t kind = pta->program->memory.data[made->object].kind;
    return kind == MEMORY_SLOT || kind == MEMORY_STACK ? made->object : NO_ID;
}

static bool is_whole(const struct pta *pta, memory_id local, const struct instruction *access) {
    return access->access_size == pta->program->memory.data[local].size &&
           !(access->flags & (INSTRUCTION_ATOMIC | INSTRUCTION_VOLATILE));
}

static void note_use(struct pta *pta, const struct instruction *user, uint32_t number) {
    memory_id local = local_of(pta, pta_operand(pta, user, number));
    if (local == NO_ID || user->intrinsic == INTRINSIC_LIFETIME)
        return;
    if (user->opcode == OP_LOAD && is_whole(pta, local, user))
        return;
    if (user->opcode == OP_STORE && number == 1 && is_whole(pta, local, user))
        VEC_PUSH(&pta->locals[local].stored, pta_operand(pta, user, 0));
    else
        pta->locals[local].is_plain = false;
}

void pta_find_locals(struct pta *pta) {
    pta->locals = mem_zalloc(pta->program->memory.count + 1, sizeof *pta->locals);
    for (size_t i = 0; i < pta->program->memory.count; i++)
        pta->locals[i].is_plain = true;
    for (size_t i = 0; i < pta->program->instructions.count; i++) {
        const struct instruction *user = &pta->program->instructions.data[i];
        for (uint32_t n = 0; n < user->operands.count; n++)
            note_use(pta, user, n);
    }
}

/* The values that may be in a value because of a local; NULL if it is no load
 * of a plain one. */
static const struct local *loaded_local(const struct pta *pta, const struct instruction *made) {
    if (!made || made->opcode != OP_LOAD)
        return NULL;
    memory_id local = local_of(pta, made->read_at);
    return local != NO_ID && pta->locals[local].is_plain ? &pta->locals[local] : NULL;
}

value_id pta_origin(const struct pta *pta, value_id value) {
    for (;;) {
        const struct instruction *made = pta_definition(pta, value);
        const struct local *local = loaded_local(pta, made);
        if (local && local->stored.count == 1)
            value = local->stored.data[0];
        else if (made && (made->opcode == OP_FREEZE || made->opcode == OP_BITCAST))
            value = pta_operand(pta, made, 0);
        else
            return value;
    }
}

struct sources {
    uint32_t count;
    value_id values[MOST_SOURCES];
};

/* False if there are too many. */
static bool add_source(struct sources *sources, value_id value) {
    for (uint32_t i = 0; i < sources->count; i++)
        if (sources->values[i] == value)
            return true;
    if (sources->count == MOST_SOURCES)
        return false;
    sources->values[sources->count++] = value;
    return true;
}

/* Adds what a value is made of; true if it is a leaf itself. */
static bool expand(const struct pta *pta, struct sources *sources, value_id value, bool *fits) {
    const struct instruction *made = pta_definition(pta, value);
    const struct local *local = loaded_local(pta, made);
    if (local) {
        for (size_t i = 0; i < local->stored.count; i++)
            *fits &= add_source(sources, local->stored.data[i]);
        return false;
    }
    if (!made || (made->opcode != OP_PHI && made->opcode != OP_SELECT &&
                  made->opcode != OP_FREEZE && made->opcode != OP_BITCAST))
        return true;
    for (uint32_t i = made->opcode == OP_SELECT; i < made->operands.count; i++)
        *fits &= add_source(sources, pta_operand(pta, made, i));
    return false;
}

static void returns_value(struct pta *pta, function_id function, value_id value) {
    struct function_info *info = &pta->functions[function];
    const struct value *of = &pta->program->values.data[value];
    uint32_t call = of->kind == VALUE_INSTRUCTION ? pta->call_of[of->definition] : NO_ID;
    if (call != NO_ID && pta->names_by_caller) {
        if (!pta->calls.data[call].is_forwarded)
            VEC_PUSH(&info->forwards, call);
        pta->calls.data[call].is_forwarded = true;
    } else if (of->kind == VALUE_ARGUMENT && of->number < 64) {
        info->gives_back |= 1ULL << of->number;
    } else {
        andersen_copy(pta->solver, info->returned, value);
    }
}

/* Too many names, where a program keeps freed memory in lists of its own, say
 * nothing and cost much: then names_by_caller is off, and memory is named by the
 * call of the allocator (pta.c). */
static void returns(struct pta *pta, function_id function, value_id value) {
    struct sources sources = {0};
    bool fits = add_source(&sources, value);
    bool is_leaf[MOST_SOURCES];
    for (uint32_t i = 0; i < sources.count; i++)
        is_leaf[i] = expand(pta, &sources, sources.values[i], &fits);
    if (!fits) {
        andersen_copy(pta->solver, pta->functions[function].returned, value);
        return;
    }
    for (uint32_t i = 0; i < sources.count; i++)
        if (is_leaf[i])
            returns_value(pta, function, sources.values[i]);
}

void pta_returns(struct pta *pta, function_id function) {
    struct range instructions = pta->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        const struct instruction *instruction =
            &pta->program->instructions.data[instructions.first + i];
        if (instruction->opcode == OP_RETURN && instruction->operands.count)
            returns(pta, function, pta_operand(pta, instruction, 0));
    }
}
