/*
 * What no cut separates, and where the environment comes in by itself; cut.h has the list for those
 * who record.
 *
 *   memory     What the environment owns, or writes when it likes, is not valid; errno and what a
 *              model calls state of the environment are no memory.  Of a pointer that may lead to
 *              memory of the environment and elsewhere, the recorder finds out by the address, at
 *              no cost in the log.
 *   streams    What a stream was told to write into changes when the environment likes.
 *   va_list    Holds addresses on the machine stack, which is as deep in a replay as there are
 *              functions: they cannot come from a log.  What va_start() and va_copy() write, and
 *              what is copied from there, is worked on by functions on one side, as far as they
 *              work on nothing else; a recorder that meets such an address by way of a pointer that
 *              may point anywhere has to say so.
 *   setjmp()   What can be on the stack when longjmp() is called, from setjmp() on, is on one side.
 *              They are not told apart by their buffers, so a program has one such group.
 *   assembly   that asks the processor or the kernel is environment.
 */
#include <stdlib.h>
#include <string.h>

#include "cut/graph_impl.h"

/* --- memory ----------------------------------------------------------------------------------- */

/* Memory that is the environment's own: its address tells, whatever the pointer may point to
 * besides. */
static bool is_foreign(struct pta_object of) {
    return of.kind == PTA_ENVIRONMENT || of.kind == PTA_HANDLES;
}

/* Does the program call functions of which nothing is known?  Else nothing escapes but to libraries
 * that it loads later, and of those a recording says what docs/record-replay.md has among its
 * limits. */
static bool has_unmodelled(const struct build *build) {
    for (function_id f = 0; f < build->program->functions.count; f++)
        if (pta_is_unmodelled(build->pta, f))
            return true;
    return false;
}

/* A variable of libc's, or of another library's, that it changes when it likes: optind, tzname. The
 * standard streams stay what they are, but are elsewhere in a replay: it may compare them with
 * those of the recording. */
static bool is_imported(const struct memory *memory) {
    return memory->kind == MEMORY_GLOBAL && memory->name &&
           (memory->flags & (MEMORY_EXTERNAL | MEMORY_RUNTIME)) == MEMORY_EXTERNAL &&
           strncmp(memory->name, "__recut_", 8) != 0;
}

/* Memory of the program's that may change, or not be there, without a word. */
static bool is_spoilt(const struct build *build, struct pta_object of, uint8_t flags) {
    if (!is_foreign(of) && of.flags & flags)
        return true;
    if (of.memory == NO_ID)
        return false;
    const struct memory *memory = &build->program->memory.data[of.memory];
    return (memory->kind == MEMORY_STACK && build->program->is_canonical) || is_imported(memory);
}

static bool mark_written(struct build *build, struct effect_list list) {
    bool changes = false;
    for (uint32_t k = 0; k < list.count; k++) {
        struct bitset set = cells_of(build->cells, list.effects[k].region);
        BITSET_EACH(cell, &set) {
            changes |= list.effects[k].writes && !build->is_fixed[cell];
            build->is_fixed[cell] |= list.effects[k].writes;
        }
    }
    return changes;
}

/* Does a copy read nothing but parts of va_lists? */
static bool reads_fixed(const struct build *build, struct effect_list list) {
    bool is_read = false;
    for (uint32_t k = 0; k < list.count; k++) {
        if (list.effects[k].writes)
            continue;
        struct bitset set = cells_of(build->cells, list.effects[k].region);
        BITSET_EACH(cell, &set)
        if (!build->is_fixed[cell])
            return false;
        is_read = true;
    }
    return is_read;
}

static void mark_va_lists(struct build *build) {
    bool changes = false;
    for (instruction_id i = 0; i < build->program->instructions.count; i++) {
        uint8_t intrinsic = build->program->instructions.data[i].intrinsic;
        if (intrinsic == INTRINSIC_VA_START || intrinsic == INTRINSIC_VA_COPY)
            changes |= mark_written(build, effects_of(build->effects, i));
    }
    while (changes) {
        changes = false;
        for (instruction_id i = 0; i < build->program->instructions.count; i++) {
            uint8_t intrinsic = build->program->instructions.data[i].intrinsic;
            struct effect_list list = effects_of(build->effects, i);
            if ((intrinsic == INTRINSIC_MEMCPY || intrinsic == INTRINSIC_MEMMOVE) &&
                reads_fixed(build, list))
                changes |= mark_written(build, list);
        }
    }
}

