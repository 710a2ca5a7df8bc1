/* What of memory is kept when a function begins?  See monitor_copies.h. */
#include "instrument/monitor_copies.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/changes.h"
#include "analysis/immutable.h"
#include "instrument/monitor.h"
#include "instrument/monitor_places.h"
#include "program/program.h"

enum {
    most_copied = 256,
    least_copied = 48, /* also of a function of few instructions */
    unknown_size = 64,
    unknown_behind_field = 16, /* memory that the function may not touch today costs most */
    word = 8,
    most_behind = 4096, /* bytes of an object that a type tells of */
};

typedef VEC(struct shadow_range) range_vec;

struct monitor_copies {
    struct variant *variant;
    const struct program *program;
    struct changes *changes;
    struct immutable *immutable; /* NULL: nothing is deeper than fields */
    uint32_t depth;              /* 0 by reference, 1 shallow */
    bool uses_fields;
    range_vec ranges;
    VEC(struct shadow_place) places;
    VEC(struct shadow_root) roots;
};

bool monitor_copies_need_cells(const char *choices) { return monitor_depth(choices) > 1; }

struct monitor_copies *monitor_copies_new(struct variant *variant, const struct program *program,
                                          struct effects *effects, const struct callgraph *graph,
                                          const char *choices) {
    struct monitor_copies *copies = mem_zalloc(1, sizeof *copies);
    *copies = (struct monitor_copies){
        .variant = variant,
        .program = program,
        .depth = monitor_depth(choices),
        .uses_fields = strstr(choices, MONITOR_USED_FIELDS) != NULL,
    };
    if (copies->depth)
        copies->changes = changes_build(effects, graph);
    if (copies->depth > 1)
        copies->immutable = immutable_build(effects, graph);
    return copies;
}

void monitor_copies_free(struct monitor_copies *copies) {
    changes_free(copies->changes);
    immutable_free(copies->immutable);
    VEC_DEINIT(&copies->ranges);
    VEC_DEINIT(&copies->places);
    VEC_DEINIT(&copies->roots);
    free(copies);
}

/* --- sizes -------------------------------------------------------------------------------- */

static const struct source_type *plain(const struct program *program, source_type_id type) {
    type = type == NO_ID ? NO_ID : program_plain_type(program, type);
    return type == NO_ID ? NULL : &program->source_types.data[type];
}

/* What a pointer of this type points to; NULL if that is not known. */
static const struct source_type *target_of(const struct program *program,
                                           const struct source_type *type) {
    return type && type->kind == SOURCE_POINTER ? plain(program, type->target) : NULL;
}

/* Without optimisation no variable is the argument, but where it is stored: then the declaration
 * tells. */
static const struct source_type *behind_argument(const struct monitor_copies *copies,
                                                 function_id id, uint32_t argument) {
    const struct program *program = copies->program;
    const struct function *function = &program->functions.data[id];
    source_type_id type = program_value_type(program, function->arguments.first + argument);
    if (type == NO_ID && function->source_type != NO_ID) {
        struct range declared = program->source_types.data[function->source_type].fields;
        if (declared.count == function->arguments.count)
            type = program->fields.data[declared.first + argument].type;
    }
    return target_of(program, plain(program, type));
}

/* What the pointer at this byte of a struct points to. */
static const struct source_type *behind_field(const struct program *program,
                                              const struct source_type *type, uint64_t offset) {
    while (type && (type->kind == SOURCE_STRUCT || type->kind == SOURCE_ARRAY)) {
        const struct source_type *inner = NULL;
        if (type->kind == SOURCE_ARRAY) {
            inner = plain(program, type->target);
            offset = inner && inner->size ? offset % inner->size : offset;
        }
        for (uint32_t i = 0; type->kind == SOURCE_STRUCT && i < type->fields.count; i++) {
            const struct field *field = &program->fields.data[type->fields.first + i];
            const struct source_type *own = plain(program, field->type);
            uint64_t at = field->bit_offset / 8;
            if (!own || offset < at || offset >= at + (own->size ? own->size : 1))
                continue;
            inner = own;
            offset -= at;
            break;
        }
        type = inner;
    }
    return offset == 0 ? target_of(program, type) : NULL;
}

/* One number is often the first of many. */
static bool is_sized(const struct source_type *type) { return type && type->size > word; }

