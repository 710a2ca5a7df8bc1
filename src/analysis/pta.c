/*
 * Points-to analysis: building the constraints, solving, and answers; pta.h.
 *
 * Cost: one pass over the program, then andersen.c's.
 */
#include "analysis/pta_impl.h"

#include <stdlib.h>
#include <string.h>

/* More than that, and names of memory by caller are given up. */
enum { MOST_LOCATIONS_WITH_NAMES = 60000 };

static void find_calls(struct pta *pta) {
    const struct program *program = pta->program;
    pta->call_of = mem_alloc((program->instructions.count + 1) * sizeof *pta->call_of);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *instruction = &program->instructions.data[i];
        pta->call_of[i] = NO_ID;
        if (!(instruction->flags & INSTRUCTION_CALL) || instruction->flags & INSTRUCTION_SYNTHETIC)
            continue;
        pta->call_of[i] = (uint32_t)pta->calls.count;
        VEC_PUSH(&pta->calls, (struct call){
                                  .instruction = i,
                                  .caller = program_function_of(program, i),
                                  .result = instruction->result,
                                  .plain = instruction->result,
                                  .start = NO_ID,
                                  .object = NO_ID,
                                  .memory = NO_ID,
                                  .param = NO_ID,
                              });
    }
    for (memory_id i = 0; i < program->memory.count; i++) {
        const struct memory *memory = &program->memory.data[i];
        if ((memory->kind == MEMORY_HEAP || memory->kind == MEMORY_MAPPING) &&
            pta->call_of[memory->site] != NO_ID)
            pta->calls.data[pta->call_of[memory->site]].memory = i;
    }
}

/* What a function hands on of a call is kept apart from what that call allocates. */
static void split_results(struct pta *pta) {
    for (size_t i = 0; i < pta->calls.count; i++) {
        struct call *call = &pta->calls.data[i];
        if (!call->is_forwarded)
            continue;
        call->plain = andersen_node(pta->solver);
        andersen_copy(pta->solver, call->result, call->plain);
    }
    for (function_id f = 0; f < pta->program->functions.count; f++)
        for (size_t i = 0; i < pta->functions[f].forwards.count; i++) {
            const struct forward *forward = &pta->functions[f].forwards.data[i];
            pta_hand_on(pta, f, forward, pta->calls.data[forward->call].plain);
        }
}

static void find_models(struct pta *pta) {
    for (function_id i = 0; pta->options.models && i < pta->program->functions.count; i++) {
        const struct function *function = &pta->program->functions.data[i];
        const char *name = function->name;
        if (function->flags & (FUNCTION_DEFINED | FUNCTION_INTRINSIC))
            continue;
        if (function->flags & FUNCTION_RUNTIME)
            name += strlen("__recut_");
        pta->functions[i].model = model_table_find(pta->options.models, name);
    }
    for (function_id i = 0; i < pta->program->functions.count; i++)
        pta->blocks_grow |= strstr(pta->program->functions.data[i].name, "realloc") ||
                            strstr(pta->program->functions.data[i].name, "mremap");
}

/* A part of a program, or one that loads libraries by itself, which run when they are loaded. */
static bool has_more_code(const struct program *program) {
    return program_find_function(program, "main", 0) == NO_ID ||
           program_find_function(program, "dlopen", 0) != NO_ID ||
           program_find_function(program, "dlmopen", 0) != NO_ID;
}

/* main, and what runs before and after it, gets argv and the environment. */
static void call_from_outside(struct pta *pta) {
    uint32_t arguments = andersen_node(pta->solver);
    andersen_address(pta->solver, arguments, pta->arguments, 0);
    struct callback callback = {arguments, NO_ID};
    function_id main = program_find_function(pta->program, "main", 0);
    if (main != NO_ID)
        pta_call_back(pta, main, callback);
    for (memory_id i = 0; i < pta->program->memory.count; i++) {
        const struct memory *memory = &pta->program->memory.data[i];
        bool is_list = (memory->name && strncmp(memory->name, "llvm.global_", 12) == 0) ||
                       (memory->section && strstr(memory->section, "_array"));
        for (uint32_t n = 0; is_list && n < memory->pointers.count; n++) {
            const struct value *value =
                &pta->program->values
                     .data[pta->program->initial_pointers.data[memory->pointers.first + n].value];
            if (value->kind == VALUE_FUNCTION)
                pta_call_back(pta, value->definition, callback);
        }
    }
    VEC_PUSH(&pta->callbacks, (struct callback){pta->seen, NO_ID});
    andersen_watch(pta->solver, pta->handlers,
                   pta_datum(WATCH_CALLBACK, (uint32_t)pta->callbacks.count - 1));
}

