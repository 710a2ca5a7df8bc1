/*
 * recut info: what is inside a program, before anything is recorded.
 */
#include "cmd/info.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "format/model_table.h"

static const char help[] =
    "usage: recut info [OPTION]... PROG\n"
    "\n"
    "Says what is inside a program that recut-cc built (or a bitcode file): how it\n"
    "was compiled, which functions and globals it has, what it uses of its\n"
    "environment, and what recut cannot do with it, and why.\n"
    "\n"
    "  -v, --functions  list environment functions and native code by name\n"
    "      --json       as JSON (docs/formats.md)\n"
    "  -h, --help       this text\n";

static void count_left_out(struct info *info, const char *reason) {
    for (size_t i = 0; i < info->left_out.count; i++)
        if (strcmp(info->left_out.data[i].reason, reason) == 0) {
            info->left_out.data[i].functions++;
            return;
        }
    VEC_PUSH(&info->left_out, (struct info_reason){reason, 1});
}

static int compare_names(const void *a, const void *b, void *program) {
    const struct function *functions = ((const struct program *)program)->functions.data;
    return strcmp(functions[*(const function_id *)a].name, functions[*(const function_id *)b].name);
}

static void gather_functions(struct info *info) {
    const struct program *program = info->program;
    for (function_id i = 0; i < program->functions.count; i++) {
        const struct function *function = &program->functions.data[i];
        if (!(function->flags & FUNCTION_DEFINED)) {
            bool is_used = function->flags & (FUNCTION_CALLED | FUNCTION_ADDRESS_TAKEN);
            if (!is_used || function->flags & FUNCTION_INTRINSIC)
                continue;
            if (function->flags & FUNCTION_RUNTIME)
                VEC_PUSH(&info->runtime, i);
            else
                VEC_PUSH(&info->environment, i);
            continue;
        }
        info->defined++;
        info->canonical += program->is_canonical && !function->left_out;
        info->unoptimised += (function->flags & FUNCTION_UNOPTIMISED) != 0;
        info->with_frame += (function->flags & FUNCTION_FRAME) != 0;
        info->frame_bytes += function->frame_size;
        if (function->left_out)
            count_left_out(info, function->left_out);
    }
    if (info->environment.count)
        qsort_r(info->environment.data, info->environment.count, sizeof(function_id), compare_names,
                (void *)program);
    if (info->runtime.count)
        qsort_r(info->runtime.data, info->runtime.count, sizeof(function_id), compare_names,
                (void *)program);
}

/* What recording does with the functions of the environment. */
static void gather_models(struct info *info) {
    const struct model_table *models = model_table_builtin();
    for (size_t i = 0; i < info->environment.count; i++) {
        function_id id = info->environment.data[i];
        const struct model_function *model =
            model_table_find(models, info->program->functions.data[id].name);
        if (!model)
            VEC_PUSH(&info->unmodelled, id);
        else if (model->class == MODEL_REFUSED)
            VEC_PUSH(&info->refused, id);
    }
}

static void gather_memory(struct info *info) {
    const struct program *program = info->program;
    for (memory_id i = 0; i < program->memory.count; i++) {
        const struct memory *memory = &program->memory.data[i];
        info->thread_locals_moved += memory->kind == MEMORY_THREAD_LOCAL;
        info->heap_sites += memory->kind == MEMORY_HEAP;
        if (memory->kind != MEMORY_GLOBAL || memory->flags & MEMORY_RUNTIME ||
            strncmp(memory->name, "llvm.", 5) == 0)
            continue;
        if (memory->flags & MEMORY_NATIVE_THREAD_LOCAL)
            VEC_PUSH(&info->thread_locals_native, i);
        else if (memory->flags & MEMORY_EXTERNAL)
            info->imported++;
        else if (memory->flags & MEMORY_CONSTANT)
            info->constants++, info->constant_bytes += memory->size;
        else
            info->globals++, info->global_bytes += memory->size;
    }
}

