/*
 * What functions outside the program do to memory and to the environment, by
 * their models; effects.h.
 *
 *   string, in, inout, iovec, va_list     is read, from where the argument points on
 *   out, inout, out string, va_list, ...  is written
 *   result static, owned, new             what it points to is written
 *   blocks stored where arguments point   are written (asprintf)
 *   errno                                 errno is written; not by what prints to stdout and
 *                                         stderr, nor by malloc()
 *   deep                                  all that the arguments lead to is read and written
 *   calls                                 functions among the arguments run
 *   handle                                what was given to functions that make handles and
 *                                         keep it (open_memstream) is read and written
 *
 * The environment has a state, too.  A call that asks for more than the clock or the
 * process's own number reads it, and may change it: the next getchar() depends on the
 * one before, open() on unlink().  Kinds are told apart: input from stdin, output to
 * stdout and stderr, which nothing depends on if the program never makes them other files, random
 * numbers, and the rest.  What a thread keeps by keys is a fifth, and signals are a sixth: who
 * waits for one waits for who sends it.
 */
#include <string.h>

#include "analysis/effects_impl.h"
#include "analysis/model_length.h"
#include "analysis/threads.h"

enum { size_of_va_list = 24 };

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

const char *const effects_protections[] = {"mprotect", "__mprotect", "pkey_mprotect",
                                           "madvise",  "__madvise",  NULL};

/* Memory that can be reached from an argument. */

/* Objects and sets of pointers that were come by. */
struct reach {
    const struct pta *pta;
    struct bitset objects, sets;
};

/* Adds what a set points to, and all that that leads to. */
static void reach_set(struct reach *reach, uint32_t set) {
    if (!bitset_add(&reach->sets, set))
        return;
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_in_targets(reach->pta, set, &cursor, &target);) {
        if (pta_object(reach->pta, target.object).kind == PTA_FUNCTION ||
            !bitset_add(&reach->objects, target.object))
            continue;
        uint32_t at = 0, held;
        while (pta_next_contents(reach->pta, target.object, &at, &held))
            reach_set(reach, held);
    }
}

static void reach(struct external *x, value_id value, bool writes) {
    struct effects *effects = x->effects;
    const void *key = (const void *)(uintptr_t)(pta_targets(effects->pta, value) + 1ULL);
    uint32_t region = idmap_find(&effects->reached, key);
    if (region == IDMAP_NONE) {
        struct reach reached = {.pta = effects->pta};
        reach_set(&reached, pta_targets(effects->pta, value));
        region = cells_region_objects(effects->cells, &reached.objects);
        bitset_deinit(&reached.objects);
        bitset_deinit(&reached.sets);
        if (region == NO_ID)
            return;
        idmap_set(&effects->reached, key, region);
    }
    effects_add(effects, region, false);
    if (writes)
        effects_add(effects, region, true);
}

/* Parameters. */

static void use_parameter(struct external *x, value_id value, const struct model_param *param) {
    uint64_t size = model_length_of(x->effects->program, x->call, x->table, param);
    switch (param->kind) {
    case MODEL_PARAM_STRING:
        effects_access(x->effects, value, SIZE_OF_TEXT, false);
        break;
    case MODEL_PARAM_IN:
        effects_access(x->effects, value, size, false);
        break;
    case MODEL_PARAM_INOUT:
        effects_access(x->effects, value, size, false);
        effects_access(x->effects, value, size, true);
        break;
    case MODEL_PARAM_INOUT_STRING:
        effects_access(x->effects, value, SIZE_OF_TEXT, false);
        effects_access(x->effects, value, SIZE_OF_TEXT, true);
        break;
    case MODEL_PARAM_OUT_STRING:
        effects_access(x->effects, value, SIZE_OF_TEXT, true);
        break;
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_OUT_TYPE:
        effects_access(x->effects, value, size, true);
        break;
    case MODEL_PARAM_OUT_POINTER:
        effects_access(x->effects, value, sizeof(void *), true);
        break;
    case MODEL_PARAM_STRINGS:
    case MODEL_PARAM_IN_IOVEC:
        reach(x, value, false);
        break;
    case MODEL_PARAM_OUT_IOVEC:
        reach(x, value, true);
        break;
    case MODEL_PARAM_VALIST: /* it says how far the arguments were taken */
        effects_access(x->effects, value, size_of_va_list, true);
        reach(x, value, x->model->flags & MODEL_SCANS);
        break;
    default:
        break;
    }
}

