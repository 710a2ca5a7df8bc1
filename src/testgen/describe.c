/* How does a test get at a program as it is now?  See names.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "testgen/c_type.h"
#include "testgen/names_impl.h"
#include "testgen/signature.h"

struct described {
    const struct program *program;
    struct c_types *types;
    FILE *header, *script;
    char *declarations; /* they come behind the types */
    size_t size;
    FILE *out;
};

enum { most_fields = 5 };

static size_t split(char *line, char *fields[most_fields]) {
    size_t count = 0;
    for (char *at = line; at && count < most_fields;) {
        fields[count++] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    for (size_t i = count; i < most_fields; i++)
        fields[i] = line + strlen(line);
    return count;
}

/* --- functions ---------------------------------------------------------------------------- */

/* Of the same file, if there is one; it may have moved. */
static function_id find_function(const struct program *program, const char *name,
                                 const char *file) {
    function_id found = NO_ID;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!(function->flags & FUNCTION_DEFINED) || !function->address ||
            strcmp(function->source_name, name) != 0)
            continue;
        if (strcmp(names_function_file(program, f), file) == 0)
            return f;
        found = f;
    }
    return found;
}

static char *parameter_list(struct described *described, const struct signature *signature,
                            bool names_only, bool with_lost) {
    char *text = mem_strdup("");
    unsigned written = 0;
    for (size_t i = 0; i < signature->parameters.count; i++) {
        const struct parameter *one = &signature->parameters.data[i];
        if (one->is_lost && !with_lost)
            continue;
        char *before CLEANUP_FREE = text;
        char *name CLEANUP_FREE = mem_printf("p%zu", i + 1);
        char *declared CLEANUP_FREE =
            names_only ? mem_strdup(name) : c_types_declare(described->types, one->type, name);
        text = mem_printf("%s%s%s", before, written++ ? ", " : "", declared);
    }
    if (written || names_only)
        return text;
    free(text);
    return mem_strdup("void");
}

/* One that lost parameters is called with all of them, and gets what is left. */
static void declare_function(struct described *described, const char *identifier, function_id f) {
    const struct function *function = &described->program->functions.data[f];
    struct signature signature;
    signature_find(described->program, f, &signature);
    fprintf(described->script, "%s = %#" PRIx64 ";\n", identifier, function->address);
    if (signature.wrong) {
        fprintf(described->out, "extern char %s[]; /* %s */\n", identifier, signature.wrong);
    } else {
        const struct source_type *type =
            &described->program->source_types.data[function->source_type];
        c_types_need(described->types, type->target, true);
        for (size_t i = 0; i < signature.parameters.count; i++)
            c_types_need(described->types, signature.parameters.data[i].type, true);
        char *parameters CLEANUP_FREE = parameter_list(described, &signature, false, false);
        char *inner CLEANUP_FREE =
            mem_printf("(%s)(%s%s)", identifier, parameters, type->variadic ? ", ..." : "");
        char *text CLEANUP_FREE = c_types_declare(described->types, type->target, inner);
        fprintf(described->out, "extern %s;\n", text);
        if (signature.has_lost) {
            char *all CLEANUP_FREE = parameter_list(described, &signature, true, true);
            char *left CLEANUP_FREE = parameter_list(described, &signature, true, false);
            fprintf(described->out, "#define %s(%s) (%s)(%s)\n", identifier, all, identifier, left);
        }
    }
    signature_deinit(&signature);
}

/* --- variables ---------------------------------------------------------------------------- */

static memory_id find_variable(const struct program *program, const char *name, const char *file,
                               const char *function) {
    memory_id found = NO_ID;
    for (memory_id m = 0; m < program->memory.count; m++) {
        if (!names_is_variable(program, m) || names_is_part(program, m) ||
            strcmp(names_variable_name(program, m), name) != 0 ||
            strcmp(names_variable_function(program, m), function) != 0)
            continue;
        if (strcmp(names_variable_file(program, m), file) == 0)
            return m;
        found = m;
    }
    return found;
}

static void declare_variable(struct described *described, const char *identifier, memory_id m) {
    const struct memory *memory = &described->program->memory.data[m];
    source_type_id type = described->program->variables.data[memory->variable].type;
    c_types_need(described->types, type, true);
    char *text CLEANUP_FREE = c_types_declare(described->types, type, identifier);
    fprintf(described->out, "extern %s;\n", text);
    fprintf(described->script, "%s = %#" PRIx64 ";\n", identifier, memory->address);
}

