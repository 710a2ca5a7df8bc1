/*
 * From an executable or bitcode to the program model.
 *
 * build() is the pipeline.  Numbering comes first and touches everything once,
 * so that what follows can refer forward: to functions, globals, arguments,
 * blocks and results of instructions.  Constants, types, scopes and locations
 * get their ids when something first refers to them.
 */
#include "program/model.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "program/by_value.h"
#include "program/codegen.h"
#include "program/embedded.h"
#include "program/table.h"

char *model_string(struct model *model, const char *text, size_t length) {
    return arena_strndup(&model->program->arena, text, length);
}

static value_id add_value(struct model *model, LLVMValueRef llvm, enum value_kind kind,
                          uint32_t definition) {
    struct value value = {
        .kind = (uint8_t)kind,
        .type = model_type(model, LLVMTypeOf(llvm)),
        .definition = definition,
        .variable = NO_ID,
    };
    VEC_PUSH(&model->program->values, value);
    value_id id = (value_id)model->program->values.count - 1;
    idmap_set(&model->values, llvm, id);
    return id;
}

static bool is_debug_intrinsic(LLVMValueRef llvm) {
    return strncmp(rewrite_name(llvm), "llvm.dbg.", 9) == 0;
}

static void number_functions(struct model *model) {
    struct program *program = model->program;
    FOR_EACH_FUNCTION(llvm, model->module) {
        if (is_debug_intrinsic(llvm))
            continue;
        function_id id = (function_id)program->functions.count;
        const char *name = rewrite_name(llvm);
        struct function function = {
            .name = model_string(model, name, strlen(name)),
            .file = NO_ID,
            .source_type = NO_ID,
            .scope = NO_ID,
            .frame_base = NO_ID,
            .copy_of = NO_ID,
            .value = add_value(model, llvm, VALUE_FUNCTION, id),
        };
        if (!LLVMIsDeclaration(llvm))
            function.flags |= FUNCTION_DEFINED;
        if (strncmp(name, "llvm.", 5) == 0)
            function.flags |= FUNCTION_INTRINSIC;
        if (strncmp(name, "__recut_", 8) == 0)
            function.flags |= FUNCTION_RUNTIME;
        VEC_PUSH(&program->functions, function);
        idmap_set(&model->functions, llvm, id);
    }
}

static void number_global(struct model *model, LLVMValueRef llvm) {
    struct program *program = model->program;
    memory_id id = (memory_id)program->memory.count;
    const char *name = rewrite_name(llvm), *section = LLVMGetSection(llvm);
    LLVMTypeRef type = LLVMGlobalGetValueType(llvm);
    struct memory memory = {
        .kind = MEMORY_GLOBAL,
        .flags = MEMORY_SIZE_EXACT,
        .name = model_string(model, name, strlen(name)),
        .section = section && *section ? model_string(model, section, strlen(section)) : NULL,
        .size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(model->layout, type) : 0,
        .align = LLVMGetAlignment(llvm),
        .type = model_type(model, type),
        .value = add_value(model, llvm, VALUE_GLOBAL, id),
        .initial = NO_ID,
        .function = NO_ID,
        .site = NO_ID,
        .out_argument = NO_ID,
        .variable = NO_ID,
    };
    LLVMLinkage linkage = LLVMGetLinkage(llvm);
    if (LLVMIsGlobalConstant(llvm))
        memory.flags |= MEMORY_CONSTANT;
    if (LLVMIsDeclaration(llvm))
        memory.flags |= MEMORY_EXTERNAL;
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        memory.flags |= MEMORY_VISIBLE;
    if (LLVMIsThreadLocal(llvm))
        memory.flags |= MEMORY_NATIVE_THREAD_LOCAL;
    if (strncmp(name, "__recut_", 8) == 0)
        memory.flags |= MEMORY_RUNTIME;
    VEC_PUSH(&program->memory, memory);
    VEC_PUSH(&model->globals, llvm);
}

