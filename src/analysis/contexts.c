/*
 * Which functions are copied for which calls; contexts.h.
 *
 * A function is worth it if it, or one that it calls, follows pointers that are in memory, stores
 * some there, allocates, calls by a pointer, or works on threads and locks.  Functions that do no
 * more than read and write what their parameters point to are told apart as they are (parts.h).
 *
 * In rounds: in each, all direct calls of a function but one get a copy of it; a call by its
 * address, or from outside of the program, keeps the function itself.  What a copy calls has one
 * call more in the next round.  A function that calls itself does so in its copy; of those that
 * call each other in a circle none is copied.  A call that creates a thread, or sorts, by a
 * function that it names is one of that function (Krinke's section 4.3: threads that share code).
 *
 * Cost: linear in what there is and what is added.
 */
#include "analysis/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/components.h"
#include "analysis/threads.h"
#include "program/copies.h"

enum { MOST_ROUNDS = 16 };

/* A direct call of a function, or a call of an external one that is given it. */
struct site {
    function_id function;
    instruction_id call;
    uint32_t argument; /* NO_ID: it is called */
};

struct site_list {
    uint32_t *start; /* by function, and one more */
    struct site *sites;
};

struct contexts {
    struct program *program;
    struct copies *copies;
    /* By function of the program as it was. */
    bool *is_worth;
    bool *is_mutual; /* one of several that call each other */
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

/* Does it call something that works on a thread, a lock or the like?  Which one can decide about
 * the order of threads. */
static bool is_about_threads(const struct program *program, instruction_id id) {
    static const char *const prefixes[] = {"pthread_", "sem_", "thrd_", "mtx_", "cnd_"};
    const struct instruction *call = &program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID)
        return false;
    const char *name = threads_plain_name(program, call->callee);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* The function of the program that an argument of a call is, if it is called there or begins
 * there, and its memory is that which the call passes. */
static function_id passed_to(const struct program *program, instruction_id id, uint32_t argument) {
    static const char *const names[] = {"pthread_create", "thrd_create", "qsort",
                                        "qsort_r",        "bsearch",     NULL};
    const struct instruction *call = &program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID ||
        program->functions.data[call->callee].flags & FUNCTION_DEFINED)
        return NO_ID;
    const struct value *passed =
        &program->values.data[program->operands.data[call->operands.first + argument]];
    const char *callee = threads_plain_name(program, call->callee);
    for (size_t i = 0; passed->kind == VALUE_FUNCTION && names[i]; i++)
        if (strcmp(callee, names[i]) == 0 &&
            program->functions.data[passed->definition].flags & FUNCTION_DEFINED)
            return passed->definition;
    return NO_ID;
}

/* What makes it matter who calls. */
static bool handles_pointers(const struct program *program, instruction_id id) {
    const struct instruction *at = &program->instructions.data[id];
    if (at->flags & INSTRUCTION_SYNTHETIC)
        return false;
    if (at->flags & INSTRUCTION_INDIRECT || is_about_threads(program, id))
        return true;
    for (uint32_t i = 0; at->flags & INSTRUCTION_CALL && i < at->operands.count; i++)
        if (passed_to(program, id, i) != NO_ID)
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
    contexts->is_mutual = mem_zalloc(functions + 1, sizeof *contexts->is_mutual);
    for (uint32_t m = 0; m < functions; m++) {
        function_id f = members[m];
        struct range all = program->functions.data[f].instructions;
        bool handles = false;
        for (instruction_id i = all.first; i < all.first + all.count && !handles; i++)
            handles = handles_pointers(program, i) ||
                      (callee_of(program, i) != NO_ID && contexts->is_worth[callee_of(program, i)]);
        contexts->is_worth[f] = handles;
    }
    for (uint32_t m = 0; m + 1 < functions; m++)
        if (component[members[m]] == component[members[m + 1]])
            contexts->is_mutual[members[m]] = contexts->is_mutual[members[m + 1]] = true;
    for (function_id f = 0; f < functions; f++)
        contexts->is_worth[f] &= !contexts->is_mutual[f];
    VEC_DEINIT(&start);
    VEC_DEINIT(&callees);
}

typedef VEC(struct site) site_vec;

static void add_sites(const struct program *program, instruction_id id, site_vec *ret) {
    const struct instruction *call = &program->instructions.data[id];
    function_id callee = callee_of(program, id);
    if (!(call->flags & INSTRUCTION_CALL))
        return;
    if (callee != NO_ID && callee != program_function_of(program, id))
        VEC_PUSH(ret, (struct site){callee, id, NO_ID});
    for (uint32_t i = 0; callee == NO_ID && i < call->operands.count; i++) {
        function_id passed = passed_to(program, id, i);
        if (passed != NO_ID)
            VEC_PUSH(ret, (struct site){passed, id, i});
    }
}