/* Another build may have all of the variable, or nothing: then nobody misses this. */
static void declare_part(struct described *described, const char *identifier, const char *symbol,
                         const char *size) {
    const struct program *program = described->program;
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *memory = &program->memory.data[m];
        if (memory->kind == MEMORY_GLOBAL && memory->address && memory->name &&
            strcmp(memory->name, symbol) == 0) {
            fprintf(described->out, "extern char %s[%" PRIu64 "];\n", identifier, memory->size);
            fprintf(described->script, "%s = %#" PRIx64 ";\n", identifier, memory->address);
            return;
        }
    }
    fprintf(described->out, "static char %s[%s];\n", identifier, size);
}

/* --- types -------------------------------------------------------------------------------- */

/* How well does a type fit: 0 not at all, then by name, as a whole, of that file. */
static int fit_of(const struct program *program, source_type_id t, char *fields[most_fields]) {
    const struct source_type *type = &program->source_types.data[t];
    const char *own = names_type_kind(type);
    if (!own || strcmp(own, fields[1]) != 0 || !type->name || strcmp(type->name, fields[2]) != 0)
        return 0;
    const char *file = type->file == NO_ID ? "" : names_base(program->files.data[type->file].name);
    return 1 + 2 * !type->incomplete + (strcmp(file, fields[3]) == 0);
}

static bool need_type(struct described *described, char *fields[most_fields]) {
    const struct program *program = described->program;
    source_type_id found = NO_ID;
    int best = 0;
    for (source_type_id t = 0; t < program->source_types.count; t++) {
        int fit = fit_of(program, t, fields);
        found = fit > best ? t : found;
        best = fit > best ? fit : best;
    }
    if (found != NO_ID)
        c_types_need(described->types, found, true);
    return found != NO_ID;
}

/* --- all ---------------------------------------------------------------------------------- */

static bool describe_line(struct described *described, char *fields[most_fields]) {
    if (strcmp(fields[0], "type") == 0)
        return need_type(described, fields);
    if (strcmp(fields[0], "part") == 0) {
        declare_part(described, fields[1], fields[2], fields[3]);
        return true;
    }
    bool is_function = strcmp(fields[0], "function") == 0;
    uint32_t id = is_function ? find_function(described->program, fields[2], fields[3])
                              : find_variable(described->program, fields[2], fields[3], fields[4]);
    if (id == NO_ID)
        return false;
    if (is_function)
        declare_function(described, fields[1], id);
    else
        declare_variable(described, fields[1], id);
    return true;
}

/* Tests that use it do not build, and say why; of a type the compiler will say it. */
static void declare_missing(struct described *described, char *fields[most_fields]) {
    const char *program = names_base(described->program->path);
    if (strcmp(fields[0], "type") == 0)
        fprintf(described->out, "/* %s has no %s %s any more */\n", program, fields[1], fields[2]);
    else
        fprintf(described->out,
                "#define %s _Pragma(\"GCC error \\\"%s has no %s %s any more\\\"\") 0\n", fields[1],
                program, fields[0], fields[2]);
}

/* Names of functions and variables come first: types must not take them. */
static void reserve(struct described *described, const char *text) {
    char *copy CLEANUP_FREE = mem_strdup(text), *state = NULL;
    char *fields[most_fields];
    for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
        if (split(line, fields) > 2 && strcmp(fields[0], "type") != 0)
            c_types_reserve(described->types, fields[1]);
}

struct error *names_describe(const struct program *program, const char *names_path, FILE *header,
                             FILE *script) {
    char *text CLEANUP_FREE = NULL, *state = NULL;
    size_t size;
    struct error *err = io_read_file(names_path, &text, &size);
    if (err)
        return err;
    struct described described = {
        .program = program,
        .types = c_types_new(program),
        .header = header,
        .script = script,
    };
    described.out = open_memstream(&described.declarations, &described.size);
    reserve(&described, text);
    char *fields[most_fields];
    for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        if (split(line, fields) < 3)
            err = error_new(ERROR_INPUT, "%s: is no list of names", names_path);
        if (err)
            break;
        if (!describe_line(&described, fields))
            declare_missing(&described, fields);
    }
    fclose(described.out);
    if (!err)
        fprintf(header, "%s\n%s", c_types_text(described.types), described.declarations);
    free(described.declarations);
    c_types_free(described.types);
    return err;
}
