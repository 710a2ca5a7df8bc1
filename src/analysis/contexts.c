/*
 * Which functions are copied for which calls; contexts.h.
 *
 * A function is worth it if it, or one that it calls, follows pointers that are in memory, stores
 * some there, allocates, or calls by a pointer.  Functions that do no more than read and write
 * what their parameters point to are told apart as they are (parts.h).
 *
 * In rounds: in each, all direct calls of a function but one get a copy of it; a call from where
 * its address is taken, or from outside of the program, keeps the function itself.  What a copy
 * calls has one call more in the next round.  A function that calls itself does so in its copy;
 * of those that call each other in a circle none is copied.
 *
 * Cost: linear in what there is and what is added.
 */
#include "analysis/contexts.h"

#include <stdlib.h>

#include "analysis/components.h"
#include "program/copies.h"

enum { MOST_ROUNDS = 16 };

struct site_list {
    uint32_t *start; /* by function, and one more */
    instruction_id *calls;
};

struct contexts {
    struct program *program;
    struct copies *copies;
    bool *is_worth; /* by function of the program as it was */
    uint32_t most, added, count;
};

static function_id original_of(const struct program *program, function_id function) {
    function_id of = program->functions.data[function].copy_of;
    return of != NO_ID ? of : function;
}

static function_id callee_of(const struct program *program, instruction_id id) {
    const struct instruction *call = &program->instructions.data[id];
    return call->flags & INSTRUCTION_CALL && !(call->flags & INSTRUCTION_INDIRECT) &&
                   call->callee != NO_ID &&
                   program->functions.data[call->callee].flags & FUNCTION_DEFINED
               ? call->callee
               : NO_ID;
}

/* Is an address one that was loaded, or computed from such a one or from a parameter? */
static bool is_behind_pointer(const struct program *program, value_id address) {
    int64_t offset;
    if (address == NO_ID)
        return false;
    const struct value *value =
        &program->values.data[program_strip_offsets(program, address, &offset)];
    return value->kind == VALUE_ARGUMENT ||
           (value->kind == VALUE_INSTRUCTION &&
            program->instructions.data[value->definition].object == NO_ID);
}

/* What makes it matter who calls. */
static bool handles_pointers(const struct program *program, instruction_id id) {
    const struct instruction *at = &program->instructions.data[id];
    if (at->flags & INSTRUCTION_SYNTHETIC)
        return false;
    if (at->flags & INSTRUCTION_CALL && callee_of(program, id) == NO_ID &&
        at->flags & INSTRUCTION_INDIRECT)
        return true;
    if (at->object != NO_ID && (program->memory.data[at->object].kind == MEMORY_HEAP ||
                                program->memory.data[at->object].kind == MEMORY_MAPPING))
        return true;
    if (at->opcode == OP_LOAD)
        return program->types.data[at->type].has_pointers &&
               is_behind_pointer(program, at->read_at);
    if (at->opcode == OP_STORE) {
        value_id stored = program->operands.data[at->operands.first];
        return program->types.data[program->values.data[stored].type].has_pointers &&
               is_behind_pointer(program, at->written_at);
    }
    return at->intrinsic != INTRINSIC_NONE && at->read_at != NO_ID && at->written_at != NO_ID &&
           is_behind_pointer(program, at->written_at);
}