static void gather_calls(struct info *info) {
    const struct program *program = info->program;
    for (size_t i = 0; i < program->instructions.count; i++) {
        const struct instruction *call = &program->instructions.data[i];
        if (!(call->flags & INSTRUCTION_CALL))
            continue;
        info->indirect_calls += (call->flags & INSTRUCTION_INDIRECT) != 0;
        info->assembly_calls += program->values.data[call->called].kind == VALUE_ASSEMBLY;
    }
}

static void warn(struct info *info, char *text) { VEC_PUSH(&info->warnings, text); }

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

static void gather_warnings(struct info *info) {
    const struct program *program = info->program;
    if (!program->is_canonical)
        warn(info, mem_strdup("not a canonical program: recut can analyse it, not record it"));
    for (size_t i = 0; i < info->left_out.count; i++)
        warn(info,
             mem_printf("%zu function%s not canonical: %s", info->left_out.data[i].functions,
                        plural(info->left_out.data[i].functions), info->left_out.data[i].reason));
    for (size_t i = 0; i < info->refused.count; i++) {
        const char *name = program->functions.data[info->refused.data[i]].name;
        const struct model_table *models = model_table_builtin();
        warn(info, mem_printf("a recording ends at %s: %s", name,
                              model_table_text(models, model_table_find(models, name)->reason)));
    }
    if (info->native.count && !program->is_static)
        warn(info, mem_printf("%zu function%s without bitcode: %s part of the environment",
                              info->native.count, plural(info->native.count),
                              info->native.count == 1 ? "it is" : "they are"));
    if (program->is_executable && !info->native.is_known)
        warn(info, mem_strdup("stripped of its symbols: native code in it cannot be told"));
    if (info->thread_locals_native.count)
        warn(info,
             mem_printf("%zu thread-local%s left where the C library puts %s: %s%s",
                        info->thread_locals_native.count, plural(info->thread_locals_native.count),
                        info->thread_locals_native.count == 1 ? "it" : "them",
                        program->memory.data[info->thread_locals_native.data[0]].name,
                        info->thread_locals_native.count == 1 ? "" : ", ..."));
    if (program->assembly)
        warn(info, mem_strdup("assembly at file level: recut does not look into it"));
    if (info->assembly_calls)
        warn(info, mem_printf("%zu piece%s of inline assembly: recut does not look into %s",
                              info->assembly_calls, plural(info->assembly_calls),
                              info->assembly_calls == 1 ? "it" : "them"));
    if (!program->has_debug_info)
        warn(info, mem_strdup("no debug information: slices and reports cannot name lines; "
                              "compile with -g"));
}

static struct error *gather(const struct program *program, struct info *ret) {
    struct info info = {.program = program};
    if (program->is_executable) {
        struct error *err = native_find(program, &info.native);
        if (err)
            return err;
    }
    gather_functions(&info);
    gather_models(&info);
    gather_memory(&info);
    gather_calls(&info);
    gather_warnings(&info);
    *ret = info;
    return NULL;
}

static void info_deinit(struct info *info) {
    native_deinit(&info->native);
    for (size_t i = 0; i < info->warnings.count; i++)
        free(info->warnings.data[i]);
    VEC_DEINIT(&info->warnings);
    VEC_DEINIT(&info->left_out);
    VEC_DEINIT(&info->environment);
    VEC_DEINIT(&info->unmodelled);
    VEC_DEINIT(&info->refused);
    VEC_DEINIT(&info->runtime);
    VEC_DEINIT(&info->thread_locals_native);
}

int cmd_info(int argc, char **argv) {
    static const struct option options[] = {
        {"functions", no_argument, NULL, 'v'},
        {"json", no_argument, NULL, 'j'},
        CMD_OPTION_HELP,
        {0},
    };
    bool details = false, json = false;
    int option;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP "v", options, NULL)) != -1)
        switch (option) {
        case 'v':
            details = true;
            break;
        case 'j':
            json = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 != argc)
        return cmd_usage(argv[0], optind == argc ? "which program?" : "one program at a time");
    struct program *program;
    struct error *err = program_open(argv[optind], &program);
    if (err)
        return cmd_fail(argv[0], err);
    struct info info;
    err = gather(program, &info);
    if (!err) {
        if (json)
            info_print_json(&info, stdout);
        else
            info_print_text(&info, details, stdout);
        info_deinit(&info);
    }
    program_free(program);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
