/*
 * Calls in the flow graph; graph.h has the picture.
 *
 * Externals come in three kinds:
 *
 *   again    Executed again if what they read is valid, else logged: classes deterministic and
 *            locale, qsort(), which the runtime brings along, strdup() and its kind, and what only
 *            asks for state of libc.
 *   native   Executed in replay space in any case, so that what they read has to be valid: class
 *            native, what makes or frees blocks of the pool on its way, and what keeps state where
 *            nobody sees it.
 *   logged   All others.
 *
 * State of libc that no model shows as memory has a node of its own (enum hidden): what changes it
 * in environment spoils it.  Functions on mutexes and their kind move no data.
 *
 * A call that may enter several externals is what the worst of them makes it.
 */
#include <string.h>

#include "cut/graph_impl.h"

enum external_kind { EXTERNAL_AGAIN, EXTERNAL_NATIVE, EXTERNAL_LOGGED };

struct external {
    enum external_kind kind;
    function_id function; /* one of those that are entered; NO_ID has no name */
    int hidden;           /* enum hidden; HIDDEN_COUNT: none */
    bool changes;         /* the hidden state */
    bool is_order;        /* of threads: no data */
    bool makes_block;     /* returns memory of the heap */
    bool resizes;         /* ... that begins with what another block held */
    bool asks_keys, sets_keys;
};

/* --- what an external is ---------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static const char *plain_name(const char *name) {
    return strncmp(name, "__recut_", 8) == 0 ? name + 8 : name;
}

/* Special functions, and those with hidden state, by the headings of the models. */
static void classify_group(struct external *x, const char *group, const char *name) {
    static const char *const asking[] = {"getenv", "secure_getenv", NULL};
    static const char *const sorting[] = {"qsort", "qsort_r", NULL};
    static const struct {
        const char *group;
        int hidden;
    } states[] = {{"Environment variables", HIDDEN_VARIABLES},
                  {"Command line", HIDDEN_OPTIONS},
                  {"Sorting and searching", HIDDEN_SEARCH},
                  {"Argument vectors", HIDDEN_COUNT}};
    if (is_one_of(name, sorting) || strcmp(group, "Characters") == 0) {
        x->kind = EXTERNAL_AGAIN;
        x->hidden = is_one_of(name, sorting) ? HIDDEN_COUNT : HIDDEN_LOCALE;
        return;
    }
    if (strcmp(group, "Locale") == 0) {
        x->hidden = HIDDEN_LOCALE;
        x->changes = true;
        return;
    }
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(group, states[i].group) == 0) {
            x->hidden = states[i].hidden;
            x->kind = is_one_of(name, asking) ? EXTERNAL_AGAIN : EXTERNAL_NATIVE;
            x->changes = x->kind == EXTERNAL_NATIVE;
        }
}

static void classify_keys(struct external *x, const char *name) {
    static const char *const sets[] = {"pthread_setspecific", "tss_set", NULL};
    static const char *const gets[] = {"pthread_getspecific", "tss_get", NULL};
    x->sets_keys = is_one_of(name, sets);
    x->asks_keys = is_one_of(name, gets);
    if (x->asks_keys)
        x->kind = EXTERNAL_AGAIN;
}

/* Copies of strings: of one that a library made, the environment makes the copy. */
static bool is_text_copy(const char *name) {
    static const char *const names[] = {"strdup",    "__strdup", "strndup",
                                        "__strndup", "wcsdup",   NULL};
    return is_one_of(name, names);
}

static struct external classify(const struct build *build, function_id function) {
    static const char *const resizing[] = {"realloc", "reallocarray", NULL};
    struct external x = {.kind = EXTERNAL_LOGGED, .function = function, .hidden = HIDDEN_COUNT};
    const struct model_function *model = function == NO_ID ? NULL : pta_model(build->pta, function);
    if (!model || model->class == MODEL_REFUSED) {
        uint32_t flags = function == NO_ID ? 0 : build->program->functions.data[function].flags;
        if (flags & (FUNCTION_RUNTIME | FUNCTION_INTRINSIC) &&
            !pta_is_unmodelled(build->pta, function))
            x.kind = EXTERNAL_NATIVE;
        return x;
    }
    const struct model_table *table = pta_models(build->pta);
    const char *group = model_table_text(table, model->group);
    const char *name = plain_name(build->program->functions.data[function].name);
    x.is_order = model->flags & MODEL_ORDERS || strcmp(group, "Locks") == 0;
    x.makes_block = model->class == MODEL_NATIVE && model->result == MODEL_RESULT_NEW;
    x.resizes = is_one_of(name, resizing);
    switch (model->class) {
    case MODEL_DETERMINISTIC:
        x.kind = model->flags & MODEL_DEEP ? EXTERNAL_NATIVE : EXTERNAL_AGAIN;
        break;
    case MODEL_LOCALE:
        x.kind = model->flags & MODEL_DEEP ? EXTERNAL_NATIVE : EXTERNAL_AGAIN;
        x.hidden = HIDDEN_LOCALE;
        break;
    case MODEL_NATIVE:
        x.kind = is_text_copy(name) ? EXTERNAL_AGAIN : EXTERNAL_NATIVE;
        break;
    case MODEL_SPECIAL:
        classify_group(&x, group, name);
        break;
    default:
        if (strcmp(group, "Locale") == 0)
            classify_group(&x, group, name);
        break;
    }
    classify_keys(&x, name);
    return x;
}