/* Does the call map memory that others can write?  `name` is what it enters, `any` whether
 * there is another such call, whose memory may be moved. */
static bool may_share(const struct program *program, const struct instruction *call,
                      const char *name, bool any) {
    enum { FLAGS_ARGUMENT = 3, PRIVATE = 2 };
    static const char redirected[] = "__recut_";
    if (strncmp(name, redirected, sizeof redirected - 1) == 0)
        name += sizeof redirected - 1;
    if (strcmp(name, "shmat") == 0)
        return true;
    if (strcmp(name, "mremap") == 0)
        return any;
    if (strcmp(name, "mmap") != 0 && strcmp(name, "mmap64") != 0)
        return false;
    if (call->operands.count <= FLAGS_ARGUMENT)
        return true;
    const struct value *flags =
        &program->values.data[program->operands.data[call->operands.first + FLAGS_ARGUMENT]];
    return flags->kind != VALUE_INT || !(flags->number & PRIVATE);
}

/* Marks what those calls map; says whether there are any. */
static bool mark_shared(struct pta *pta, bool any) {
    bool found = false;
    for (size_t i = 0; i < pta->calls.count; i++) {
        const struct call *call = &pta->calls.data[i];
        bool shares = false;
        for (size_t k = 0; call->start != NO_ID && k < call->callees.count; k++)
            shares |= call->callees.data[k] != NO_ID &&
                      may_share(pta->program, &pta->program->instructions.data[call->instruction],
                                pta->program->functions.data[call->callees.data[k]].name, any);
        if (!shares)
            continue;
        found = true;
        BITSET_EACH(location, andersen_points_to(pta->solver, call->start))
        pta->objects.data[andersen_location(pta->solver, location).object].flags |= PTA_SHARED;
    }
    return found;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void finish(struct pta *pta) {
    if (mark_shared(pta, false))
        mark_shared(pta, true);
    BITSET_EACH(location, andersen_points_to(pta->solver, pta->held))
    pta->objects.data[andersen_location(pta->solver, location).object].flags |= PTA_HELD;
    for (size_t i = 0; i < pta->calls.count; i++) {
        id_vec *callees = &pta->calls.data[i].callees;
        if (callees->count)
            qsort(callees->data, callees->count, sizeof *callees->data, compare_ids);
    }
    for (size_t f = 0; f < pta->program->functions.count; f++) {
        id_vec *callers = &pta->functions[f].callers;
        for (size_t i = 0; i < callers->count; i++)
            callers->data[i] = pta->calls.data[callers->data[i]].instruction;
        if (callers->count)
            qsort(callers->data, callers->count, sizeof *callers->data, compare_ids);
    }
}

static void make_constraints(struct pta *pta) {
    const struct program *program = pta->program;
    andersen_nodes(pta->solver, (uint32_t)program->values.count);
    pta_make_objects(pta);
    find_models(pta);
    find_calls(pta);
    pta_find_needed(pta);
    pta_find_locals(pta);
    pta_find_reached(pta);
    pta_constants(pta);
    pta_initial_values(pta);
    for (function_id f = 0; f < program->functions.count; f++)
        pta_returns(pta, f);
    split_results(pta);
    for (function_id f = 0; f < program->functions.count; f++) {
        struct range instructions = program->functions.data[f].instructions;
        for (uint32_t i = 0; i < instructions.count; i++)
            pta_instruction(pta, f, instructions.first + i);
    }
    call_from_outside(pta);
    if (has_more_code(program))
        pta_show_names(pta);
}

static struct pta *new_pta(const struct program *program, const struct pta_options *options,
                           enum names names) {
    struct pta *pta = mem_zalloc(1, sizeof *pta);
    pta->program = program;
    pta->options = *options;
    pta->names = names;
    pta->solver = andersen_new(pta_hook, pta);
    pta->functions = mem_zalloc(program->functions.count + 1, sizeof *pta->functions);
    pta->memory_objects = mem_alloc((program->memory.count + 1) * sizeof *pta->memory_objects);
    make_constraints(pta);
    return pta;
}

struct pta *pta_build(const struct program *program, const struct pta_options *options) {
    enum names names = options->plain_heap ? NAMES_OF_ALLOCATORS : NAMES_OF_ALL;
    uint32_t most = MOST_LOCATIONS_WITH_NAMES + 4 * (uint32_t)program->memory.count;
    struct pta *pta = new_pta(program, options, names);
    while (!andersen_solve(pta->solver, names == NAMES_OF_ALLOCATORS ? UINT32_MAX : most)) {
        /* Where all is only what is returned, the next would be the same again. */
        names =
            names == NAMES_OF_ALL && pta->names_others ? NAMES_OF_RETURNED : NAMES_OF_ALLOCATORS;
        pta_free(pta);
        pta = new_pta(program, options, names);
    }
    finish(pta);
    return pta;
}

void pta_free(struct pta *pta) {
    if (!pta)
        return;
    andersen_free(pta->solver);
    for (size_t i = 0; i < pta->calls.count; i++) {
        VEC_DEINIT(&pta->calls.data[i].products);
        VEC_DEINIT(&pta->calls.data[i].callees);
    }
    for (size_t i = 0; i < pta->program->functions.count; i++) {
        VEC_DEINIT(&pta->functions[i].forwards);
        VEC_DEINIT(&pta->functions[i].callers);
    }
    for (size_t i = 0; i < pta->program->memory.count; i++)
        VEC_DEINIT(&pta->locals[i].stored);
    VEC_DEINIT(&pta->calls);
    VEC_DEINIT(&pta->objects);
    VEC_DEINIT(&pta->callbacks);
    free(pta->locals);
    free(pta->reached);
    free(pta->needed);
    free(pta->call_of);
    bitset_deinit(&pta->handed_out);
    free(pta->memory_objects);
    free(pta->functions);
    free(pta);
}

uint32_t pta_object_count(const struct pta *pta) { return (uint32_t)pta->objects.count; }

struct pta_object pta_object(const struct pta *pta, uint32_t object) {
    return pta->objects.data[object];
}

uint32_t pta_object_of_function(const struct pta *pta, function_id function) {
    return pta->functions[function].object;
}

uint32_t pta_object_of_memory(const struct pta *pta, memory_id memory) {
    return pta->memory_objects[memory];
}

uint32_t pta_location_count(const struct pta *pta) { return andersen_location_count(pta->solver); }

struct pta_target pta_location(const struct pta *pta, uint32_t id) {
    struct memory_location location = andersen_location(pta->solver, id);
    uint32_t fold = andersen_fold(pta->solver, location.object);
    enum pta_object_kind kind = pta_object(pta, location.object).kind;
    bool is_memory = kind == PTA_MEMORY || kind == PTA_HEAP;
    if (is_memory && fold == ANYWHERE)
        return (struct pta_target){.object = location.object, .stride = ANYWHERE};
    return (struct pta_target){location.object,
                               location.base,
                               location.stride,
                               location.extent,
                               is_memory && fold > ANYWHERE ? fold : 0,
                               location.low < location.high ? location.high : 0,
                               location.width};
}

static bool next_target(const struct pta *pta, const struct bitset *locations,
                        struct pta_cursor *cursor, struct pta_target *ret) {
    uint32_t id;
    if (!bitset_next(locations, &cursor->place, &id))
        return false;
    *ret = pta_location(pta, id);
    return true;
}

bool pta_points_to(const struct pta *pta, value_id value, struct pta_cursor *cursor,
                   struct pta_target *ret) {
    return next_target(pta, andersen_points_to(pta->solver, value), cursor, ret);
}

bool pta_contents(const struct pta *pta, uint32_t object, int64_t offset, struct pta_cursor *cursor,
                  struct pta_target *ret) {
    uint32_t cell = andersen_cell(pta->solver, object, offset);
    return next_target(pta, andersen_points_to(pta->solver, cell), cursor, ret);
}

uint32_t pta_target_count(const struct pta *pta, value_id value) {
    return bitset_count(andersen_points_to(pta->solver, value));
}

uint32_t pta_targets(const struct pta *pta, value_id value) {
    return andersen_set(pta->solver, value);
}

uint32_t pta_set_count(const struct pta *pta) { return andersen_node_count(pta->solver); }

const struct bitset *pta_set(const struct pta *pta, uint32_t targets) {
    return andersen_points_to(pta->solver, targets);
}

bool pta_in_targets(const struct pta *pta, uint32_t targets, struct pta_cursor *cursor,
                    struct pta_target *ret) {
    return next_target(pta, andersen_points_to(pta->solver, targets), cursor, ret);
}

bool pta_next_contents(const struct pta *pta, uint32_t object, uint32_t *at,
                       uint32_t *ret_targets) {
    return andersen_next_set(pta->solver, object, at, ret_targets);
}

bool pta_next_block(const struct pta *pta, instruction_id call, uint32_t *at,
                    uint32_t *ret_targets) {
    uint32_t id = pta->call_of[call];
    if (id == NO_ID || *at >= pta->calls.data[id].products.count)
        return false;
    uint32_t product = pta->calls.data[id].products.data[(*at)++];
    *ret_targets = andersen_set(pta->solver, pta->calls.data[product].result);
    return true;
}

bool pta_may_point_to(const struct pta *pta, value_id value, uint32_t object) {
    BITSET_EACH(location, andersen_points_to(pta->solver, value))
    if (andersen_location(pta->solver, location).object == object)
        return true;
    return false;
}

bool pta_may_alias(const struct pta *pta, value_id a, uint64_t size_a, value_id b,
                   uint64_t size_b) {
    uint64_t size = size_a > size_b ? size_a : size_b;
    bool is_known = size_a && size_b && size <= HIGHEST_OFFSET;
    BITSET_EACH(x, andersen_points_to(pta->solver, a))
    BITSET_EACH(y, andersen_points_to(pta->solver, b))
    if (is_known
            ? andersen_overlap(pta->solver, x, y, size)
            : andersen_location(pta->solver, x).object == andersen_location(pta->solver, y).object)
        return true;
    return false;
}

const function_id *pta_callees(const struct pta *pta, instruction_id call, uint32_t *ret_count) {
    uint32_t id = pta->call_of[call];
    *ret_count = id == NO_ID ? 0 : (uint32_t)pta->calls.data[id].callees.count;
    return id == NO_ID ? NULL : pta->calls.data[id].callees.data;
}

const instruction_id *pta_callers(const struct pta *pta, function_id function,
                                  uint32_t *ret_count) {
    *ret_count = (uint32_t)pta->functions[function].callers.count;
    return pta->functions[function].callers.data;
}

bool pta_is_called_back(const struct pta *pta, function_id function) {
    return pta->functions[function].is_called_back;
}

bool pta_is_handler(const struct pta *pta, function_id function) {
    BITSET_EACH(location, andersen_points_to(pta->solver, pta->handlers))
    if (andersen_location(pta->solver, location).object == pta->functions[function].object)
        return true;
    return false;
}

const struct model_function *pta_model(const struct pta *pta, function_id function) {
    return pta->functions[function].model;
}

bool pta_is_unmodelled(const struct pta *pta, function_id function) {
    return pta->functions[function].is_unmodelled;
}

const struct program *pta_program(const struct pta *pta) { return pta->program; }

const struct model_table *pta_models(const struct pta *pta) { return pta->options.models; }

struct andersen_figures pta_figures(const struct pta *pta) { return andersen_figures(pta->solver); }