void build_bounds_of_memory(struct build *build) {
    uint32_t objects = pta_object_count(build->pta);
    bool *spoilt CLEANUP_FREE = mem_zalloc(objects + STATE_COUNT, sizeof *spoilt);
    bool *ours CLEANUP_FREE = mem_zalloc(objects + STATE_COUNT, sizeof *ours);
    bool *looked_into CLEANUP_FREE = mem_zalloc(objects + STATE_COUNT, sizeof *looked_into);
    bool *none CLEANUP_FREE = mem_zalloc(objects + STATE_COUNT, sizeof *none);
    uint8_t flags = PTA_SHARED | (has_unmodelled(build) ? PTA_ESCAPED : 0);
    for (uint32_t o = 0; o < objects; o++) {
        spoilt[o] = is_spoilt(build, pta_object(build->pta, o), flags);
        ours[o] = !is_foreign(pta_object(build->pta, o));
        looked_into[o] = pta_object(build->pta, o).kind == PTA_ENVIRONMENT;
        none[o] = pta_is_errno(build->pta, o);
    }
    for (uint32_t state = 0; state < STATE_COUNT; state++) {
        none[objects + state] = state != STATE_KEYS;
        ours[objects + state] = true;
    }
    build->is_looked_into = cells_of_objects(build->cells, looked_into);
    bool *has_ours CLEANUP_FREE = cells_of_objects(build->cells, ours);
    bool *is_spoilt_cell CLEANUP_FREE = cells_of_objects(build->cells, spoilt);
    for (uint32_t cell = 0; cell < cells_count(build->cells); cell++) {
        graph_node node = build->graph->first_cell + cell;
        uint32_t object = cells_object(build->cells, cell);
        build->is_ignored[cell] = none[object];
        build->is_foreign[cell] = !has_ours[cell];
        if (build->is_foreign[cell] || is_spoilt_cell[cell])
            build_tie(build, GRAPH_SOURCE, node, TIE_OWNED);
        if (object < objects && pta_object(build->pta, object).kind == PTA_VARIADIC)
            build_tie(build, graph_function(pta_object(build->pta, object).id), node, TIE_VA_LIST);
    }
    mark_va_lists(build);
}

/* --- streams ---------------------------------------------------------------------------------- */

static void tie_written(struct build *build, instruction_id call, value_id address) {
    struct effect_list list = effects_of(build->effects, call);
    for (uint32_t i = 0; i < list.count; i++) {
        if (!list.effects[i].writes || list.effects[i].address != address)
            continue;
        struct bitset set = cells_of(build->cells, list.effects[i].region);
        BITSET_EACH(cell, &set)
        if (!build->is_ignored[cell])
            build_tie(build, GRAPH_SOURCE, build->graph->first_cell + cell, TIE_OWNED);
    }
}

/* Memory that a stream keeps to write into (fmemopen()): which call of which function does that, no
 * model says.  What a mere buffer holds (setvbuf()) is nobody's business, by the C standard. */
static void bound_streams(struct build *build, instruction_id id) {
    const struct program *program = build->program;
    struct range operands = program->instructions.data[id].operands;
    const struct model_table *table = pta_models(build->pta);
    uint32_t count;
    const function_id *callees = pta_callees(build->pta, id, &count);
    for (uint32_t k = 0; k < count; k++) {
        const struct model_function *model =
            callees[k] == NO_ID ? NULL : pta_model(build->pta, callees[k]);
        if (!model || model->result != MODEL_RESULT_HANDLE)
            continue;
        for (uint32_t i = 0; i < model->param_count && i < operands.count; i++)
            if (model_table_param(table, model, i)->kept)
                tie_written(build, id, program->operands.data[operands.first + i]);
    }
}

/* --- functions -------------------------------------------------------------------------------- */

static bool has_unseen(const struct program *program, const struct instruction *instruction) {
    static const char *const words[] = {"syscall", "sysenter", "int $$0x80", "rdtsc",
                                        "rdrand",  "rdseed",   "rdpmc",      "cpuid"};
    static const char *const intrinsics[] = {"llvm.x86.rdtsc", "llvm.x86.rdrand", "llvm.x86.rdseed",
                                             "llvm.x86.rdpmc", "llvm.readcyclecounter"};
    if (instruction->opcode != OP_CALL)
        return false;
    const struct value *called = &program->values.data[instruction->called];
    for (size_t i = 0; called->kind == VALUE_ASSEMBLY && i < sizeof words / sizeof *words; i++)
        if (called->text && strstr(called->text, words[i]))
            return true;
    if (instruction->intrinsic == INTRINSIC_NONE || instruction->callee == NO_ID)
        return false;
    const char *name = program->functions.data[instruction->callee].name;
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strncmp(name, intrinsics[i], strlen(intrinsics[i])) == 0)
            return true;
    return false;
}

/* Cells in frames on the machine stack. */
static bool *mark_stack(const struct build *build) {
    uint32_t objects = pta_object_count(build->pta);
    bool *marks CLEANUP_FREE = mem_zalloc(objects + STATE_COUNT, sizeof *marks);
    for (uint32_t o = 0; o < objects; o++) {
        memory_id memory = pta_object(build->pta, o).memory;
        marks[o] = memory != NO_ID && build->program->memory.data[memory].kind == MEMORY_STACK;
    }
    return cells_of_objects(build->cells, marks);
}

static bool writes_stack(struct build *build, instruction_id id, const bool *stack) {
    struct effect_list list = effects_of(build->effects, id);
    for (uint32_t i = 0; i < list.count; i++)
        if (list.effects[i].writes && build_is_stack(build, list.effects[i].region, stack))
            return true;
    return false;
}