/* The worst of all that a call may enter outside of the program; false if there is none. */
static bool classify_call(const struct build *build, instruction_id id, struct external *ret) {
    uint32_t count;
    bool is_external = false;
    const function_id *callees = pta_callees(build->pta, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (callees[i] != NO_ID &&
            build->program->functions.data[callees[i]].flags & FUNCTION_DEFINED)
            continue;
        struct external x = classify(build, callees[i]);
        if (!is_external) {
            *ret = x;
        } else {
            ret->kind = x.kind > ret->kind ? x.kind : ret->kind;
            ret->hidden = x.hidden != HIDDEN_COUNT ? x.hidden : ret->hidden;
            ret->changes |= x.changes;
            ret->is_order &= x.is_order;
            ret->makes_block |= x.makes_block;
            ret->resizes &= x.resizes;
            ret->asks_keys |= x.asks_keys;
            ret->sets_keys |= x.sets_keys;
        }
        is_external = true;
    }
    return is_external;
}

/* --- externals -------------------------------------------------------------------------------- */

static bool is_defined(const struct build *build, function_id function) {
    return function != NO_ID && build->program->functions.data[function].flags & FUNCTION_DEFINED;
}

/* How often a call enters one of the functions that it may enter: at most as often as it is made,
 * and as that function is entered by calls that may enter others, too. */
static uint64_t entries(const struct build *build, instruction_id id, function_id callee) {
    uint64_t count = build->weights->count[id];
    uint64_t most = build->program->instructions.data[id].callee == callee
                        ? build->weights->calls[callee]
                        : build->weights->indirect[callee];
    return most < count ? most : count;
}

/* How often a call leaves the program, as far as can be said: what is left when the functions of
 * the program that it may enter have had their share. */
static uint64_t exits(const struct build *build, instruction_id id) {
    uint32_t count;
    const function_id *callees = pta_callees(build->pta, id, &count);
    uint64_t left = build->weights->count[id];
    for (uint32_t i = 0; i < count; i++)
        if (is_defined(build, callees[i])) {
            uint64_t share = entries(build, id, callees[i]);
            left -= share < left ? share : left;
        }
    return left;
}

/* Bytes of what a call returns. */
static uint64_t result_size(const struct build *build, instruction_id id) {
    const struct instruction *call = &build->program->instructions.data[id];
    return call->result == NO_ID ? 0 : build->program->types.data[call->type].size;
}

/* Bytes that an external writes each time, where the profile says nothing. */
static uint64_t guess_output(const struct build *build, instruction_id id) {
    enum { GUESS = 64 };
    uint32_t count;
    const function_id *callees = pta_callees(build->pta, id, &count);
    const struct model_function *model =
        count == 1 && callees[0] != NO_ID ? pta_model(build->pta, callees[0]) : NULL;
    if (!model)
        return GUESS;
    const struct model_table *table = pta_models(build->pta);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < model->param_count; i++) {
        const struct model_param *param = model_table_param(table, model, i);
        if (param->kind == MODEL_PARAM_OUT_TYPE) {
            bytes += model_table_type(table, param->type)->size;
        } else if (param->kind == MODEL_PARAM_OUT || param->kind == MODEL_PARAM_INOUT) {
            const struct model_length *length = model_table_length(table, param->length);
            bool is_constant = length->factor[0].kind == MODEL_TERM_CONSTANT &&
                               length->factor[1].kind == MODEL_TERM_NONE;
            bytes += is_constant ? (uint64_t)length->element * length->factor[0].value : GUESS;
        }
    }
    return bytes ? bytes : GUESS;
}

static uint64_t output_bytes(const struct build *build, instruction_id id) {
    const struct weights *weights = build->weights;
    return weights->has_bytes[id] ? weights->bytes[id] : exits(build, id) * guess_output(build, id);
}

