/*
 * Where code comes from: files, scopes, locations with what was inlined where,
 * and for each line its instructions.
 */
#include <stdlib.h>
#include <string.h>

#include "base/md5.h"
#include "program/model.h"

file_id model_file(struct model *model, LLVMMetadataRef node) {
    if (!node)
        return NO_ID;
    file_id id = idmap_find(&model->files, node);
    if (id != IDMAP_NONE)
        return id;
    struct program *program = model->program;
    unsigned name_length, directory_length;
    const char *name = LLVMDIFileGetFilename(node, &name_length);
    const char *directory = LLVMDIFileGetDirectory(node, &directory_length);
    struct source_file file = {
        .name = model_string(model, name ? name : "", name ? name_length : 0),
        .directory =
            model_string(model, directory ? directory : "", directory ? directory_length : 0),
        .checksum = metadata_string(model, node, DI_FILE_CHECKSUM),
    };
    if (file.checksum && strlen(file.checksum) != MD5_TEXT_SIZE - 1)
        file.checksum = NULL;
    file.path = *file.name == '/' || !*file.directory
                    ? file.name
                    : arena_printf(&program->arena, "%s/%s", file.directory, file.name);
    /* Every compilation unit has its own node for a header. */
    for (id = 0; id < program->files.count; id++)
        if (strcmp(program->files.data[id].path, file.path) == 0)
            break;
    if (id == program->files.count)
        VEC_PUSH(&program->files, file);
    idmap_set(&model->files, node, id);
    return id;
}

scope_id model_scope(struct model *model, LLVMMetadataRef node) {
    if (!node)
        return NO_ID;
    scope_id id = idmap_find(&model->scopes, node);
    if (id != IDMAP_NONE)
        return id;
    struct program *program = model->program;
    struct scope scope = {.kind = SCOPE_FILE, .function = NO_ID, .parent = NO_ID};
    switch (LLVMGetMetadataKind(node)) {
    case LLVMDISubprogramMetadataKind:
        scope.kind = SCOPE_FUNCTION;
        scope.name = metadata_string(model, node, DI_SUBPROGRAM_NAME);
        scope.line = LLVMDISubprogramGetLine(node);
        break;
    case LLVMDILexicalBlockMetadataKind:
    case LLVMDILexicalBlockFileMetadataKind:
        scope.kind = SCOPE_BLOCK;
        scope.parent = model_scope(model, metadata_operand(model, node, DI_SCOPE_PARENT));
        scope.function = program->scopes.data[scope.parent].function;
        break;
    default:
        break;
    }
    scope.file = LLVMGetMetadataKind(node) == LLVMDIFileMetadataKind
                     ? model_file(model, node)
                     : model_file(model, LLVMDIScopeGetFile(node));
    id = (scope_id)program->scopes.count;
    VEC_PUSH(&program->scopes, scope);
    idmap_set(&model->scopes, node, id);
    return id;
}

location_id model_location(struct model *model, LLVMMetadataRef node) {
    if (!node)
        return NO_ID;
    location_id id = idmap_find(&model->locations, node);
    if (id != IDMAP_NONE)
        return id;
    LLVMMetadataRef scope = LLVMDILocationGetScope(node);
    struct location location = {
        .file = model_file(model, LLVMDIScopeGetFile(scope)),
        .line = LLVMDILocationGetLine(node),
        .column = LLVMDILocationGetColumn(node),
        .scope = model_scope(model, scope),
        .inlined_at = model_location(model, LLVMDILocationGetInlinedAt(node)),
    };
    id = (location_id)model->program->locations.count;
    VEC_PUSH(&model->program->locations, location);
    idmap_set(&model->locations, node, id);
    return id;
}

void model_units(struct model *model) {
    struct program *program = model->program;
    unsigned count = LLVMGetNamedMetadataNumOperands(model->module, "llvm.dbg.cu");
    LLVMValueRef *units CLEANUP_FREE = mem_zalloc(count + 1, sizeof *units);
    LLVMGetNamedMetadataOperands(model->module, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef unit = LLVMValueAsMetadata(units[i]);
        const char *producer = metadata_string(model, unit, DI_UNIT_PRODUCER);
        const char *command = metadata_string(model, unit, DI_UNIT_FLAGS);
        VEC_PUSH(&program->units, (struct compile_unit){
                                      .file = model_file(model, LLVMDIScopeGetFile(unit)),
                                      .producer = producer ? producer : "",
                                      .command = command ? command : "",
                                  });
    }
    program->has_debug_info = count > 0;
    LLVMValueRef ident[1] = {NULL};
    if (LLVMGetNamedMetadataNumOperands(model->module, "llvm.ident") > 0) {
        LLVMValueRef *idents CLEANUP_FREE = mem_zalloc(
            LLVMGetNamedMetadataNumOperands(model->module, "llvm.ident"), sizeof *idents);
        LLVMGetNamedMetadataOperands(model->module, "llvm.ident", idents);
        ident[0] = idents[0];
    }
    if (ident[0])
        program->compiler = metadata_string(model, LLVMValueAsMetadata(ident[0]), 0);
    else if (program->units.count)
        program->compiler = program->units.data[0].producer;
}

struct line_entry {
    file_id file;
    uint32_t line;
    instruction_id instruction;
};

static int compare_entries(const void *a, const void *b) {
    const struct line_entry *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

void model_lines(struct program *program) {
    VEC(struct line_entry) entries = {0};
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        location_id id = program->instructions.data[i].location;
        if (id == NO_ID)
            continue;
        const struct location *location = &program->locations.data[id];
        if (location->line && location->file != NO_ID)
            VEC_PUSH(&entries, (struct line_entry){location->file, location->line, i});
    }
    if (entries.count)
        qsort(entries.data, entries.count, sizeof *entries.data, compare_entries);
    for (size_t i = 0; i < entries.count; i++) {
        const struct line_entry *entry = &entries.data[i];
        if (i == 0 || entry->file != entry[-1].file || entry->line != entry[-1].line)
            VEC_PUSH(&program->lines,
                     (struct source_line){entry->file, entry->line, {(uint32_t)i, 0}});
        program->lines.data[program->lines.count - 1].instructions.count++;
        VEC_PUSH(&program->line_instructions, entry->instruction);
    }
    VEC_DEINIT(&entries);
}