/* Aliases may name functions, globals and each other, so values come first. */
static void number_aliases(struct model *model) {
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(model->module); a; a = LLVMGetNextGlobalAlias(a))
        add_value(model, a, VALUE_ALIAS, NO_ID);
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(model->module); i; i = LLVMGetNextGlobalIFunc(i))
        add_value(model, i, VALUE_ALIAS, NO_ID);
}

static void set_alias(struct model *model, LLVMValueRef alias, LLVMValueRef target) {
    value_id to = model_value(model, target);
    struct value *value = &model->program->values.data[idmap_find(&model->values, alias)];
    const char *name = rewrite_name(alias);
    value->text = model_string(model, name, strlen(name));
    value->operands = (struct range){(uint32_t)model->program->operands.count, 1};
    VEC_PUSH(&model->program->operands, to);
}

static void fill_aliases(struct model *model) {
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(model->module); a; a = LLVMGetNextGlobalAlias(a))
        set_alias(model, a, LLVMAliasGetAliasee(a));
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(model->module); i; i = LLVMGetNextGlobalIFunc(i))
        set_alias(model, i, LLVMGetGlobalIFuncResolver(i));
}

static void number_instruction(struct model *model, LLVMValueRef llvm, block_id block) {
    struct program *program = model->program;
    instruction_id id = (instruction_id)program->instructions.count;
    if (rewrite_is_intrinsic(llvm, "llvm.dbg.")) {
        VEC_PUSH(&model->debug_calls, (struct debug_call){llvm, id});
        return;
    }
    struct instruction instruction = {
        .block = block,
        .result = NO_ID,
        .location = NO_ID,
        .object = NO_ID,
        .read_at = NO_ID,
        .written_at = NO_ID,
    };
    if (LLVMGetTypeKind(LLVMTypeOf(llvm)) != LLVMVoidTypeKind)
        instruction.result = add_value(model, llvm, VALUE_INSTRUCTION, id);
    if (LLVMIsAAllocaInst(llvm) && strncmp(rewrite_name(llvm), "recut.frame", 11) == 0)
        VEC_PUSH(&model->debugger_slots, id);
    VEC_PUSH(&program->instructions, instruction);
    VEC_PUSH(&model->instructions, llvm);
}

static void number_body(struct model *model, LLVMValueRef llvm, function_id function) {
    struct program *program = model->program;
    uint32_t first_value = (uint32_t)program->values.count;
    unsigned arguments = LLVMCountParams(llvm);
    for (unsigned i = 0; i < arguments; i++) {
        value_id argument = add_value(model, LLVMGetParam(llvm, i), VALUE_ARGUMENT, function);
        program->values.data[argument].number = i;
    }
    uint32_t first_block = (uint32_t)program->blocks.count;
    uint32_t first_instruction = (uint32_t)program->instructions.count;
    FOR_EACH_BLOCK(block, llvm) {
        block_id id = (block_id)program->blocks.count;
        const char *name = LLVMGetBasicBlockName(block);
        uint32_t first = (uint32_t)program->instructions.count;
        FOR_EACH_INSTRUCTION(instruction, block)
            number_instruction(model, instruction, id);
        struct block own = {
            .function = function,
            .instructions = {first, (uint32_t)program->instructions.count - first},
            .synthetic =
                strncmp(name, "recut.entry", 11) == 0 || strncmp(name, "recut.attach", 12) == 0,
        };
        VEC_PUSH(&program->blocks, own);
        idmap_set(&model->blocks, block, id);
    }
    struct function *own = &program->functions.data[function];
    own->arguments = (struct range){first_value, arguments};
    own->blocks = (struct range){first_block, (uint32_t)program->blocks.count - first_block};
    own->instructions = (struct range){first_instruction,
                                       (uint32_t)program->instructions.count - first_instruction};
}

static void number(struct model *model) {
    number_functions(model);
    for (LLVMValueRef g = LLVMGetFirstGlobal(model->module); g; g = LLVMGetNextGlobal(g))
        number_global(model, g);
    number_aliases(model);
    FOR_EACH_FUNCTION(llvm, model->module) {
        function_id id = idmap_find(&model->functions, llvm);
        if (id != IDMAP_NONE)
            number_body(model, llvm, id);
    }
}