/* One node in front of all regions that a call writes; NO_ID if there are none. */
static graph_node outputs_of(struct build *build, instruction_id id, bool makes_block) {
    struct effect_list list = effects_of(build->effects, id);
    graph_node outputs = NO_ID;
    for (uint32_t i = 0; i <= list.count; i++) {
        graph_node region = NO_ID;
        if (i < list.count)
            region = list.effects[i].writes ? build_writes(build, list.effects[i].region) : NO_ID;
        else if (makes_block && build->program->instructions.data[id].result != NO_ID)
            region = build_writes(
                build,
                cells_region_whole(build->cells, build->program->instructions.data[id].result));
        if (region == NO_ID)
            continue;
        if (outputs == NO_ID)
            outputs = build_node(build);
        build_tie(build, outputs, region, TIE_FLOW);
    }
    return outputs;
}

/* The regions that an instruction reads: into the pool. */
static struct range reads_of(struct build *build, instruction_id id) {
    struct effect_list list = effects_of(build->effects, id);
    struct range reads = {(uint32_t)build->graph->reads.count, 0};
    for (uint32_t i = 0; i < list.count; i++) {
        graph_node region =
            list.effects[i].writes ? NO_ID : build_reads(build, list.effects[i].region);
        if (region == NO_ID)
            continue;
        if (build_is_mixed(build, list.effects[i].region))
            bitset_add(&build->graph->mixed, id);
        VEC_PUSH(&build->graph->reads, region);
        reads.count++;
    }
    return reads;
}

static void tie_reads(struct build *build, const struct graph_call *call, graph_node to,
                      enum tie_kind kind) {
    for (uint32_t i = 0; i < call->reads.count; i++)
        build_tie(build, build->graph->reads.data[call->reads.first + i], to, kind);
}

/* What the program keeps by keys, and what libc keeps by itself. */
static void add_hidden(struct build *build, const struct external *x, graph_node function,
                       graph_node call) {
    if (x->hidden == HIDDEN_COUNT)
        return;
    graph_node state = build->hidden[x->hidden];
    if (x->changes)
        build_tie(build, function, state, TIE_STATE);
    if (call != NO_ID)
        build_tie(build, state, call, TIE_STATE);
    else if (x->kind == EXTERNAL_NATIVE)
        build_tie(build, state, function, TIE_STATE);
}

static void add_native(struct build *build, const struct external *x, struct graph_call *call) {
    graph_node function = graph_function(call->function);
    call->is_deterministic = true;
    /* A block that is resized may hold anything; then the new one does. */
    if (!x->resizes || call->outputs == NO_ID)
        tie_reads(build, call, function, TIE_NATIVE);
    else
        tie_reads(build, call, call->outputs, TIE_FLOW);
    add_hidden(build, x, function, NO_ID);
    if (call->outputs == NO_ID)
        return;
    if (x->sets_keys) {
        build_tie(build, function, call->outputs, TIE_STATE);
        return;
    }
    struct site site = {SITE_OUTPUT, function, call->outputs, call->instruction, call->function,
                        x->function, 0};
    uint64_t count = exits(build, call->instruction);
    /* A block begins with what was there, and that is not copied. */
    build_site(build, site, count,
               count * GRAPH_LOG_STORE +
                   (x->makes_block ? 0 : output_bytes(build, call->instruction)));
}

/* Executed again, or logged: the call has a side of its own. */
static void add_operation(struct build *build, const struct external *x, struct graph_call *call) {
    graph_node function = graph_function(call->function);
    call->node = build_node(build);
    call->is_deterministic = x->kind == EXTERNAL_AGAIN;
    if (call->is_deterministic) {
        build_tie(build, function, call->node, TIE_FLOW);
        tie_reads(build, call, call->node, TIE_FLOW);
        add_hidden(build, x, function, call->node);
    } else {
        build_tie(build, GRAPH_SOURCE, call->node, TIE_OUTSIDE);
        add_hidden(build, x, function, NO_ID);
    }
    struct site site = {SITE_EXTERNAL,  call->node,  function, call->instruction,
                        call->function, x->function, 0};
    uint64_t count = exits(build, call->instruction);
    const struct program *program = build->graph->program;
    bool is_character =
        x->function != NO_ID && weights_is_character(program->functions.data[x->function].name);
    build_site(build, site, count,
               count *
                   (is_character ? 1 : GRAPH_LOG_EVENT + result_size(build, call->instruction)));
    if (call->outputs == NO_ID)
        return;
    site.kind = SITE_OUTPUT;
    site.to = call->outputs;
    build_site(build, site, count,
               count * GRAPH_LOG_STORE + output_bytes(build, call->instruction));
}

