/*
 * Which variables, parameters and fields are private?  See secrets.h.
 *
 * Cost: names times variables and fields of the program.
 */
#include "testgen/secrets.h"

#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"

static bool matches(const char *pattern, const char *outer, const char *name) {
    char *whole CLEANUP_FREE = outer ? mem_printf("%s.%s", outer, name) : NULL;
    return whole && fnmatch(pattern, whole, 0) == 0;
}

const char *secrets_type_name(const struct program *program, source_type_id type) {
    const char *name = program->source_types.data[type].name;
    for (source_type_id t = 0; !name && t < program->source_types.count; t++) {
        const struct source_type *one = &program->source_types.data[t];
        if (one->kind == SOURCE_TYPEDEF && one->target == type)
            name = one->name;
    }
    return name;
}

static bool match_fields(struct secrets *secrets, const char *pattern, const char *type_name,
                         struct range fields) {
    const struct program *program = secrets->program;
    bool found = false;
    for (uint32_t i = fields.first; i < fields.first + fields.count; i++)
        if (program->fields.data[i].name &&
            matches(pattern, type_name, program->fields.data[i].name))
            secrets->fields[i] = found = true;
    return found;
}

static bool match_types(struct secrets *secrets, const char *pattern) {
    const struct program *program = secrets->program;
    bool found = false;
    for (source_type_id t = 0; t < program->source_types.count; t++) {
        const struct source_type *named = &program->source_types.data[t];
        if (!named->name || (named->kind != SOURCE_TYPEDEF && named->kind != SOURCE_STRUCT &&
                             named->kind != SOURCE_UNION))
            continue;
        source_type_id plain = program_plain_type(program, t);
        const struct source_type *type =
            plain == NO_ID ? named : &program->source_types.data[plain];
        if (type->kind == SOURCE_STRUCT || type->kind == SOURCE_UNION)
            found |= match_fields(secrets, pattern, named->name, type->fields);
    }
    return found;
}

static const char *function_of(const struct program *program, const struct variable *variable) {
    scope_id scope = variable->scope;
    while (scope != NO_ID && program->scopes.data[scope].kind != SCOPE_FUNCTION)
        scope = program->scopes.data[scope].parent;
    return scope == NO_ID ? NULL : program->scopes.data[scope].name;
}

static bool match_variables(struct secrets *secrets, const char *pattern) {
    const struct program *program = secrets->program;
    bool found = false;
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        if (fnmatch(pattern, variable->name, 0) == 0 ||
            matches(pattern, function_of(program, variable), variable->name))
            secrets->variables[i] = found = true;
    }
    return found;
}

static struct error *match(struct secrets *secrets, const char *choices) {
    size_t length = strlen(SECRETS_REDACT);
    for (const char *word = choices; word && *word; word += strcspn(word, " ") + 1) {
        if (strncmp(word, SECRETS_REDACT, length) != 0)
            continue;
        char *pattern CLEANUP_FREE = mem_strndup(word + length, strcspn(word, " ") - length);
        bool found = match_variables(secrets, pattern);
        found |= match_types(secrets, pattern);
        if (!found)
            return error_new(ERROR_FAILED,
                             "no variable, parameter or field is called %s (was it built with -g?)",
                             pattern);
        secrets->is_any = true;
    }
    return NULL;
}

struct error *secrets_find(const struct program *program, const char *choices,
                           struct secrets *ret) {
    struct secrets secrets = {
        .program = program,
        .variables = mem_zalloc(program->variables.count + 1, sizeof(bool)),
        .fields = mem_zalloc(program->fields.count + 1, sizeof(bool)),
    };
    for (size_t i = 0; i < program->variables.count; i++)
        secrets.is_any |= secrets.variables[i] = program->variables.data[i].is_private;
    for (size_t i = 0; i < program->fields.count; i++)
        secrets.is_any |= secrets.fields[i] = program->fields.data[i].is_private;
    struct error *err = match(&secrets, choices);
    if (err)
        secrets_deinit(&secrets);
    else
        *ret = secrets;
    return err;
}

void secrets_deinit(struct secrets *secrets) {
    free(secrets->variables);
    free(secrets->fields);
    *secrets = (struct secrets){0};
}