static int32_t size_of(const struct source_type *type, int32_t unknown, uint32_t most) {
    return !is_sized(type) ? unknown : type->size > most ? (int32_t)most : (int32_t)type->size;
}

/* --- ranges ------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b) {
    const struct shadow_range *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Ranges of one pointer, in whole words; those that nearly touch are one. */
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

/* The bytes of `one` that are in `in` and among the first `behind`, as whole words. */
static void add_range(range_vec *ranges, struct shadow_range base, struct change one,
                      struct change in, int32_t behind) {
    int32_t low = one.low > in.low ? one.low : in.low;
    int32_t high = one.high < in.high ? one.high : in.high;
    base.offset = low < 0 ? 0 : low / word * word;
    base.limit = behind;
    high = (high < behind ? high + word - 1 : behind + word - 1) / word * word;
    base.size = (uint32_t)(high - base.offset);
    if (base.offset < high)
        VEC_PUSH(ranges, base);
}

static uint32_t total_of(const range_vec *ranges) {
    uint32_t total = 0;
    for (size_t i = 0; i < ranges->count; i++)
        total += ranges->data[i].size + 2 * word;
    return total;
}

static bool is_pointer(const struct program *program, function_id function, uint32_t argument) {
    value_id value = program->functions.data[function].arguments.first + argument;
    return program->types.data[program->values.data[value].type].kind == TYPE_POINTER;
}

static void add_arguments(struct monitor_copies *copies, function_id id, LLVMValueRef function,
                          bool only_used) {
    const struct change all = {CHANGE_LOW, CHANGE_HIGH};
    range_vec *ranges = &copies->ranges;
    ranges->count = 0;
    for (uint32_t a = 0; a < copies->program->functions.data[id].arguments.count; a++) {
        /* Through a pointer to a function, anything may be handed anything. */
        if (!is_pointer(copies->program, id, a))
            continue;
        struct change_list list = changes_of(copies->changes, id, a);
        struct change_list used = changes_used(copies->changes, id, a);
        const struct source_type *type = behind_argument(copies, id, a);
        int32_t behind = size_of(type, unknown_size, most_copied);
        size_t first = ranges->count, parts = only_used ? used.count : 1;
        struct shadow_range base = {.base = LLVMGetParam(function, a),
                                    .field = SHADOW_NO_FIELD,
                                    .is_open = !is_sized(type)};
        for (size_t i = 0; i < list.count; i++)
            for (size_t k = 0; k < parts; k++)
                add_range(ranges, base, list.changes[i], only_used ? used.changes[k] : all, behind);
        merge(ranges, first);
    }
}

static bool is_used(const struct monitor_copies *copies, function_id id,
                    const struct field_change *field) {
    struct change_list used = changes_used(copies->changes, id, field->argument);
    for (size_t i = 0; i < used.count; i++)
        if (used.changes[i].low < field->field + word && used.changes[i].high > field->field)
            return true;
    return false;
}

/* What the function changes behind fields that it uses itself: those that only its callees use are
 * in their records. */
static void add_fields(struct monitor_copies *copies, function_id id, LLVMValueRef function) {
    const struct change all = {CHANGE_LOW, CHANGE_HIGH};
    struct field_change_list list = changes_of_fields(copies->changes, id);
    bool *done = mem_zalloc(list.count + 1, sizeof *done);
    for (size_t i = 0; i < list.count; i++) {
        const struct field_change *one = &list.changes[i];
        if (done[i] || !is_pointer(copies->program, id, one->argument) || !is_used(copies, id, one))
            continue;
        const struct source_type *type = behind_argument(copies, id, one->argument);
        int32_t behind = size_of(
            one->field < 0 ? NULL : behind_field(copies->program, type, (uint64_t)one->field),
            unknown_behind_field, most_copied);
        size_t first = copies->ranges.count;
        struct shadow_range base = {.base = LLVMGetParam(function, one->argument),
                                    .field = one->field};
        for (size_t k = i; k < list.count; k++)
            if (list.changes[k].argument == one->argument && list.changes[k].field == one->field) {
                add_range(&copies->ranges, base, list.changes[k].bytes, all, behind);
                done[k] = true;
            }
        merge(&copies->ranges, first);
    }
    free(done);
}

