/* What is a function or variable called, in a test?  See names.h. */
#include "testgen/names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "testgen/names_impl.h"

void names_init(struct names *names, const struct program *program) {
    *names = (struct names){.program = program};
}

void names_deinit(struct names *names) {
    VEC_DEINIT(&names->functions);
    VEC_DEINIT(&names->variables);
    VEC_DEINIT(&names->types);
}

#define ADD_ONCE(vec, id)                                                                          \
    do {                                                                                           \
        for (size_t i = 0; i < (vec)->count; i++)                                                  \
            if ((vec)->data[i] == (id))                                                            \
                return;                                                                            \
        VEC_PUSH(vec, id);                                                                         \
    } while (0)

void names_add_function(struct names *names, function_id function) {
    ADD_ONCE(&names->functions, function);
}
void names_add_variable(struct names *names, memory_id memory) {
    ADD_ONCE(&names->variables, memory);
}
void names_add_type(struct names *names, source_type_id type) {
    const struct program *program = names->program;
    while (type != NO_ID && !names_type_kind(&program->source_types.data[type]))
        type = program->source_types.data[type].target;
    if (type != NO_ID && program->source_types.data[type].name)
        ADD_ONCE(&names->types, type);
}

const char *names_type_kind(const struct source_type *type) {
    switch (type->kind) {
    case SOURCE_STRUCT:
        return "struct";
    case SOURCE_UNION:
        return "union";
    case SOURCE_ENUM:
        return "enum";
    case SOURCE_TYPEDEF:
        return "typedef";
    default:
        return NULL;
    }
}

/* --- who is who --------------------------------------------------------------------------- */

const char *names_base(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static const char *file_name(const struct program *program, file_id file) {
    return file == NO_ID ? "" : names_base(program->files.data[file].name);
}

const char *names_function_file(const struct program *program, function_id function) {
    return file_name(program, program->functions.data[function].file);
}

static const struct variable *variable_of(const struct program *program, memory_id memory) {
    variable_id v = program->memory.data[memory].variable;
    return v == NO_ID ? NULL : &program->variables.data[v];
}

const char *names_variable_name(const struct program *program, memory_id memory) {
    const struct variable *variable = variable_of(program, memory);
    const char *name = variable ? variable->name : program->memory.data[memory].name;
    return name ? name : "";
}

const char *names_variable_file(const struct program *program, memory_id memory) {
    const struct variable *variable = variable_of(program, memory);
    return variable ? file_name(program, variable->file) : "";
}

const char *names_variable_function(const struct program *program, memory_id memory) {
    const struct variable *variable = variable_of(program, memory);
    scope_id scope = variable ? variable->scope : NO_ID;
    while (scope != NO_ID && program->scopes.data[scope].kind == SCOPE_BLOCK)
        scope = program->scopes.data[scope].parent;
    bool is_function = scope != NO_ID && program->scopes.data[scope].kind == SCOPE_FUNCTION;
    return is_function && program->scopes.data[scope].name ? program->scopes.data[scope].name : "";
}

bool names_is_variable(const struct program *program, memory_id memory) {
    const struct memory *known = &program->memory.data[memory];
    return known->kind == MEMORY_GLOBAL && known->address &&
           !(known->flags & (MEMORY_EXTERNAL | MEMORY_RUNTIME | MEMORY_NATIVE_THREAD_LOCAL)) &&
           known->variable != NO_ID;
}

bool names_is_part(const struct program *program, memory_id memory) {
    const struct memory *known = &program->memory.data[memory];
    source_type_id type = program->variables.data[known->variable].type;
    type = type == NO_ID ? NO_ID : program_plain_type(program, type);
    return type != NO_ID && known->size < program->source_types.data[type].size;
}

/* --- identifiers -------------------------------------------------------------------------- */

unsigned names_count(const struct program *program, const char *name) {
    unsigned count = 0;
    for (function_id f = 0; f < program->functions.count; f++)
        count += (program->functions.data[f].flags & FUNCTION_DEFINED) &&
                 strcmp(program->functions.data[f].source_name, name) == 0;
    for (memory_id m = 0; m < program->memory.count; m++)
        count +=
            names_is_variable(program, m) && strcmp(names_variable_name(program, m), name) == 0;
    return count;
}

/* With nothing in it that an identifier cannot have. */
char *names_plain(char *text) {
    for (char *at = text; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
            *at = '_';
    return text;
}

/* "name", or "name__file_c" where that is not enough. */
static char *identifier(const struct program *program, const char *name, const char *function,
                        const char *file) {
    if (names_count(program, name) <= 1)
        return mem_strdup(name);
    return names_plain(mem_printf("%s__%s%s%s", name, function, *function ? "__" : "", file));
}

char *names_function(const struct program *program, function_id function) {
    return identifier(program, program->functions.data[function].source_name, "",
                      names_function_file(program, function));
}

char *names_variable(const struct program *program, memory_id memory) {
    if (names_is_part(program, memory))
        return names_plain(mem_printf("%s__part", program->memory.data[memory].name));
    return identifier(program, names_variable_name(program, memory),
                      names_variable_function(program, memory),
                      names_variable_file(program, memory));
}

/* --- the file ----------------------------------------------------------------------------- */

void names_write(const struct names *names, FILE *out) {
    const struct program *program = names->program;
    for (size_t i = 0; i < names->functions.count; i++) {
        function_id f = names->functions.data[i];
        char *name CLEANUP_FREE = names_function(program, f);
        fprintf(out, "function\t%s\t%s\t%s\n", name, program->functions.data[f].source_name,
                names_function_file(program, f));
    }
    for (size_t i = 0; i < names->variables.count; i++) {
        memory_id m = names->variables.data[i];
        char *name CLEANUP_FREE = names_variable(program, m);
        if (names_is_part(program, m))
            fprintf(out, "part\t%s\t%s\t%" PRIu64 "\n", name, program->memory.data[m].name,
                    program->memory.data[m].size);
        else
            fprintf(out, "variable\t%s\t%s\t%s\t%s\n", name, names_variable_name(program, m),
                    names_variable_file(program, m), names_variable_function(program, m));
    }
    for (size_t i = 0; i < names->types.count; i++) {
        const struct source_type *type = &program->source_types.data[names->types.data[i]];
        fprintf(out, "type\t%s\t%s\t%s\n", names_type_kind(type), type->name,
                file_name(program, type->file));
    }
}
