/*
 * Which bytes behind a parameter does a function change?  See changes.h.
 *
 * Callees first; in a circle of calls until nothing is new.
 */
#include "analysis/changes.h"

#include <stdlib.h>

typedef VEC(struct change) change_vec;

struct changes {
    const struct program *program;
    struct effects *effects;
    const struct callgraph *graph;
    uint32_t *first; /* by function: its first argument in `arguments` */
    change_vec *arguments, *used;
    size_t argument_count;
};

static bool is_within(struct change inner, struct change outer) {
    return inner.low >= outer.low && inner.high <= outer.high;
}

static bool add(change_vec *list, struct change one) {
    const struct change all = {CHANGE_LOW, CHANGE_HIGH};
    for (size_t i = 0; i < list->count; i++)
        if (is_within(one, list->data[i]))
            return false;
    if (one.low < all.low || one.high > all.high || list->count == CHANGES_MOST)
        one = all;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!is_within(list->data[i], one))
            list->data[kept++] = list->data[i];
    list->count = kept;
    VEC_PUSH(list, one);
    return true;
}

static change_vec *list_of(const struct changes *changes, function_id function, uint32_t argument) {
    return &changes->arguments[changes->first[function] + argument];
}

static struct change moved(struct change one, struct root root) {
    if (root.is_moved || (one.low == CHANGE_LOW && one.high == CHANGE_HIGH))
        return (struct change){CHANGE_LOW, CHANGE_HIGH};
    return (struct change){one.low + root.offset, one.high + root.offset};
}

static void by_itself(struct changes *changes, function_id function) {
    struct range instructions = changes->program->functions.data[function].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        struct effect_list list = effects_of(changes->effects, instructions.first + i);
        for (uint32_t k = 0; k < list.count; k++) {
            const struct memory_effect *effect = &list.effects[k];
            struct change one = {0, (int32_t)effect->size};
            if (!effect->size)
                one = (struct change){CHANGE_LOW, CHANGE_HIGH};
            if (effect->root.argument == NO_ID)
                continue;
            one = moved(one, effect->root);
            if (effect->writes)
                add(list_of(changes, function, effect->root.argument), one);
            add(&changes->used[changes->first[function] + effect->root.argument], one);
        }
    }
}

static bool by_call(struct changes *changes, function_id caller, instruction_id call,
                    function_id callee) {
    const struct instruction *at = &changes->program->instructions.data[call];
    uint32_t count = changes->program->functions.data[callee].arguments.count;
    bool is_new = false;
    for (uint32_t a = 0; a < count && a < at->operands.count; a++) {
        value_id value = changes->program->operands.data[at->operands.first + a];
        struct root root = effects_root(changes->effects, value);
        if (root.argument == NO_ID)
            continue;
        const change_vec *below = list_of(changes, callee, a);
        for (size_t i = 0; i < below->count; i++)
            is_new |= add(list_of(changes, caller, root.argument), moved(below->data[i], root));
    }
    return is_new;
}

static bool by_calls(struct changes *changes, function_id function) {
    struct range instructions = changes->program->functions.data[function].instructions;
    bool is_new = false;
    for (uint32_t i = 0; i < instructions.count; i++) {
        instruction_id id = instructions.first + i;
        if (!(changes->program->instructions.data[id].flags & INSTRUCTION_CALL) ||
            !effects_is_direct(changes->effects, id))
            continue;
        uint32_t count;
        const function_id *callees = effects_callees(changes->effects, id, &count);
        for (uint32_t k = 0; k < count; k++)
            is_new |= by_call(changes, function, id, callees[k]);
    }
    return is_new;
}

struct changes *changes_build(struct effects *effects, const struct callgraph *graph) {
    const struct program *program = pta_program(effects_pta(effects));
    struct changes *changes = mem_zalloc(1, sizeof *changes);
    *changes = (struct changes){.program = program, .effects = effects, .graph = graph};
    changes->first = mem_zalloc(program->functions.count + 1, sizeof *changes->first);
    for (function_id f = 0; f < program->functions.count; f++) {
        changes->first[f] = (uint32_t)changes->argument_count;
        changes->argument_count += program->functions.data[f].arguments.count;
    }
    changes->arguments = mem_zalloc(changes->argument_count + 1, sizeof *changes->arguments);
    changes->used = mem_zalloc(changes->argument_count + 1, sizeof *changes->used);
    for (function_id f = 0; f < program->functions.count; f++)
        by_itself(changes, f);
    for (uint32_t c = 0; c < graph->count; c++) {
        bool is_new = true;
        while (is_new) {
            is_new = false;
            for (uint32_t i = graph->start[c]; i < graph->start[c + 1]; i++)
                is_new |= by_calls(changes, graph->members[i]);
            is_new &= graph->is_recursive[c];
        }
    }
    return changes;
}

void changes_free(struct changes *changes) {
    if (!changes)
        return;
    for (size_t i = 0; i < changes->argument_count; i++) {
        VEC_DEINIT(&changes->arguments[i]);
        VEC_DEINIT(&changes->used[i]);
    }
    free(changes->arguments);
    free(changes->used);
    free(changes->first);
    free(changes);
}

struct change_list changes_of(const struct changes *changes, function_id function,
                              uint32_t argument) {
    const change_vec *list = list_of(changes, function, argument);
    return (struct change_list){list->data, list->count};
}

struct change_list changes_used(const struct changes *changes, function_id function,
                                uint32_t argument) {
    const change_vec *list = &changes->used[changes->first[function] + argument];
    return (struct change_list){list->data, list->count};
}