/* The program's own variable; NULL for what has no one place. */
static LLVMValueRef variable_value(const struct monitor_copies *copies, memory_id memory) {
    const struct memory *known = &copies->program->memory.data[memory];
    if (known->kind != MEMORY_GLOBAL || !known->address || !known->name ||
        known->flags & (MEMORY_CONSTANT | MEMORY_RUNTIME | MEMORY_NATIVE_THREAD_LOCAL))
        return NULL;
    return LLVMGetNamedGlobal(copies->variant->module, known->name);
}

static void add_variables(struct monitor_copies *copies, function_id id, uint32_t budget) {
    const struct change all = {CHANGE_LOW, CHANGE_HIGH};
    struct variable_change_list list = changes_of_variables(copies->changes, id);
    for (size_t i = 0; i < list.count; i++) {
        LLVMValueRef variable = variable_value(copies, list.changes[i].memory);
        uint64_t size = copies->program->memory.data[list.changes[i].memory].size;
        size_t before = copies->ranges.count;
        if (variable && size <= most_copied)
            add_range(&copies->ranges,
                      (struct shadow_range){.base = variable, .field = SHADOW_NO_FIELD},
                      list.changes[i].bytes, all, (int32_t)size);
        if (total_of(&copies->ranges) > budget)
            copies->ranges.count = before;
    }
}

/* What is small says more: a flag, a count, a pointer.  Of what has no known size a part is better
 * than nothing: it may be a short text. */
static void shrink(range_vec *ranges, size_t first, uint32_t most) {
    enum { least = 2 * word };
    while (ranges->count > first && total_of(ranges) > most) {
        size_t largest = first;
        for (size_t i = first + 1; i < ranges->count; i++)
            if (ranges->data[i].size >= ranges->data[largest].size)
                largest = i;
        uint32_t over = total_of(ranges) - most;
        struct shadow_range *one = &ranges->data[largest];
        if (one->is_open && one->size >= over + least) {
            one->size -= (over + word - 1) / word * word;
            continue;
        }
        for (size_t i = largest; i + 1 < ranges->count; i++)
            ranges->data[i] = ranges->data[i + 1];
        ranges->count--;
    }
}

/* Calls of the environment take time, too. */
static uint32_t budget_of(const struct program *program, function_id id) {
    enum { cost_of_call = 8 };
    struct range instructions = program->functions.data[id].instructions;
    uint32_t budget = instructions.count;
    for (uint32_t i = 0; i < instructions.count; i++) {
        const struct instruction *one = &program->instructions.data[instructions.first + i];
        const struct function *callee = one->flags & INSTRUCTION_CALL && one->callee != NO_ID
                                            ? &program->functions.data[one->callee]
                                            : NULL;
        if (callee && !(callee->flags & FUNCTION_DEFINED) && strncmp(callee->name, "llvm.", 5) != 0)
            budget += cost_of_call;
    }
    return budget > most_copied ? most_copied : budget < least_copied ? least_copied : budget;
}

/* All that it changes, if that is little for a function of its size; else what of that it uses
 * itself: the functions that it calls have their own records. */
static void find_ranges(struct monitor_copies *copies, function_id id, LLVMValueRef function) {
    uint32_t budget = budget_of(copies->program, id);
    add_arguments(copies, id, function, false);
    if (total_of(&copies->ranges) > budget)
        add_arguments(copies, id, function, true);
    shrink(&copies->ranges, 0, budget);
    size_t fields = copies->ranges.count;
    if (copies->uses_fields)
        add_fields(copies, id, function);
    shrink(&copies->ranges, fields, budget);
    add_variables(copies, id, budget);
}

/* --- places ------------------------------------------------------------------------------- */

struct question {
    const struct changes *changes;
    struct change_place place;
};

static bool is_changed(instruction_id instruction, void *data) {
    const struct question *question = data;
    return changes_may(question->changes, instruction, &question->place);
}

/* What a range is of, in the terms of the analysis. */
static struct change_place place_of(const struct monitor_copies *copies, function_id id,
                                    LLVMValueRef function, const struct shadow_range *range) {
    struct change_place ret = {
        NO_ID, CHANGE_NO_FIELD, NO_ID, {range->offset, range->offset + (int32_t)range->size}};
    if (range->field != SHADOW_NO_FIELD)
        ret.field = range->field;
    for (uint32_t a = 0; a < LLVMCountParams(function); a++)
        if (LLVMGetParam(function, a) == range->base)
            ret.argument = a;
    struct variable_change_list list = changes_of_variables(copies->changes, id);
    for (size_t i = 0; ret.argument == NO_ID && i < list.count; i++)
        if (variable_value(copies, list.changes[i].memory) == range->base)
            ret.memory = list.changes[i].memory;
    return ret;
}