static bool is_pointer(const struct program *program, value_id value) {
    return program->types.data[program->values.data[value].type].kind == TYPE_POINTER;
}

static void use_parameters(struct external *x) {
    for (uint32_t i = 0; i < x->call->operands.count; i++) {
        value_id value = effects_operand(x, i);
        if (i < x->model->param_count) {
            if (x->model->flags & MODEL_DEEP && is_pointer(x->effects->program, value))
                reach(x, value, true);
            /* Also then: that it goes by this pointer is worth knowing (changes.h). */
            use_parameter(x, value, model_table_param(x->table, x->model, i));
        } else if (is_pointer(x->effects->program, value)) {
            effects_access(x->effects, value, SIZE_OF_TEXT, x->model->flags & MODEL_SCANS);
        }
    }
}

/* The functions that it calls back. */
static void call_back(struct external *x, value_id function) {
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(x->effects->pta, function, &cursor, &target);) {
        struct pta_object object = pta_object(x->effects->pta, target.object);
        if (object.kind == PTA_FUNCTION &&
            x->effects->program->functions.data[object.id].flags & FUNCTION_DEFINED)
            VEC_PUSH(&x->effects->callees, object.id);
    }
}

/* State of the environment. */

static bool is_given_to_write(const struct model_param *param) {
    switch (param->kind) {
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_OUT_STRING:
    case MODEL_PARAM_INOUT_STRING:
    case MODEL_PARAM_OUT_POINTER:
        return param->kept;
    default:
        return false;
    }
}

static void find_given(struct effects *effects, instruction_id id, function_id callee,
                       struct reach *reached) {
    const struct instruction *call = &effects->program->instructions.data[id];
    const struct model_table *table = pta_models(effects->pta);
    const struct model_function *model = callee == NO_ID ? NULL : pta_model(effects->pta, callee);
    if (!model || model->result != MODEL_RESULT_HANDLE)
        return;
    for (uint32_t i = 0; i < model->param_count && i < call->operands.count; i++)
        if (is_given_to_write(model_table_param(table, model, i)))
            reach_set(reached,
                      pta_targets(effects->pta,
                                  effects->program->operands.data[call->operands.first + i]));
}

void effects_find_streams(struct effects *effects) {
    struct reach reached = {.pta = effects->pta};
    for (instruction_id i = 0; i < effects->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = pta_callees(effects->pta, i, &count);
        for (uint32_t k = 0; k < count; k++)
            find_given(effects, i, callees[k], &reached);
    }
    effects->stream_region = bitset_is_empty(&reached.objects)
                                 ? NO_ID
                                 : cells_region_objects(effects->cells, &reached.objects);
    bitset_deinit(&reached.objects);
    bitset_deinit(&reached.sets);
}

void effects_find_contexts(struct effects *effects) {
    static const char *const names[] = {"makecontext", NULL};
    for (instruction_id i = 0; i < effects->program->instructions.count; i++) {
        const struct instruction *call = &effects->program->instructions.data[i];
        struct pta_cursor cursor = {0};
        if (!threads_calls(effects->program, effects->pta, i, names) || call->operands.count < 2)
            continue;
        value_id function = effects->program->operands.data[call->operands.first + 1];
        for (struct pta_target target; pta_points_to(effects->pta, function, &cursor, &target);) {
            struct pta_object object = pta_object(effects->pta, target.object);
            if (object.kind == PTA_FUNCTION &&
                effects->program->functions.data[object.id].flags & FUNCTION_DEFINED)
                VEC_PUSH(&effects->contexts, object.id);
        }
    }
}

/* From one context to another: to where that begins, or to where it was left by such a call. */
static void use_contexts(struct external *x) {
    static const char *const names[] = {"swapcontext", "setcontext", NULL};
    for (size_t i = 0; is_one_of(x->name, names) && i < x->effects->contexts.count; i++)
        VEC_PUSH(&x->effects->callees, x->effects->contexts.data[i]);
}