/* Callees first. */
static void find_worth(struct contexts *contexts) {
    const struct program *program = contexts->program;
    uint32_t functions = (uint32_t)program->functions.count;
    VEC(uint32_t) start = {0}, callees = {0};
    for (function_id f = 0; f < functions; f++) {
        struct range all = program->functions.data[f].instructions;
        VEC_PUSH(&start, (uint32_t)callees.count);
        for (instruction_id i = all.first; i < all.first + all.count; i++)
            if (callee_of(program, i) != NO_ID)
                VEC_PUSH(&callees, callee_of(program, i));
    }
    VEC_PUSH(&start, (uint32_t)callees.count);
    uint32_t *component CLEANUP_FREE = mem_alloc((functions + 1) * sizeof *component);
    uint32_t *members CLEANUP_FREE = mem_alloc((functions + 1) * sizeof *members);
    components_find(functions, start.data, callees.data, component, members);
    contexts->is_worth = mem_zalloc(functions + 1, sizeof *contexts->is_worth);
    for (uint32_t m = 0; m < functions; m++) {
        function_id f = members[m];
        struct range all = program->functions.data[f].instructions;
        bool handles = false;
        for (instruction_id i = all.first; i < all.first + all.count && !handles; i++)
            handles = handles_pointers(program, i) ||
                      (callee_of(program, i) != NO_ID && contexts->is_worth[callee_of(program, i)]);
        contexts->is_worth[f] = handles;
    }
    /* In a circle of several. */
    for (uint32_t m = 0; m + 1 < functions; m++)
        if (component[members[m]] == component[members[m + 1]])
            contexts->is_worth[members[m]] = contexts->is_worth[members[m + 1]] = false;
    for (function_id f = 0; f < functions; f++)
        contexts->is_worth[f] &= copies_can_add(contexts->copies, f);
    VEC_DEINIT(&start);
    VEC_DEINIT(&callees);
}

/* All direct calls, by whom they enter, but those that a function makes of itself. */
static struct site_list find_sites(const struct program *program) {
    size_t functions = program->functions.count;
    struct site_list sites = {mem_zalloc(functions + 2, sizeof *sites.start), NULL};
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        function_id callee = callee_of(program, i);
        if (callee != NO_ID && callee != program_function_of(program, i))
            sites.start[callee + 2]++;
    }
    for (size_t f = 0; f < functions; f++)
        sites.start[f + 1] += sites.start[f];
    sites.calls = mem_alloc(((size_t)sites.start[functions] + program->instructions.count + 1) *
                            sizeof *sites.calls);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        function_id callee = callee_of(program, i);
        if (callee != NO_ID && callee != program_function_of(program, i))
            sites.calls[sites.start[callee + 1]++] = i;
    }
    return sites;
}

static void copy_for(struct contexts *contexts, function_id function, instruction_id call) {
    struct program *program = contexts->program;
    function_id copy = copies_add(contexts->copies, function);
    struct range all = program->functions.data[copy].instructions;
    for (instruction_id i = all.first; i < all.first + all.count; i++)
        if (callee_of(program, i) == function)
            copies_enter(contexts->copies, i, copy);
    copies_enter(contexts->copies, call, copy);
    contexts->added += all.count;
    contexts->count++;
}

struct candidate {
    uint64_t cost;
    function_id function;
    uint32_t first; /* of its calls that get a copy */
};

static int compare_candidates(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Is there anything left to do? */
static bool run_round(struct contexts *contexts) {
    struct program *program = contexts->program;
    struct site_list sites = find_sites(program);
    VEC(struct candidate) candidates = {0};
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!contexts->is_worth[original_of(program, f)])
            continue;
        bool is_kept = function->flags & (FUNCTION_ADDRESS_TAKEN | FUNCTION_VISIBLE);
        uint32_t first = sites.start[f] + (is_kept ? 0 : 1);
        if (first < sites.start[f + 1])
            VEC_PUSH(&candidates, (struct candidate){(uint64_t)function->instructions.count *
                                                         (sites.start[f + 1] - first),
                                                     f, first});
    }
    if (candidates.count)
        qsort(candidates.data, candidates.count, sizeof *candidates.data, compare_candidates);
    uint32_t before = contexts->count;
    for (size_t i = 0; i < candidates.count; i++) {
        const struct candidate *of = &candidates.data[i];
        if (contexts->added + of->cost > contexts->most)
            break;
        for (uint32_t s = of->first; s < sites.start[of->function + 1]; s++)
            copy_for(contexts, of->function, sites.calls[s]);
    }
    VEC_DEINIT(&candidates);
    free(sites.start);
    free(sites.calls);
    return contexts->count > before;
}

uint32_t contexts_tell_apart(struct program *program, uint32_t most) {
    struct contexts contexts = {.program = program, .copies = copies_begin(program), .most = most};
    find_worth(&contexts);
    for (uint32_t round = 0; round < MOST_ROUNDS && run_round(&contexts); round++)
        ;
    copies_end(contexts.copies);
    free(contexts.is_worth);
    return contexts.count;
}
