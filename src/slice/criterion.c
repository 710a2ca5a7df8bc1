/*
 * Criteria by their text; criterion.h.
 */
#include "slice/criterion.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "slice/criterion_field.h"

void criterion_deinit(struct criterion *criterion) {
    VEC_DEINIT(&criterion->instructions);
    VEC_DEINIT(&criterion->probes);
    VEC_DEINIT(&criterion->returns);
    VEC_DEINIT(&criterion->arguments);
}

static bool is_number(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return length > 0 && length < 10;
}

static struct error *unknown(const char *what, const struct nearest *nearest) {
    if (nearest_is_near(nearest))
        return error_new(ERROR_USAGE, "no %s %s; did you mean %s?", what, nearest->wanted,
                         nearest->name);
    return error_new(ERROR_USAGE, "no %s %s", what, nearest->wanted);
}

/* Lines. */

static bool file_has_code(const struct program *program, file_id file) {
    for (size_t i = 0; i < program->lines.count; i++)
        if (program->lines.data[i].file == file)
            return true;
    return false;
}

/* A name that leads to a file from where we are. */
static file_id find_real_file(const struct program *program, const char *name) {
    char real[PATH_MAX], path[PATH_MAX];
    if (!realpath(name, real))
        return NO_ID;
    for (file_id f = 0; f < program->files.count; f++)
        if (file_has_code(program, f) && realpath(program->files.data[f].path, path) &&
            strcmp(real, path) == 0)
            return f;
    return NO_ID;
}

static struct error *find_file(const struct program *program, const char *name, file_id *ret) {
    file_id found = NO_ID;
    for (file_id f = program_find_file(program, name, 0); f != NO_ID;
         f = program_find_file(program, name, f + 1)) {
        if (!file_has_code(program, f))
            continue;
        if (found != NO_ID && strcmp(program->files.data[found].path, program->files.data[f].path))
            return error_new(ERROR_USAGE, "%s is several files: %s, %s; say more of the path", name,
                             program->files.data[found].path, program->files.data[f].path);
        found = f;
    }
    if (found == NO_ID)
        found = find_real_file(program, name);
    if (found != NO_ID) {
        *ret = found;
        return NULL;
    }
    struct nearest nearest = nearest_to(name);
    for (file_id f = 0; f < program->files.count; f++)
        if (file_has_code(program, f)) {
            const char *slash = strrchr(program->files.data[f].path, '/');
            nearest_consider(&nearest, slash ? slash + 1 : program->files.data[f].path);
        }
    return unknown(program->has_debug_info ? "file with code named"
                                           : "debug information (build with -g), so no file named",
                   &nearest);
}

/* The nearest line of a file that holds code. */
static uint32_t nearest_line(const struct program *program, file_id file, uint32_t line) {
    uint32_t best = 0, least = UINT32_MAX;
    for (size_t i = 0; i < program->lines.count; i++) {
        const struct source_line *at = &program->lines.data[i];
        uint32_t off = at->line > line ? at->line - line : line - at->line;
        if (at->file == file && at->line && off < least) {
            least = off;
            best = at->line;
        }
    }
    return best;
}

/* Is the variable one that the place can name? */
static bool is_visible(const struct program *program, const struct variable *variable,
                       location_id at) {
    if (variable->is_global)
        return true;
    for (scope_id s = program->locations.data[at].scope; s != NO_ID;
         s = program->scopes.data[s].parent)
        if (s == variable->scope)
            return true;
    return false;
}

/* How deep the scope of a variable is: of two with one name the deeper hides the other. */
static uint32_t depth_of(const struct program *program, const struct variable *variable) {
    uint32_t depth = 0;
    for (scope_id s = variable->is_global ? NO_ID : variable->scope; s != NO_ID;
         s = program->scopes.data[s].parent)
        depth++;
    return depth;
}

static variable_id find_variable(const struct program *program, const char *name, location_id at,
                                 struct nearest *nearest) {
    variable_id found = NO_ID;
    for (variable_id v = 0; v < program->variables.count; v++) {
        const struct variable *variable = &program->variables.data[v];
        if (!variable->name || !is_visible(program, variable, at))
            continue;
        nearest_consider(nearest, variable->name);
        if (strcmp(variable->name, name) == 0 &&
            (found == NO_ID ||
             depth_of(program, variable) > depth_of(program, &program->variables.data[found])))
            found = v;
    }
    return found;
}

