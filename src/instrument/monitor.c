/* Which functions are monitored, and what of their arguments is kept?  See monitor.h. */
#include "instrument/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/changes.h"
#include "instrument/shadow.h"
#include "instrument/variant.h"
#include "program/canonical/rewrite.h"
#include "program/program.h"

enum { small = 24 }; /* instructions */

/* Is it small, and calls nothing? */
static bool is_leaf(LLVMValueRef function) {
    unsigned count = 0;
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (rewrite_is_intrinsic(instruction, "llvm.dbg."))
                continue;
            if (LLVMIsACallInst(instruction) && !rewrite_is_intrinsic(instruction, "llvm."))
                return false;
            if (++count > small)
                return false;
        }
    return true;
}

/* Is there the word of this kind with this name? */
static bool is_chosen(const char *choices, const char *kind, const char *name) {
    size_t kind_length = strlen(kind), length = strlen(name);
    for (const char *word = choices; *word; word += strcspn(word, " ") + 1)
        if (strncmp(word, kind, kind_length) == 0 &&
            strncmp(word + kind_length, name, length) == 0 && word[kind_length + length] == ' ')
            return true;
    return false;
}

static bool is_wanted(LLVMValueRef function, void *data) {
    const char *choices = data, *name = rewrite_name(function);
    if (is_chosen(choices, MONITOR_EXCLUDE, name))
        return false;
    return strstr(choices, MONITOR_ONLY) ? is_chosen(choices, MONITOR_ONLY, name)
                                         : !is_leaf(function);
}

static function_id find_function(const struct program *program, LLVMValueRef function) {
    const char *name = rewrite_name(function);
    for (function_id f = 0; f < program->functions.count; f++)
        if (strcmp(program->functions.data[f].name, name) == 0)
            return f;
    return NO_ID;
}

/* --- copies ------------------------------------------------------------------------------- */

enum { most_copied = 256, unknown_size = 64, word = 8 };

typedef VEC(struct shadow_range) range_vec;

/* Bytes of what an argument points to, as far as its type tells. */
static int32_t size_behind(const struct program *program, value_id argument) {
    source_type_id type = program_value_type(program, argument);
    type = type == NO_ID ? NO_ID : program_plain_type(program, type);
    if (type == NO_ID || program->source_types.data[type].kind != SOURCE_POINTER)
        return unknown_size;
    source_type_id target = program->source_types.data[type].target;
    target = target == NO_ID ? NO_ID : program_plain_type(program, target);
    uint64_t size = target == NO_ID ? 0 : program->source_types.data[target].size;
    return size <= word ? unknown_size : size > most_copied ? most_copied : (int32_t)size;
}

static int by_offset(const void *a, const void *b) {
    const struct shadow_range *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Ranges of one argument, in whole words; those that nearly touch are one. */
static void merge(range_vec *ranges, size_t first) {
    size_t kept = first;
    if (ranges->count > first)
        qsort(ranges->data + first, ranges->count - first, sizeof *ranges->data, by_offset);
    for (size_t i = first; i < ranges->count; i++) {
        struct shadow_range *last = kept > first ? &ranges->data[kept - 1] : NULL;
        const struct shadow_range one = ranges->data[i];
        int32_t end = one.offset + (int32_t)one.size;
        if (last && one.offset <= last->offset + (int32_t)last->size + 2 * word) {
            if (end > last->offset + (int32_t)last->size)
                last->size = (uint32_t)(end - last->offset);
        } else {
            ranges->data[kept++] = one;
        }
    }
    ranges->count = kept;
}

/* The bytes of a list that are behind the argument, and, with `used`, in that list. */
static void add_ranges(range_vec *ret, uint32_t argument, struct change_list list,
                       const struct change_list *used, int32_t behind) {
    const struct change all = {0, behind};
    size_t first = ret->count, parts = used ? used->count : 1;
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < parts; k++) {
            struct change one = list.changes[i], in = used ? used->changes[k] : all;
            int32_t low = one.low > in.low ? one.low : in.low;
            int32_t high = one.high < in.high ? one.high : in.high;
            low = low < 0 ? 0 : low / word * word;
            high = (high < behind ? high + word - 1 : behind + word - 1) / word * word;
            if (low < high)
                VEC_PUSH(ret, (struct shadow_range){argument, low, (uint32_t)(high - low)});
        }
    merge(ret, first);
}

