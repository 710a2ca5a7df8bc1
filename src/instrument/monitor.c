/* Which functions are monitored?  See monitor.h. */
#include "instrument/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph.h"
#include "instrument/monitor_copies.h"
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

static bool is_wanted(LLVMValueRef function, void *data) {
    const char *choices = data, *name = rewrite_name(function);
    if (monitor_chooses(choices, MONITOR_EXCLUDE, name))
        return false;
    return strstr(choices, MONITOR_ONLY) ? monitor_chooses(choices, MONITOR_ONLY, name)
                                         : !is_leaf(function);
}

static function_id find_function(const struct program *program, LLVMValueRef function) {
    const char *name = rewrite_name(function);
    for (function_id f = 0; f < program->functions.count; f++)
        if (strcmp(program->functions.data[f].name, name) == 0)
            return f;
    return NO_ID;
}

/* --- all of it ---------------------------------------------------------------------------- */

static void monitor_functions(struct variant *variant, const struct program *program,
                              struct effects *effects, const struct callgraph *graph,
                              const char *choices, struct monitor_result *ret) {
    struct monitor_copies *copies = monitor_copies_new(variant, program, effects, graph, choices);
    for (size_t i = 0; i < variant->values.count; i++) {
        LLVMValueRef function = variant->values.data[i].value;
        function_id id = variant->values.data[i].swapped ? find_function(program, function) : NO_ID;
        if (id == NO_ID)
            continue;
        struct shadow_options shadow = {.number = id};
        monitor_copies_find(copies, id, function, &shadow);
        ret->functions += shadow_add(variant, function, &shadow);
    }
    monitor_copies_free(copies);
}

struct error *monitor_build(const struct monitor_options *options, struct monitor_result *ret) {
    struct program *program;
    struct variant variant;
    struct error *err = program_open(options->program_path, &program);
    if (err)
        return err;
    *ret = (struct monitor_result){0};
    struct pta *pta = pta_build(program, &(struct pta_options){.models = options->models});
    struct effects *effects =
        monitor_copies_need_cells(options->choices) ? effects_build(pta) : effects_build_uncut(pta);
    struct callgraph *graph = callgraph_build(effects);
    err = variant_begin(options->embedded, &variant);
    if (!err) {
        variant_choose(&variant, is_wanted, (void *)(uintptr_t)options->choices);
        monitor_functions(&variant, program, effects, graph, options->choices, ret);
        err = variant_finish(&variant, &(struct variant_output){.kind = VARIANT_MONITOR,
                                                                .image_path = options->image_path});
        variant_deinit(&variant);
    }
    callgraph_free(graph);
    effects_free(effects);
    pta_free(pta);
    program_free(program);
    return err;
}