/* What a line itself reads and writes of a field of a variable. */
static struct error *add_field(const struct program *program, struct range line, const char *text,
                               struct criterion *criterion) {
    char *name CLEANUP_FREE = mem_strndup(text, strcspn(text, ".-["));
    struct nearest nearest = nearest_to(name);
    struct criterion_field field = {.variable = NO_ID};
    function_id last = NO_ID;
    size_t before = criterion->instructions.count;
    for (uint32_t i = 0; i < line.count; i++) {
        instruction_id id = program->line_instructions.data[line.first + i];
        if (!criterion_has_code(program, id))
            continue;
        if (program_function_of(program, id) != last) {
            last = program_function_of(program, id);
            variable_id variable =
                find_variable(program, name, program->instructions.data[id].location, &nearest);
            if (variable == NO_ID)
                return unknown("variable", &nearest);
            struct error *err = criterion_find_field(program, text, variable, &field);
            if (err)
                return err;
        }
        if (criterion_meets_field(program, &field, id))
            VEC_PUSH(&criterion->instructions, id);
    }
    if (criterion->instructions.count == before)
        return error_new(ERROR_USAGE, "the line itself neither reads nor writes %s", text);
    return NULL;
}

static struct error *add_line(const struct program *program, file_id file, uint32_t line,
                              const char *name, struct criterion *criterion) {
    struct range range = program_find_line(program, file, line);
    size_t found = 0;
    struct nearest nearest = nearest_to(name ? name : "");
    function_id last = NO_ID;
    if (name && range.count && criterion_names_field(name))
        return add_field(program, range, name, criterion);
    for (uint32_t i = 0; i < range.count; i++) {
        instruction_id id = program->line_instructions.data[range.first + i];
        if (!criterion_has_code(program, id))
            continue;
        found++;
        if (!name) {
            VEC_PUSH(&criterion->instructions, id);
            continue;
        }
        /* The value where the line begins, in each function that it is in. */
        function_id function = program_function_of(program, id);
        if (function == last)
            continue;
        variable_id variable =
            find_variable(program, name, program->instructions.data[id].location, &nearest);
        if (variable == NO_ID)
            return unknown("variable", &nearest);
        last = function;
        VEC_PUSH(&criterion->probes, (struct sdg_probe){id, variable, false});
    }
    if (found)
        return NULL;
    uint32_t near = nearest_line(program, file, line);
    return error_new(ERROR_USAGE, "line %u of %s holds no code; the nearest that does is %u%s",
                     line, program->files.data[file].name, near,
                     program_is_optimised(program, file)
                         ? " (it was optimised; -O0 or -Og keeps more lines)"
                         : "");
}

/* Functions. */

/* All parameters of the function, if none of them is like the name. */
static struct error *unknown_parameter(const struct program *program,
                                       const struct function *function,
                                       const struct nearest *nearest) {
    struct error *err = unknown("parameter", nearest);
    if (nearest->name && strstr(err->message, "did you mean"))
        return err;
    error_free(err);
    char *all CLEANUP_FREE = mem_strdup("");
    for (variable_id v = 0; v < program->variables.count; v++) {
        const struct variable *variable = &program->variables.data[v];
        if (!variable->argument || variable->scope != function->scope || !variable->name)
            continue;
        char *before CLEANUP_FREE = all;
        all = mem_printf("%s%s%s", before, *before ? ", " : "", variable->name);
    }
    return error_new(ERROR_USAGE, "no parameter %s; %s() has %s", nearest->wanted,
                     function->source_name, *all ? all : "none");
}

/* The argument that an instruction puts into a variable: from a register, or from where a struct
 * was copied to; NO_ID if it does not. */
static value_id argument_of(const struct program *program, instruction_id id, memory_id memory) {
    const struct instruction *at = &program->instructions.data[id];
    value_id from = at->opcode == OP_STORE              ? program->operands.data[at->operands.first]
                    : at->intrinsic == INTRINSIC_MEMCPY ? at->read_at
                                                        : NO_ID;
    int64_t offset;
    return from != NO_ID && program->values.data[from].kind == VALUE_ARGUMENT &&
                   criterion_leads_into(program, at->written_at, memory, &offset)
               ? from
               : NO_ID;
}

/* Arguments are not always numbered as parameters are: structs go in two registers, by the
 * machine stack, or through one for the result. */