/* A function that is an operand, or in an initial value, is not only called. */
static void mark_address_taken(struct program *program) {
    for (size_t i = 0; i < program->operands.count; i++) {
        const struct value *value = &program->values.data[program->operands.data[i]];
        if (value->kind == VALUE_FUNCTION)
            program->functions.data[value->definition].flags |= FUNCTION_ADDRESS_TAKEN;
    }
    for (size_t i = 0; i < program->initial_pointers.count; i++) {
        const struct value *value = &program->values.data[program->initial_pointers.data[i].value];
        if (value->kind == VALUE_FUNCTION)
            program->functions.data[value->definition].flags |= FUNCTION_ADDRESS_TAKEN;
    }
}

static void build(struct model *model) {
    number(model);
    model_units(model);
    model_functions(model);
    model_code(model);
    model_returns(model);
    fill_aliases(model);
    model_initial_values(model);
    mark_address_taken(model->program);
    model_global_variables(model);
    model_local_variables(model);
    model_memory(model);
    model_thread_local_names(model);
    model_resolve_places(model);
    model_lines(model->program);
    model_link_types(model->program);
    model_finish_variables(model);
}

static void set_addresses(struct model *model, const struct embedded *embedded) {
    size_t index = 0;
    for (LLVMValueRef value = table_first(model->module); value && index < embedded->table_count;
         value = table_next(model->module, value), index++) {
        value_id id = idmap_find(&model->values, value);
        struct value *own = id == IDMAP_NONE ? NULL : &model->program->values.data[id];
        if (own && own->kind == VALUE_FUNCTION)
            model->program->functions.data[own->definition].address = embedded->table[index];
        else if (own && own->kind == VALUE_GLOBAL)
            model->program->memory.data[own->definition].address = embedded->table[index];
    }
}

static void set_executable(struct model *model, const struct embedded *embedded) {
    struct program *program = model->program;
    program->is_executable = true;
    program->is_static = embedded->is_static;
    memcpy(program->build_id, embedded->build_id, BUILD_ID_SIZE);
    size_t count = 0;
    while (embedded->needed && embedded->needed[count])
        count++;
    program->libraries = arena_alloc(&program->arena, (count + 1) * sizeof *program->libraries);
    for (size_t i = 0; i < count; i++)
        program->libraries[i] = arena_strdup(&program->arena, embedded->needed[i]);
    set_addresses(model, embedded);
}

static void model_deinit(struct model *model) {
    idmap_deinit(&model->values);
    idmap_deinit(&model->functions);
    idmap_deinit(&model->blocks);
    idmap_deinit(&model->types);
    idmap_deinit(&model->files);
    idmap_deinit(&model->scopes);
    idmap_deinit(&model->locations);
    idmap_deinit(&model->source_types);
    idmap_deinit(&model->variables);
    VEC_DEINIT(&model->instructions);
    VEC_DEINIT(&model->globals);
    VEC_DEINIT(&model->debug_calls);
    VEC_DEINIT(&model->expressions);
    idmap_deinit(&model->expression_ids);
    VEC_DEINIT(&model->debugger_slots);
    VEC_DEINIT(&model->variable_nodes);
    VEC_DEINIT(&model->composites);
}

static struct program *build_program(LLVMModuleRef module, const char *path,
                                     const struct embedded *embedded) {
    struct program *program = mem_zalloc(1, sizeof *program);
    struct model model = {
        .program = program,
        .context = LLVMGetModuleContext(module),
        .module = module,
        .layout = LLVMGetModuleDataLayout(module),
    };
    program->path = arena_strdup(&program->arena, path);
    program->target = arena_strdup(&program->arena, LLVMGetTarget(module));
    program->libraries = arena_alloc(&program->arena, sizeof *program->libraries);
    program->bitcode_size = embedded->bitcode_size;
    size_t length;
    const char *assembly = LLVMGetModuleInlineAsm(module, &length);
    if (length)
        program->assembly = arena_strndup(&program->arena, assembly, length);
    build(&model);
    if (embedded->table || embedded->needed)
        set_executable(&model, embedded);
    model_deinit(&model);
    return program;
}