/* All calls, by whom they enter, but those that a function makes of itself. */
static struct site_list find_sites(const struct program *program) {
    size_t functions = program->functions.count;
    site_vec all = {0};
    for (instruction_id i = 0; i < program->instructions.count; i++)
        add_sites(program, i, &all);
    struct site_list list = {mem_zalloc(functions + 2, sizeof *list.start),
                             mem_alloc((all.count + 1) * sizeof *list.sites)};
    for (size_t i = 0; i < all.count; i++)
        list.start[all.data[i].function + 2]++;
    for (size_t f = 0; f < functions; f++)
        list.start[f + 1] += list.start[f];
    for (size_t i = 0; i < all.count; i++)
        list.sites[list.start[all.data[i].function + 1]++] = all.data[i];
    VEC_DEINIT(&all);
    return list;
}

/* By function: are there other uses of it than those calls?  The caller frees. */
static bool *find_kept(const struct program *program, const struct site_list *list) {
    size_t functions = program->functions.count;
    uint32_t *uses CLEANUP_FREE = mem_zalloc(functions + 1, sizeof *uses);
    bool *kept = mem_zalloc(functions + 1, sizeof *kept);
    for (size_t i = 0; i < program->operands.count; i++) {
        const struct value *value = &program->values.data[program->operands.data[i]];
        if (value->kind == VALUE_FUNCTION)
            uses[value->definition]++;
    }
    for (uint32_t i = 0; i < list->start[functions]; i++)
        if (list->sites[i].argument != NO_ID)
            uses[list->sites[i].function]--;
    for (size_t i = 0; i < program->initial_pointers.count; i++) {
        const struct value *value = &program->values.data[program->initial_pointers.data[i].value];
        if (value->kind == VALUE_FUNCTION)
            uses[value->definition]++;
    }
    for (function_id f = 0; f < functions; f++)
        kept[f] = uses[f] || program->functions.data[f].flags & FUNCTION_VISIBLE;
    return kept;
}

static void copy_for(struct contexts *contexts, const struct site *site) {
    struct program *program = contexts->program;
    function_id copy = copies_add(contexts->copies, site->function);
    struct range all = program->functions.data[copy].instructions;
    for (instruction_id i = all.first; i < all.first + all.count; i++)
        if (callee_of(program, i) == site->function)
            copies_enter(contexts->copies, i, copy);
    if (site->argument == NO_ID)
        copies_enter(contexts->copies, site->call, copy);
    else
        copies_pass(contexts->copies, site->call, site->argument, copy);
    contexts->added += all.count;
    contexts->count++;
}

struct candidate {
    uint64_t cost;
    function_id function;
    uint32_t first, end; /* its calls that get a copy */
};

static int compare_candidates(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

typedef VEC(struct candidate) candidate_vec;

static void find_candidates(const struct contexts *contexts, const struct site_list *list,
                            candidate_vec *ret) {
    const struct program *program = contexts->program;
    bool *kept CLEANUP_FREE = find_kept(program, list);
    for (function_id f = 0; f < program->functions.count; f++) {
        uint32_t first = list->start[f] + !kept[f], end = list->start[f + 1];
        bool is_passed = end > list->start[f] && list->sites[end - 1].argument != NO_ID;
        function_id original = original_of(program, f);
        if (first >= end || !copies_can_add(contexts->copies, f) ||
            !(contexts->is_worth[original] || (is_passed && !contexts->is_mutual[original])))
            continue;
        uint64_t size = program->functions.data[f].instructions.count;
        VEC_PUSH(ret, (struct candidate){size * (end - first), f, first, end});
    }
    if (ret->count)
        qsort(ret->data, ret->count, sizeof *ret->data, compare_candidates);
}

/* Is there perhaps something left to do? */
static bool run_round(struct contexts *contexts) {
    struct site_list list = find_sites(contexts->program);
    candidate_vec candidates = {0};
    find_candidates(contexts, &list, &candidates);
    uint32_t before = contexts->count;
    for (size_t i = 0; i < candidates.count; i++) {
        const struct candidate *of = &candidates.data[i];
        if (contexts->added + of->cost > contexts->most)
            break;
        for (uint32_t s = of->first; s < of->end; s++)
            copy_for(contexts, &list.sites[s]);
    }
    VEC_DEINIT(&candidates);
    free(list.start);
    free(list.sites);
    return contexts->count > before;
}

uint32_t contexts_tell_apart(struct program *program, uint32_t most) {
    struct contexts contexts = {.program = program, .copies = copies_begin(program), .most = most};
    find_worth(&contexts);
    for (uint32_t round = 0; round < MOST_ROUNDS && run_round(&contexts); round++)
        ;
    copies_end(contexts.copies);
    free(contexts.is_worth);
    free(contexts.is_mutual);
    return contexts.count;
}