/* What the environment hands out, and describes itself, is not where a recorder put it if the
 * recorder did not see the call. */
static void tie_described(struct build *build, function_id function, instruction_id id) {
    value_id result = build->program->instructions.data[id].result;
    if (result == NO_ID)
        return;
    uint32_t region = cells_region_whole(build->cells, result);
    if (region == NO_ID)
        return;
    struct bitset set = cells_of(build->cells, region);
    for (uint32_t i = 0; i < set.count; i++)
        for (uint32_t bits = set.words[i].bits & build->described[set.words[i].key]; bits;
             bits &= bits - 1)
            build_tie(build, graph_function(function),
                      build->graph->first_cell + set.words[i].key * 32 +
                          (uint32_t)__builtin_ctz(bits),
                      TIE_OWNED);
}

/* getopt() puts options in front of the other arguments, which no model says. */
static void tie_options(struct build *build, function_id function, instruction_id id) {
    enum { VECTOR_ARGUMENT = 1 };
    struct range operands = build->program->instructions.data[id].operands;
    if (operands.count <= VECTOR_ARGUMENT)
        return;
    value_id vector = build->program->operands.data[operands.first + VECTOR_ARGUMENT];
    uint32_t region = cells_region_whole(build->cells, vector);
    graph_node writes = region == NO_ID ? NO_ID : build_writes(build, region);
    if (writes != NO_ID)
        build_tie(build, graph_function(function), writes, TIE_STATE);
}

/* Does a function hand out what it describes by pointers that it writes, as getaddrinfo() does, and
 * localtime_r() the name of the time zone? */
static bool hands_out(const struct build *build, function_id function) {
    const struct model_function *model = function == NO_ID ? NULL : pta_model(build->pta, function);
    const struct model_table *table = pta_models(build->pta);
    for (uint32_t i = 0; model && i < model->param_count; i++) {
        const struct model_param *param = model_table_param(table, model, i);
        if ((param->kind == MODEL_PARAM_OUT_POINTER && param->type) ||
            (param->kind == MODEL_PARAM_OUT_TYPE &&
             model_table_type(table, param->type)->field_count))
            return true;
    }
    return false;
}

/* That is logged with the rest that it writes. */
static void add_handed_out(struct build *build, struct graph_call *call, function_id callee) {
    if (!hands_out(build, callee))
        return;
    if (call->outputs == NO_ID)
        call->outputs = build_node(build);
    for (uint32_t word = 0; word * 32 < cells_count(build->cells); word++)
        for (uint32_t bits = build->described[word]; bits; bits &= bits - 1) {
            uint32_t cell = word * 32 + (uint32_t)__builtin_ctz(bits);
            if (pta_object(build->pta, cells_object(build->cells, cell)).id != callee)
                continue;
            build->is_used[cell] = true;
            build_tie(build, call->outputs, build->graph->first_cell + cell, TIE_FLOW);
        }
}

static void add_external(struct build *build, function_id function, instruction_id id,
                         const struct external *x) {
    struct graph_call call = {
        .instruction = id, .function = function, .node = NO_ID, .outputs = NO_ID};
    if (!x->is_order) {
        call.outputs = outputs_of(build, id, x->makes_block);
        call.reads = reads_of(build, id);
        uint32_t count;
        const function_id *callees = pta_callees(build->pta, id, &count);
        for (uint32_t i = 0; i < count; i++)
            if (!is_defined(build, callees[i]))
                add_handed_out(build, &call, callees[i]);
    }
    if (x->kind == EXTERNAL_NATIVE)
        add_native(build, x, &call);
    else
        add_operation(build, x, &call);
    if (x->hidden != HIDDEN_LOCALE || x->changes)
        tie_described(build, function, id);
    if (x->hidden == HIDDEN_OPTIONS)
        tie_options(build, function, id);
    VEC_PUSH(&build->graph->calls, call);
}

/* --- functions -------------------------------------------------------------------------------- */

static void add_call(struct build *build, graph_node caller, function_id function,
                     instruction_id id, function_id callee, uint64_t count) {
    struct site site = {SITE_CALL, caller, graph_function(callee), id, function, callee, 0};
    uint32_t arguments = build->program->functions.data[callee].arguments.count;
    build_site(build, site, count,
               count * (GRAPH_LOG_EVENT + (uint64_t)arguments * GRAPH_LOG_ARGUMENT));
    site.kind = SITE_RETURN;
    site.from = graph_function(callee);
    site.to = caller;
    build_site(build, site, count, count * (GRAPH_LOG_EVENT + result_size(build, id)));
}