static bool add_parameter(const struct program *program, function_id f, variable_id id,
                          struct criterion *criterion) {
    const struct function *function = &program->functions.data[f];
    const struct variable *variable = &program->variables.data[id];
    size_t before = criterion->arguments.count;
    for (uint32_t i = 0; i < function->instructions.count; i++) {
        instruction_id copy = function->instructions.first + i;
        value_id value = argument_of(program, copy, variable->memory);
        if (value == NO_ID)
            continue;
        if (program->instructions.data[copy].opcode != OP_STORE) /* what it copies, too */
            VEC_PUSH(&criterion->instructions, copy);
        VEC_PUSH(&criterion->arguments, (struct criterion_argument){value, id});
    }
    for (uint32_t i = 0; criterion->arguments.count == before && i < variable->places.count; i++) {
        value_id value = program->places.data[variable->places.first + i].value;
        if (value != NO_ID && program->values.data[value].kind == VALUE_ARGUMENT &&
            program->values.data[value].definition == f)
            VEC_PUSH(&criterion->arguments, (struct criterion_argument){value, id});
    }
    if (criterion->arguments.count == before && variable->argument <= function->arguments.count)
        VEC_PUSH(
            &criterion->arguments,
            (struct criterion_argument){function->arguments.first + variable->argument - 1, id});
    return criterion->arguments.count > before;
}

static struct error *add_function(const struct program *program, const char *name, const char *what,
                                  struct criterion *criterion) {
    struct nearest nearest = nearest_to(name);
    bool found = false;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!(function->flags & FUNCTION_DEFINED))
            continue;
        nearest_consider(&nearest, function->source_name);
        if (strcmp(function->source_name, name) != 0 && strcmp(function->name, name) != 0)
            continue;
        found = true;
        if (strcmp(what, "return") == 0) {
            VEC_PUSH(&criterion->returns, f);
            continue;
        }
        struct nearest parameters = nearest_to(what);
        bool known = false;
        for (variable_id v = 0; v < program->variables.count; v++) {
            const struct variable *variable = &program->variables.data[v];
            if (!variable->argument || variable->scope != function->scope || !variable->name)
                continue;
            nearest_consider(&parameters, variable->name);
            if (strcmp(variable->name, what) == 0)
                known |= add_parameter(program, f, v, criterion);
        }
        if (!known)
            return unknown_parameter(program, function, &parameters);
    }
    return found ? NULL : unknown("function", &nearest);
}

static struct error *add_calls(const struct program *program, const char *name,
                               struct criterion *criterion) {
    struct nearest nearest = nearest_to(name);
    size_t found = 0;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *call = &program->instructions.data[i];
        if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID ||
            !criterion_has_code(program, i))
            continue;
        const char *callee = program->functions.data[call->callee].source_name;
        if (program->functions.data[call->callee].flags & FUNCTION_RUNTIME &&
            strncmp(callee, "__recut_", 8) == 0)
            callee += 8;
        nearest_consider(&nearest, callee);
        if (strcmp(callee, name) != 0)
            continue;
        VEC_PUSH(&criterion->instructions, i);
        found++;
    }
    return found ? NULL : unknown("call of", &nearest);
}

struct error *criterion_parse(const struct program *program, const char *text,
                              struct criterion *criterion) {
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || !colon[1])
        return error_new(ERROR_USAGE,
                         "%s is no criterion: FILE:LINE, FILE:LINE:VAR, FUNCTION:return, "
                         "FUNCTION:PARAMETER or call:FUNCTION",
                         text);
    char *first CLEANUP_FREE = mem_strndup(text, (size_t)(colon - text));
    const char *second = colon + 1, *end = strchr(second, ':');
    size_t length = end ? (size_t)(end - second) : strlen(second);
    if (is_number(second, length)) {
        file_id file;
        struct error *err = find_file(program, first, &file);
        if (err)
            return err;
        if (end && !end[1])
            return error_new(ERROR_USAGE, "%s: which variable?", text);
        return add_line(program, file, (uint32_t)strtoul(second, NULL, 10), end ? end + 1 : NULL,
                        criterion);
    }
    if (strcmp(first, "call") == 0)
        return add_calls(program, second, criterion);
    if (program_find_file(program, first, 0) != NO_ID)
        return error_new(ERROR_USAGE, "%s: %s is no line of %s", text, second, first);
    return add_function(program, first, second, criterion);
}