static uint32_t total_of(const range_vec *ranges) {
    uint32_t total = 0;
    for (size_t i = 0; i < ranges->count; i++)
        total += ranges->data[i].size + 2 * word;
    return total;
}

static void add_all(const struct program *program, const struct changes *changes,
                    function_id function, bool only_used, range_vec *ret) {
    struct range arguments = program->functions.data[function].arguments;
    ret->count = 0;
    for (uint32_t a = 0; a < arguments.count; a++) {
        /* Through a pointer to a function, anything may be handed anything. */
        type_id type = program->values.data[arguments.first + a].type;
        if (program->types.data[type].kind != TYPE_POINTER)
            continue;
        struct change_list list = changes_of(changes, function, a);
        struct change_list used = changes_used(changes, function, a);
        int32_t behind = list.count ? size_behind(program, arguments.first + a) : 0;
        add_ranges(ret, a, list, only_used ? &used : NULL, behind);
    }
}

/* What is small says more: a flag, a count, a pointer. */
static void drop_largest(range_vec *ranges) {
    size_t largest = 0;
    for (size_t i = 1; i < ranges->count; i++)
        if (ranges->data[i].size >= ranges->data[largest].size)
            largest = i;
    for (size_t i = largest; i + 1 < ranges->count; i++)
        ranges->data[i] = ranges->data[i + 1];
    ranges->count--;
}

/* All that it changes, if that is little for a function of its size; else what of that it uses
 * itself: the functions that it calls have their own records. */
static void find_copies(const struct program *program, const struct changes *changes,
                        function_id function, range_vec *ret) {
    uint32_t budget = 2 * program->functions.data[function].instructions.count;
    budget = budget > most_copied ? most_copied : budget;
    add_all(program, changes, function, false, ret);
    if (total_of(ret) > budget)
        add_all(program, changes, function, true, ret);
    while (total_of(ret) > most_copied)
        drop_largest(ret);
}

/* --- all of it ---------------------------------------------------------------------------- */

static void monitor_functions(struct variant *variant, const struct program *program,
                              const struct changes *changes, const char *choices,
                              struct monitor_result *ret) {
    bool by_reference = strstr(choices, MONITOR_REFERENCE) != NULL;
    range_vec copies = {0};
    for (size_t i = 0; i < variant->values.count; i++) {
        LLVMValueRef function = variant->values.data[i].value;
        function_id id = variant->values.data[i].swapped ? find_function(program, function) : NO_ID;
        if (id == NO_ID)
            continue;
        if (!by_reference)
            find_copies(program, changes, id, &copies);
        struct shadow_options shadow = {
            .number = id, .copies = copies.data, .copy_count = copies.count};
        ret->functions += shadow_add(variant, function, &shadow);
    }
    VEC_DEINIT(&copies);
}

struct error *monitor_build(const struct monitor_options *options, struct monitor_result *ret) {
    struct program *program;
    struct variant variant;
    struct error *err = program_open(options->program_path, &program);
    if (err)
        return err;
    *ret = (struct monitor_result){0};
    struct pta *pta = pta_build(program, &(struct pta_options){.models = options->models});
    struct effects *effects = effects_build(pta);
    struct callgraph *graph = callgraph_build(effects);
    struct changes *changes = changes_build(effects, graph);
    err = variant_begin(options->embedded, &variant);
    if (!err) {
        variant_choose(&variant, is_wanted, (void *)(uintptr_t)options->choices);
        monitor_functions(&variant, program, changes, options->choices, ret);
        err = variant_finish(&variant, &(struct variant_output){.kind = VARIANT_MONITOR,
                                                                .image_path = options->image_path});
        variant_deinit(&variant);
    }
    changes_free(changes);
    callgraph_free(graph);
    effects_free(effects);
    pta_free(pta);
    program_free(program);
    return err;
}
