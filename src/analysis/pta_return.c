/*
 * What a function hands on, as its callers should see it.
 *
 * Callers are not told apart, with two exceptions that matter in C, where most
 * programs have an xmalloc() of their own and a create() on top of it:
 *
 *   - Memory that is allocated during this very call, by a call in the function whose
 *     result it returns, maybe moved by a header, or stores where a parameter points, gets
 *     its name at the call of the function.  Inside, that memory has the names of all
 *     callers (pta_block.c).
 *   - A result that is a parameter is the argument of that call.
 *
 * Both are read off the code: from each return, and each store to a parameter's target,
 * backwards, through phis, selects and locals that are only loaded and stored (what -O0
 * makes of variables); through pointer arithmetic only where it leads to calls alone.
 *
 * Calls allocate, and functions give back, only once it is known that what they
 * call does, which indirect calls tell during solving (pta_call.c).
 */
#include <stdlib.h>

#include "analysis/pta_impl.h"

/* Leaves of a return value before it is taken as any value. */
enum { MOST_SOURCES = 64 };

memory_id pta_local(const struct pta *pta, value_id address) {
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
    memory_id local = pta_local(pta, pta_operand(pta, user, number));
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
    memory_id local = pta_local(pta, made->read_at);
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

static uint32_t call_of_value(const struct pta *pta, value_id value) {
    const struct value *of = &pta->program->values.data[value];
    return of->kind == VALUE_INSTRUCTION ? pta->call_of[of->definition] : NO_ID;
}

static bool is_nothing(const struct pta *pta, value_id value) {
    uint8_t kind = pta->program->values.data[value].kind;
    return kind == VALUE_NULL || kind == VALUE_UNDEFINED;
}

struct source {
    value_id value;
    struct move move; /* from it to what is asked for */
    bool is_expanded, is_leaf;
};

struct sources {
    uint32_t count;
    struct source all[MOST_SOURCES];
};

/* False if there are too many. */
static bool add_source(struct sources *sources, value_id value, struct move move) {
    for (uint32_t i = 0; i < sources->count; i++) {
        struct source *known = &sources->all[i];
        if (known->value != value)
            continue;
        struct move both = pta_either_move(known->move, move);
        known->is_expanded &= pta_is_same_move(both, known->move);
        known->move = both;
        return true;
    }
    if (sources->count == MOST_SOURCES)
        return false;
    sources->all[sources->count++] = (struct source){.value = value, .move = move};
    return true;
}

/* Adds what a value is made of; true if it is a leaf itself. */
static bool expand(const struct pta *pta, struct sources *sources, struct source of,
                   bool goes_by_offsets, bool *fits) {
    const struct instruction *made = pta_definition(pta, of.value);
    const struct local *local = loaded_local(pta, made);
    if (local) {
        for (size_t i = 0; i < local->stored.count; i++)
            *fits &= add_source(sources, local->stored.data[i], of.move);
        return false;
    }
    if (goes_by_offsets && made && made->opcode == OP_GEP && made->object == NO_ID &&
        !is_nothing(pta, pta_operand(pta, made, 0))) {
        *fits &= add_source(sources, pta_operand(pta, made, 0),
                            pta_both_moves(of.move, pta_gep_move(pta, made)));
        return false;
    }
    if (!made || (made->opcode != OP_PHI && made->opcode != OP_SELECT &&
                  made->opcode != OP_FREEZE && made->opcode != OP_BITCAST))
        return true;
    for (uint32_t i = made->opcode == OP_SELECT; i < made->operands.count; i++)
        *fits &= add_source(sources, pta_operand(pta, made, i), of.move);
    return false;
}

/* The leaves of a value; false if there are too many. */
static bool find_sources(const struct pta *pta, value_id value, bool goes_by_offsets,
                         struct sources *ret) {
    bool fits = true;
    ret->count = 0;
    add_source(ret, value, (struct move){0});
    for (bool any = true; any && fits;) {
        any = false;
        for (uint32_t i = 0; i < ret->count && fits; i++) {
            if (ret->all[i].is_expanded)
                continue;
            any = ret->all[i].is_expanded = true;
            ret->all[i].is_leaf = expand(pta, ret, ret->all[i], goes_by_offsets, &fits);
        }
    }
    return fits;
}

/* Where a value goes that is found to be made of leaves. */
struct way {
    function_id function;
    uint32_t param;   /* it is stored where this points; NO_ID: it is returned */
    uint32_t address; /* node; with a param */
};

static void goes_plainly(struct pta *pta, const struct way *way, uint32_t node) {
    if (way->param == NO_ID)
        andersen_copy(pta->solver, pta->functions[way->function].returned, node);
    else
        andersen_store(pta->solver, way->address, node, 0, GRANULE);
}

static void forward(struct pta *pta, const struct way *way, uint32_t call, struct move move) {
    pta->calls.data[call].is_forwarded = true;
    VEC_PUSH(
        &pta->functions[way->function].forwards,
        (struct forward){.call = call, .param = way->param, .move = move, .address = way->address});
}

/* A value that is moved from the results of calls, and from nothing else: the block behind a
 * header. */
static bool goes_moved(struct pta *pta, const struct way *way, value_id value) {
    struct sources sources;
    const struct instruction *made = pta_definition(pta, value);
    bool any = false;
    if (pta->names < NAMES_OF_ALL || !made || made->opcode != OP_GEP ||
        !find_sources(pta, value, true, &sources))
        return false;
    for (uint32_t i = 0; i < sources.count; i++) {
        const struct source *source = &sources.all[i];
        bool is_call = call_of_value(pta, source->value) != NO_ID;
        any |= source->is_leaf && is_call;
        if (source->is_leaf && !is_call && !is_nothing(pta, source->value))
            return false;
    }
    for (uint32_t i = 0; i < sources.count && any; i++)
        if (sources.all[i].is_leaf && !is_nothing(pta, sources.all[i].value))
            forward(pta, way, call_of_value(pta, sources.all[i].value), sources.all[i].move);
    pta->names_others |= any;
    return any;
}

static void goes(struct pta *pta, const struct way *way, value_id value) {
    const struct value *of = &pta->program->values.data[value];
    uint32_t call = call_of_value(pta, value);
    if (call != NO_ID && pta->names >= NAMES_OF_RETURNED)
        forward(pta, way, call, (struct move){0});
    else if (of->kind == VALUE_ARGUMENT && of->number < 64 && way->param == NO_ID)
        pta->functions[way->function].gives_back |= 1ULL << of->number;
    else if (!goes_moved(pta, way, value))
        goes_plainly(pta, way, value);
}

static void returns(struct pta *pta, function_id function, value_id value) {
    struct way way = {.function = function, .param = NO_ID};
    struct sources sources;
    if (!find_sources(pta, value, false, &sources)) {
        goes_plainly(pta, &way, value);
        return;
    }
    for (uint32_t i = 0; i < sources.count; i++)
        if (sources.all[i].is_leaf)
            goes(pta, &way, sources.all[i].value);
}

/* Stores a result of a call, maybe moved, where a parameter points. */
static void hands_out(struct pta *pta, function_id function, instruction_id id) {
    const struct instruction *store = &pta->program->instructions.data[id];
    struct way way = {.function = function, .address = store->written_at};
    value_id value = pta_operand(pta, store, 0);
    struct sources sources;
    if (store->access_size != GRANULE ||
        store->flags & (INSTRUCTION_ATOMIC | INSTRUCTION_VOLATILE) ||
        !pta_is_parameter(pta, store->written_at, &way.param) ||
        !find_sources(pta, value, false, &sources))
        return;
    bool any = false;
    for (uint32_t i = 0; i < sources.count && !any; i++) {
        const struct instruction *made = pta_definition(pta, sources.all[i].value);
        any = sources.all[i].is_leaf && made &&
              (made->opcode == OP_GEP || call_of_value(pta, sources.all[i].value) != NO_ID);
    }
    if (!any)
        return;
    pta->names_others = true;
    bitset_add(&pta->handed_out, id);
    for (uint32_t i = 0; i < sources.count; i++)
        if (sources.all[i].is_leaf)
            goes(pta, &way, sources.all[i].value);
}

void pta_returns(struct pta *pta, function_id function) {
    struct range instructions = pta->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        const struct instruction *instruction =
            &pta->program->instructions.data[instructions.first + i];
        if (instruction->opcode == OP_RETURN && instruction->operands.count)
            returns(pta, function, pta_operand(pta, instruction, 0));
        if (instruction->opcode == OP_STORE && pta->names == NAMES_OF_ALL)
            hands_out(pta, function, instructions.first + i);
    }
}