static bool begins_as_bitcode(const char *path) {
    char magic[4] = "";
    FILE *file = fopen(path, "re");
    size_t got = file ? fread(magic, 1, sizeof magic, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof magic && memcmp(magic, "BC\xc0\xde", 4) == 0;
}

/* The bitcode of a file, with what is known of the executable around it. */
static struct error *read_bitcode(const char *path, struct embedded *ret) {
    if (!begins_as_bitcode(path))
        return embedded_open(path, ret);
    struct embedded embedded = {0};
    struct error *err = io_read_file(path, &embedded.bitcode, &embedded.bitcode_size);
    if (!err)
        *ret = embedded;
    return err;
}

/* Bitcode that recut-cc did not check may be anything. */
static struct error *verify(LLVMModuleRef module, const char *path) {
    char *message = NULL;
    struct error *err = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        message[strcspn(message, "\n")] = '\0';
        err = error_new(ERROR_INPUT, "%s: not valid bitcode: %s", path, message);
    }
    LLVMDisposeMessage(message);
    return err;
}

struct error *model_open_module(const char *path, struct embedded *ret_embedded,
                                LLVMContextRef *ret_context, LLVMModuleRef *ret_module) {
    struct embedded embedded = {0};
    struct error *err = read_bitcode(path, &embedded);
    if (err)
        return err;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    err = codegen_parse(context, embedded.bitcode, embedded.bitcode_size, path, &module);
    if (!err && !embedded.needed)
        err = verify(module, path);
    if (!err && !embedded.needed)
        by_value_copy(module);
    if (err) {
        if (module)
            LLVMDisposeModule(module);
        LLVMContextDispose(context);
        embedded_deinit(&embedded);
        return err;
    }
    *ret_embedded = embedded;
    *ret_context = context;
    *ret_module = module;
    return NULL;
}

void model_close_module(struct embedded *embedded, LLVMContextRef context, LLVMModuleRef module) {
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    embedded_deinit(embedded);
}

struct error *program_open(const char *path, struct program **ret) {
    struct embedded embedded;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct error *err = model_open_module(path, &embedded, &context, &module);
    if (err)
        return err;
    *ret = build_program(module, path, &embedded);
    model_close_module(&embedded, context, module);
    return NULL;
}

void program_free(struct program *program) {
    if (!program)
        return;
    VEC_DEINIT(&program->functions);
    VEC_DEINIT(&program->blocks);
    VEC_DEINIT(&program->instructions);
    VEC_DEINIT(&program->values);
    VEC_DEINIT(&program->memory);
    VEC_DEINIT(&program->types);
    VEC_DEINIT(&program->source_types);
    VEC_DEINIT(&program->files);
    VEC_DEINIT(&program->scopes);
    VEC_DEINIT(&program->locations);
    VEC_DEINIT(&program->lines);
    VEC_DEINIT(&program->variables);
    VEC_DEINIT(&program->places);
    VEC_DEINIT(&program->units);
    VEC_DEINIT(&program->edges);
    VEC_DEINIT(&program->operands);
    VEC_DEINIT(&program->steps);
    VEC_DEINIT(&program->indices);
    VEC_DEINIT(&program->type_members);
    VEC_DEINIT(&program->type_offsets);
    VEC_DEINIT(&program->fields);
    VEC_DEINIT(&program->initial_pointers);
    VEC_DEINIT(&program->line_instructions);
    arena_deinit(&program->arena);
    free(program);
}

struct error *program_llvm_text(const char *path, const char *function, char **ret) {
    struct embedded embedded;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct error *err = model_open_module(path, &embedded, &context, &module);
    if (err)
        return err;
    LLVMValueRef value = function ? LLVMGetNamedFunction(module, function) : NULL;
    if (function && !value) {
        err = error_new(ERROR_FAILED, "%s: no function %s", path, function);
    } else {
        char *text = value ? LLVMPrintValueToString(value) : LLVMPrintModuleToString(module);
        *ret = mem_strdup(text);
        LLVMDisposeMessage(text);
    }
    model_close_module(&embedded, context, module);
    return err;
}