/* As it is written in shadow_copies.c. */
static uint32_t cost_of(const struct shadow_range *range) {
    enum { head = 3, following = 7 };
    return head + range->size / word + (range->field == SHADOW_NO_FIELD ? 0 : following);
}

static LLVMBasicBlockRef block_of(LLVMValueRef function, uint32_t number) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    while (number--)
        block = LLVMGetNextBasicBlock(block);
    return block;
}

static void find_places(struct monitor_copies *copies, function_id id, LLVMValueRef function) {
    copies->places.count = 0;
    if (!copies->ranges.count)
        return;
    struct monitor_places *places = monitor_places_new(copies->program, id);
    for (size_t i = 0; i < copies->ranges.count; i++) {
        struct shadow_range *range = &copies->ranges.data[i];
        struct question question = {copies->changes, place_of(copies, id, function, range)};
        const struct copy_place *list;
        range->first_place = copies->places.count;
        range->place_count =
            monitor_places_find(places, is_changed, &question, cost_of(range), &list);
        for (size_t k = 0; k < range->place_count; k++)
            VEC_PUSH(&copies->places,
                     (struct shadow_place){block_of(function, list[k].block), list[k].is_repeated});
    }
    monitor_places_free(places);
}

/* --- roots -------------------------------------------------------------------------------- */

static void add_root(struct monitor_copies *copies, LLVMValueRef base, int32_t field,
                     const struct source_type *type) {
    VEC_PUSH(&copies->roots,
             (struct shadow_root){base, field, (uint32_t)size_of(type, unknown_size, most_behind),
                                  copies->depth});
}

/* Pointers that the function uses, where they lie in a struct, are followed one level deeper. */
static void add_used(struct monitor_copies *copies, function_id id, LLVMValueRef function,
                     uint32_t argument, const struct source_type *type) {
    struct change_list used = changes_used(copies->changes, id, argument);
    for (size_t i = 0; i < used.count; i++) {
        int32_t field = used.changes[i].low;
        const struct source_type *behind =
            field < 0 || used.changes[i].high - field != word
                ? NULL
                : behind_field(copies->program, type, (uint64_t)field);
        if (behind)
            add_root(copies, LLVMGetParam(function, argument), field, behind);
    }
}

static void find_roots(struct monitor_copies *copies, function_id id, LLVMValueRef function) {
    copies->roots.count = copies->ranges.count = 0;
    for (uint32_t a = 0; a < copies->program->functions.data[id].arguments.count; a++) {
        if (!is_pointer(copies->program, id, a) || immutable_is(copies->immutable, id, a))
            continue;
        const struct source_type *type = behind_argument(copies, id, a);
        add_root(copies, LLVMGetParam(function, a), SHADOW_NO_FIELD, type);
        if (copies->uses_fields && copies->depth < MONITOR_DEEP)
            add_used(copies, id, function, a, type);
    }
    struct variable_change_list list = changes_of_variables(copies->changes, id);
    for (size_t i = 0; i < list.count; i++) {
        memory_id memory = list.changes[i].memory;
        LLVMValueRef variable = variable_value(copies, memory);
        if (variable)
            VEC_PUSH(&copies->roots,
                     (struct shadow_root){variable, SHADOW_NO_FIELD,
                                          (uint32_t)copies->program->memory.data[memory].size,
                                          copies->depth});
    }
}

void monitor_copies_find(struct monitor_copies *copies, function_id id, LLVMValueRef function,
                         struct shadow_options *ret) {
    if (!copies->depth)
        return;
    if (copies->depth > 1)
        find_roots(copies, id, function);
    else
        find_ranges(copies, id, function);
    find_places(copies, id, function);
    ret->places = copies->places.data;
    ret->copies = copies->ranges.data;
    ret->copy_count = copies->ranges.count;
    ret->roots = copies->roots.data;
    ret->root_count = copies->roots.count;
}