/* Of plain bitcode it is seen what would be if recut-cc had linked it. */
static void bound_functions(struct build *build) {
    bool is_left_out = false;
    for (function_id f = 0; f < build->program->functions.count; f++) {
        if (!build->program->functions.data[f].left_out || !build->program->is_canonical)
            continue;
        is_left_out = true;
        build_tie(build, GRAPH_SOURCE, graph_function(f), TIE_NOT_CANONICAL);
    }
    bool *stack CLEANUP_FREE = mark_stack(build);
    for (instruction_id i = 0; i < build->program->instructions.count; i++) {
        graph_node of = graph_function(program_function_of(build->program, i));
        bound_streams(build, i);
        if (has_unseen(build->program, &build->program->instructions.data[i]))
            build_tie(build, GRAPH_SOURCE, of, TIE_UNSEEN);
        if (is_left_out && writes_stack(build, i, stack))
            build_tie(build, GRAPH_SOURCE, of, TIE_NOT_CANONICAL);
    }
}

/* --- jumps ------------------------------------------------------------------------------------ */

static bool calls_one_of(const struct build *build, instruction_id id, const char *const *names) {
    uint32_t count;
    const function_id *callees = pta_callees(build->pta, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (callees[i] == NO_ID)
            continue;
        const char *name = build->program->functions.data[callees[i]].name;
        if (strncmp(name, "__recut_", 8) == 0)
            name += 8;
        for (const char *const *wanted = names; *wanted; wanted++)
            if (strcmp(name, *wanted) == 0)
                return true;
    }
    return false;
}

/* Marks functions from which a marked one can be come to or, forward, those that can be come to. */
static void spread(const struct build *build, bool *marks, bool forward) {
    for (bool changes = true; changes;) {
        changes = false;
        for (instruction_id i = 0; i < build->program->instructions.count; i++) {
            if (!(build->program->instructions.data[i].flags & INSTRUCTION_CALL))
                continue;
            function_id caller = program_function_of(build->program, i);
            uint32_t count;
            const function_id *callees = effects_callees(build->effects, i, &count);
            for (uint32_t k = 0; k < count; k++) {
                bool from = marks[forward ? caller : callees[k]];
                bool *to = &marks[forward ? callees[k] : caller];
                changes |= from && !*to;
                *to |= from;
            }
        }
    }
}

static void bound_jumps(struct build *build) {
    static const char *const jumps[] = {
        "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "llvm.eh.sjlj.longjmp", NULL};
    static const char *const switches[] = {"swapcontext", "setcontext", "makecontext", NULL};
    size_t count = build->program->functions.count;
    bool *below CLEANUP_FREE = mem_zalloc(count + 1, sizeof *below);
    bool *above CLEANUP_FREE = mem_zalloc(count + 1, sizeof *above);
    bool has_jumps = false, has_switches = false;
    for (instruction_id i = 0; i < build->program->instructions.count; i++) {
        const struct instruction *instruction = &build->program->instructions.data[i];
        if (!(instruction->flags & INSTRUCTION_CALL))
            continue;
        function_id function = program_function_of(build->program, i);
        below[function] |= (instruction->flags & INSTRUCTION_RETURNS_TWICE) != 0;
        above[function] |= calls_one_of(build, i, jumps);
        has_jumps |= above[function];
        has_switches |= calls_one_of(build, i, switches);
    }
    if (!has_jumps && !has_switches)
        return;
    spread(build, below, true);
    spread(build, above, false);
    function_id first = NO_ID, last = NO_ID;
    for (function_id f = 0; f < count; f++) {
        bool is_defined = build->program->functions.data[f].flags & FUNCTION_DEFINED;
        if (!is_defined || !(has_switches || (below[f] && above[f])))
            continue;
        first = first == NO_ID ? f : first;
        if (last != NO_ID)
            build_tie(build, graph_function(last), graph_function(f), TIE_JUMP);
        last = f;
    }
    if (last != NO_ID)
        build_tie(build, graph_function(last), graph_function(first), TIE_JUMP);
}

/* --- where the environment calls -------------------------------------------------------------- */

static void add_callbacks(struct build *build) {
    const struct program *program = build->program;
    bool *is_known CLEANUP_FREE = mem_zalloc(program->functions.count + 1, sizeof *is_known);
    for (size_t i = 0; i < build->graph->sites.count; i++)
        if (build->graph->sites.data[i].kind == SITE_CALL)
            is_known[build->graph->sites.data[i].other] = true;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        bool is_main = strcmp(function->name, "main") == 0;
        if (!(function->flags & FUNCTION_DEFINED) ||
            !(is_main || pta_is_called_back(build->pta, f)))
            continue;
        if (is_known[f] && !is_main)
            continue;
        struct site site = {SITE_CALLBACK, GRAPH_SOURCE, graph_function(f), NO_ID, f, f, 0};
        uint64_t count = build->weights->calls[f];
        build_site(
            build, site, count,
            count * (GRAPH_LOG_EVENT + (uint64_t)function->arguments.count * GRAPH_LOG_ARGUMENT));
    }
}

void build_bounds(struct build *build) {
    bound_functions(build);
    bound_jumps(build);
    add_callbacks(build);
}
