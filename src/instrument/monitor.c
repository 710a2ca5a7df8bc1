/* Which functions are monitored, and what of their arguments is kept?  See monitor.h. */
#include "instrument/monitor.h"

#include <string.h>

#include "instrument/shadow.h"
#include "instrument/variant.h"
#include "program/canonical/rewrite.h"
#include "program/program.h"

enum { small = 24 }; /* instructions */

/* Goes back, or calls. */
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
    (void)data;
    return !is_leaf(function);
}

static function_id find_function(const struct program *program, LLVMValueRef function) {
    const char *name = rewrite_name(function);
    for (function_id f = 0; f < program->functions.count; f++)
        if (strcmp(program->functions.data[f].name, name) == 0)
            return f;
    return NO_ID;
}

struct error *monitor_build(const struct monitor_options *options, struct monitor_result *ret) {
    struct program *program;
    struct variant variant;
    struct error *err = program_open(options->program_path, &program);
    if (err)
        return err;
    *ret = (struct monitor_result){0};
    err = variant_begin(options->embedded, &variant);
    if (!err) {
        variant_choose(&variant, is_wanted, NULL);
        for (size_t i = 0; i < variant.values.count; i++) {
            if (!variant.values.data[i].swapped)
                continue;
            LLVMValueRef function = variant.values.data[i].value;
            struct shadow_options shadow = {.number = find_function(program, function)};
            ret->functions += shadow.number != NO_ID && shadow_add(&variant, function, &shadow);
        }
        err = variant_finish(&variant, &(struct variant_output){.kind = VARIANT_MONITOR,
                                                                .image_path = options->image_path});
        variant_deinit(&variant);
    }
    program_free(program);
    return err;
}