/* What a recorder cannot hand over from environment: arguments on the machine stack. */
static void tie_arguments(struct build *build, graph_node caller, instruction_id id,
                          function_id callee) {
    if (build->program->functions.data[callee].flags & FUNCTION_VARIADIC)
        build_tie(build, caller, graph_function(callee), TIE_VARIADIC);
    if (build->program->instructions.data[id].flags & INSTRUCTION_BY_VALUE)
        build_tie(build, caller, graph_function(callee), TIE_BY_VALUE);
}

static void add_assembly(struct build *build, function_id function, instruction_id id) {
    graph_node of = graph_function(function);
    graph_node outputs = outputs_of(build, id, false);
    struct graph_call call = {.reads = reads_of(build, id)};
    tie_reads(build, &call, of, TIE_ASSEMBLY);
    if (outputs != NO_ID)
        build_tie(build, of, outputs, TIE_ASSEMBLY);
}

void build_call(struct build *build, function_id function, instruction_id id) {
    const struct instruction *instruction = &build->program->instructions.data[id];
    if (build->program->values.data[instruction->called].kind == VALUE_ASSEMBLY) {
        add_assembly(build, function, id);
        return;
    }
    struct external x = {.kind = EXTERNAL_AGAIN};
    bool is_external = classify_call(build, id, &x);
    graph_node caller = graph_function(function);
    if (is_external)
        add_external(build, function, id, &x);
    uint32_t direct, all;
    const function_id *callees = pta_callees(build->pta, id, &direct);
    for (uint32_t i = 0; i < direct; i++)
        if (is_defined(build, callees[i])) {
            build->seen_by[callees[i]] = id;
            tie_arguments(build, caller, id, callees[i]);
            add_call(build, caller, function, id, callees[i], entries(build, id, callees[i]));
        }
    /* What externals call back, those that are executed again and those that are not. */
    const function_id *run = effects_callees(build->effects, id, &all);
    const struct graph_call *last =
        is_external ? &build->graph->calls.data[build->graph->calls.count - 1] : NULL;
    bool is_left = is_external && exits(build, id);
    for (uint32_t i = 0; is_external && i < all; i++)
        if (build->seen_by[run[i]] != id) {
            build->seen_by[run[i]] = id;
            add_call(build, last->node == NO_ID ? caller : last->node, function, id, run[i],
                     is_left ? build->weights->indirect[run[i]] : 0);
        }
}

/* --- intrinsics ------------------------------------------------------------------------------- */

static void add_copy(struct build *build, function_id function, instruction_id id) {
    struct graph_call call = {.instruction = id,
                              .function = function,
                              .outputs = outputs_of(build, id, false),
                              .reads = reads_of(build, id),
                              .is_deterministic = true,
                              .is_intrinsic = true};
    if (call.outputs == NO_ID)
        return;
    call.node = build_node(build);
    build_tie(build, graph_function(function), call.node, TIE_FLOW);
    tie_reads(build, &call, call.node, TIE_FLOW);
    VEC_PUSH(&build->graph->calls, call);
    struct effect_list list = effects_of(build->effects, id);
    bool is_fixed = false;
    for (uint32_t i = 0; i < list.count; i++)
        is_fixed |= build_is_fixed(build, list.effects[i].region);
    if (is_fixed) {
        tie_reads(build, &call, graph_function(function), TIE_VA_LIST);
        build_tie(build, call.node, call.outputs, TIE_VA_LIST);
        return;
    }
    const struct weights *weights = build->weights;
    uint64_t bytes = weights->has_bytes[id]
                         ? weights->bytes[id]
                         : weights->count[id] * build->program->instructions.data[id].access_size;
    struct site site = {SITE_COPY, call.node, call.outputs, id, function, NO_ID, 0};
    build_site(build, site, weights->count[id], bytes + weights->count[id] * GRAPH_LOG_STORE);
}

bool build_intrinsic(struct build *build, function_id function, instruction_id id) {
    switch (build->program->instructions.data[id].intrinsic) {
    case INTRINSIC_MEMCPY:
    case INTRINSIC_MEMMOVE:
    case INTRINSIC_MEMSET:
        add_copy(build, function, id);
        return true;
    case INTRINSIC_VA_START:
    case INTRINSIC_VA_COPY:
    case INTRINSIC_VA_END: {
        graph_node of = graph_function(function), outputs = outputs_of(build, id, false);
        struct graph_call call = {.reads = reads_of(build, id)};
        tie_reads(build, &call, of, TIE_VA_LIST);
        if (outputs != NO_ID)
            build_tie(build, of, outputs, TIE_VA_LIST);
        return true;
    }
    default:
        return false;
    }
}