/* Any handle may be one of those streams, but for stdin, stdout and stderr. */
static void use_streams(struct external *x) {
    if (x->effects->stream_region == NO_ID || effects_stream(x) != STREAM_SOME)
        return;
    for (uint32_t i = 0; i < x->model->param_count; i++)
        if (model_table_param(x->table, x->model, i)->kind == MODEL_PARAM_HANDLE) {
            effects_add(x->effects, x->effects->stream_region, false);
            effects_add(x->effects, x->effects->stream_region, true);
            return;
        }
}

static void use_state(struct external *x, enum cell_state state, bool reads, bool writes) {
    uint32_t region = cells_region_state(x->effects->cells, state);
    if (reads)
        effects_add(x->effects, region, false);
    if (writes)
        effects_add(x->effects, region, true);
}

/* Values that each thread keeps by a key. */
static bool use_keys(struct external *x) {
    static const char *const sets[] = {"pthread_setspecific", "tss_set", NULL};
    static const char *const gets[] = {"pthread_getspecific", "tss_get", NULL};
    bool is_set = is_one_of(x->name, sets), is_get = is_one_of(x->name, gets);
    if (is_set || is_get)
        use_state(x, STATE_KEYS, is_get, is_set);
    return is_set || is_get;
}

/* The one hash table that libc keeps for all. */
static bool use_table(struct external *x) {
    static const char *const names[] = {"hcreate", "hsearch", "hdestroy", NULL};
    if (!is_one_of(x->name, names))
        return false;
    use_state(x, STATE_OTHER, true, true);
    if (strcmp(x->name, "hsearch") == 0 && x->call->result != NO_ID)
        effects_add(x->effects, cells_region_whole(x->effects->cells, x->call->result), true);
    return true;
}

/* What may be done to memory, or is kept of it, decides what is read there: a handler may take the
 * fault. */
static void use_protection(struct external *x) {
    if (is_one_of(x->name, effects_protections) && x->call->operands.count)
        effects_add(x->effects, cells_region_whole(x->effects->cells, effects_operand(x, 0)), true);
}

static void use_signals(struct external *x, instruction_id id) {
    const char *group = model_table_text(x->table, x->model->group);
    bool is_one = strcmp(group, "Signals") == 0 && x->model->class != MODEL_DETERMINISTIC;
    if (is_one || threads_is_sending(x->effects->program, x->effects->pta, id))
        use_state(x, STATE_SIGNALS, true, true);
}

static void use_environment(struct external *x) {
    static const char *const without[] = {"Heap",
                                          "Memory",
                                          "Strings",
                                          "Wide strings",
                                          "Mathematics",
                                          "Complex numbers",
                                          "Characters",
                                          "Jumps and contexts",
                                          "Sorting and searching",
                                          "Numbers",
                                          "Threads",
                                          "Locks",
                                          "The end",
                                          "Argument vectors",
                                          NULL};
    static const char *const asking[] = {
        "Clocks",          "Dates",           "Identity", "Users and groups",
        "Status of files", "Dynamic linking", NULL};
    const char *group = model_table_text(x->table, x->model->group);
    if (use_keys(x) || use_table(x))
        return;
    if (x->model->class == MODEL_DETERMINISTIC || x->model->class == MODEL_NATIVE ||
        is_one_of(group, without))
        return;
    if (x->model->class == MODEL_LOCALE) {
        use_state(x, STATE_OTHER, true, false);
        return;
    }
    if (strcmp(group, "Random numbers") == 0) {
        use_state(x, STATE_RANDOM, true, true);
        return;
    }
    enum effects_stream stream = effects_stream(x);
    switch (stream) {
    case STREAM_INPUT:
        use_state(x, STATE_INPUT, true, true);
        break;
    case STREAM_OUTPUT:
    case STREAM_ERRORS:
        use_state(x, STATE_OUTPUT, false, true);
        if (x->effects->moved_streams >> stream & 1)
            use_state(x, STATE_OTHER, false, true);
        break;
    default:
        use_state(x, STATE_OTHER, true, !is_one_of(group, asking));
    }
}

/* Calls of which nobody asks later whether they left something in errno: without this,
 * all that reads errno depends on all that prints and allocates. */
static bool is_quiet(const struct external *x) {
    const char *group = model_table_text(x->table, x->model->group);
    enum effects_stream stream = effects_stream(x);
    return strcmp(group, "Heap") == 0 || stream == STREAM_OUTPUT || stream == STREAM_ERRORS;
}

