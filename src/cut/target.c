/* See target.h.  Cost: linear in functions and files, for each text. */
#include "cut/target.h"

#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"

static bool is_defined(const struct function *function) {
    return function->flags & FUNCTION_DEFINED;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_with(const char *path, const char *name) {
    size_t length = strlen(path), wanted = strlen(name);
    return length >= wanted && strcmp(path + length - wanted, name) == 0 &&
           (length == wanted || path[length - wanted - 1] == '/');
}

/* Is the file in the folder, whose name ends with a slash? */
static bool is_in_folder(const char *path, const char *folder) {
    for (const char *at = strstr(path, folder); at; at = strstr(at + 1, folder))
        if (at == path || at[-1] == '/')
            return true;
    return false;
}

static bool fits_file(const char *path, const char *text, bool is_pattern) {
    size_t length = strlen(text);
    if (is_pattern)
        return fnmatch(text, base_name(path), 0) == 0 || fnmatch(text, path, 0) == 0;
    return length && text[length - 1] == '/' ? is_in_folder(path, text) : ends_with(path, text);
}

static bool fits(const struct program *program, const struct function *function, const char *text,
                 bool is_pattern) {
    bool is_named =
        is_pattern
            ? fnmatch(text, function->name, 0) == 0 || fnmatch(text, function->source_name, 0) == 0
            : strcmp(text, function->name) == 0 || strcmp(text, function->source_name) == 0;
    return is_named || (function->file != NO_ID &&
                        fits_file(program->files.data[function->file].path, text, is_pattern));
}

/* Is it a function that exists in the source, and only as part of others in the program? */
static bool is_inlined(const struct program *program, const char *text) {
    for (scope_id s = 0; s < program->scopes.count; s++) {
        const struct scope *scope = &program->scopes.data[s];
        if (scope->kind == SCOPE_FUNCTION && scope->name && strcmp(scope->name, text) == 0)
            return true;
    }
    return false;
}

static struct error *nothing(const struct program *program, const char *text) {
    function_id external = program_find_function(program, text, 0);
    if (external != NO_ID)
        return error_new(ERROR_USAGE,
                         "%s() is outside of the program, and environment in every cut", text);
    if (is_inlined(program, text))
        return error_new(ERROR_USAGE,
                         "%s() was inlined into its callers, which can be targets; or build with "
                         "-fno-inline",
                         text);
    struct nearest nearest = nearest_to(text);
    for (size_t f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!is_defined(function))
            continue;
        nearest_consider(&nearest, function->source_name);
        if (function->file != NO_ID)
            nearest_consider(&nearest, base_name(program->files.data[function->file].path));
    }
    if (nearest_is_near(&nearest))
        return error_new(ERROR_USAGE, "no function or source file %s; did you mean %s?", text,
                         nearest.name);
    return error_new(ERROR_USAGE, "no function or source file %s%s", text,
                     program->has_debug_info ? "" : "; without -g there are no files");
}

struct error *target_add(const struct program *program, const char *text,
                         struct bitset *functions) {
    bool is_pattern = strpbrk(text, "*?[") != NULL, is_found = false;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!is_defined(function) || !fits(program, function, text, is_pattern))
            continue;
        bitset_add(functions, f);
        is_found = true;
    }
    return is_found ? NULL : nothing(program, text);
}