static void use_result(struct external *x) {
    if (x->call->result == NO_ID)
        return;
    switch (x->model->result) {
    case MODEL_RESULT_STATIC_STRING:
    case MODEL_RESULT_STATIC_TYPE:
    case MODEL_RESULT_LASTING_STRING:
    case MODEL_RESULT_OWNED_STRING:
    case MODEL_RESULT_NEW:
        /* malloc() gives memory, not contents. */
        if (strcmp(x->name, "malloc") != 0)
            effects_add(x->effects, cells_region_whole(x->effects->cells, x->call->result), true);
        break;
    default:
        break;
    }
}

/* What malloc() and its kind make has no contents yet. */
static void use_blocks(struct external *x, instruction_id id) {
    struct bitset objects = {0};
    uint32_t at = 0, targets;
    while (x->model->class != MODEL_NATIVE && pta_next_block(x->effects->pta, id, &at, &targets)) {
        struct pta_cursor cursor = {0};
        for (struct pta_target target; pta_in_targets(x->effects->pta, targets, &cursor, &target);)
            bitset_add(&objects, target.object);
    }
    if (!bitset_is_empty(&objects))
        effects_add(x->effects, cells_region_objects(x->effects->cells, &objects), true);
    bitset_deinit(&objects);
}

static void use_unknown(struct external *x) {
    for (int writes = 0; writes < 2; writes++) {
        effects_add(x->effects, x->effects->escaped_region, writes);
        for (uint32_t i = 0; i < x->call->operands.count; i++)
            effects_add(x->effects, cells_region_whole(x->effects->cells, effects_operand(x, i)),
                        writes);
        use_state(x, STATE_OTHER, !writes, writes);
    }
    use_state(x, STATE_INPUT, true, true);
    for (size_t i = 0; i < x->effects->escaped.count && !x->effects->are_threads; i++)
        VEC_PUSH(&x->effects->callees, x->effects->escaped.data[i]);
}

/* Without the prefixes of redirected and checked functions. */
static const char *plain_name(const char *name) {
    static const char *const prefixes[] = {"__recut_", "__isoc99_", "__isoc23_", NULL};
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (strncmp(name, *prefix, strlen(*prefix)) == 0)
            name += strlen(*prefix);
    return name;
}

/* Functions of the runtime that no model describes only make memory, threads or jumps. */
static bool does_nothing(const struct effects *effects, function_id callee) {
    uint32_t flags = effects->program->functions.data[callee].flags;
    return flags & FUNCTION_INTRINSIC ||
           (flags & FUNCTION_RUNTIME && !pta_is_unmodelled(effects->pta, callee));
}

bool effects_is_unknown(const struct effects *effects, function_id callee) {
    if (callee == NO_ID)
        return true;
    const struct model_function *model = pta_model(effects->pta, callee);
    return !(effects->program->functions.data[callee].flags & FUNCTION_DEFINED) &&
           (!model || model->class == MODEL_REFUSED) && !does_nothing(effects, callee);
}

struct external effects_call(const struct effects *effects, instruction_id id, function_id callee) {
    return (struct external){
        .effects = (struct effects *)effects,
        .call = &effects->program->instructions.data[id],
        .table = pta_models(effects->pta),
        .model = callee == NO_ID ? NULL : pta_model(effects->pta, callee),
        .name = callee == NO_ID ? "" : plain_name(effects->program->functions.data[callee].name),
    };
}

void effects_external(struct effects *effects, instruction_id id, function_id callee) {
    struct external x = effects_call(effects, id, callee);
    if (effects_is_unknown(effects, callee))
        use_unknown(&x);
    if (!x.model || x.model->class == MODEL_REFUSED)
        return;
    use_parameters(&x);
    use_result(&x);
    use_blocks(&x, id);
    use_streams(&x);
    use_contexts(&x);
    use_protection(&x);
    use_signals(&x, id);
    use_environment(&x);
    if (x.model->flags & MODEL_ERRNO && !is_quiet(&x))
        effects_add(effects, effects->errno_region, true);
    for (uint32_t i = 0; i < x.model->call_count; i++) {
        const struct model_call *call = model_table_call(x.table, x.model, i);
        value_id function = call->kind == MODEL_CALLS ? effects_operand(&x, call->to) : NO_ID;
        if (function != NO_ID)
            call_back(&x, function);
    }
}
