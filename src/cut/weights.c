/*
 * Weights from a profile (docs/formats.md, "A profile, as JSON").
 *
 * The file says for each function, by name, what its accesses and calls did, by their number in it.
 * Cost: linear in the file; names are found by a sorted list.
 */
#include "cut/weights.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/io.h"

void weights_init(const struct program *program, struct weights *ret) {
    size_t instructions = program->instructions.count + 1;
    *ret = (struct weights){
        .count = mem_zalloc(instructions, sizeof *ret->count),
        .bytes = mem_zalloc(instructions, sizeof *ret->bytes),
        .calls = mem_zalloc(program->functions.count + 1, sizeof *ret->calls),
        .indirect = mem_zalloc(program->functions.count + 1, sizeof *ret->indirect),
        .has_bytes = mem_zalloc(instructions, sizeof *ret->has_bytes),
    };
}

void weights_deinit(struct weights *weights) {
    free(weights->count);
    free(weights->bytes);
    free(weights->calls);
    free(weights->indirect);
    free(weights->has_bytes);
    *weights = (struct weights){0};
}

static void weights_cleanup(struct weights *weights) { weights_deinit(weights); }

/* --- names ------------------------------------------------------------------------------------ */

struct named {
    const char *name;
    function_id function;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static struct named *list_names(const struct program *program, size_t *ret_count) {
    struct named *names = mem_alloc((program->functions.count + 1) * sizeof *names);
    size_t count = 0;
    for (function_id f = 0; f < program->functions.count; f++)
        if (program->functions.data[f].flags & FUNCTION_DEFINED)
            names[count++] = (struct named){program->functions.data[f].name, f};
    qsort(names, count, sizeof *names, by_name);
    *ret_count = count;
    return names;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A number of things; 0 if it is none. */
static uint64_t number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 1))
        return 0;
    return item->valuedouble < 1e15 ? (uint64_t)item->valuedouble : (uint64_t)1e15;
}

/* Counts of the accesses or calls of a function. */
static bool read_list(const cJSON *list, const struct function *function, struct weights *weights) {
    const cJSON *each;
    cJSON_ArrayForEach(each, list) {
        const cJSON *place = cJSON_GetObjectItemCaseSensitive(each, "instruction");
        if (!cJSON_IsNumber(place) || place->valuedouble < 0 ||
            place->valuedouble >= function->instructions.count)
            return false;
        instruction_id id = function->instructions.first + (uint32_t)place->valuedouble;
        weights->count[id] = number(each, "count");
        weights->bytes[id] = number(each, "bytes");
        weights->has_bytes[id] = cJSON_HasObjectItem(each, "bytes");
    }
    return true;
}

/* A profile of an earlier recut has no counts of calls: as often as the function is entered. */
static void guess_calls(const struct program *program, function_id id, struct weights *weights) {
    struct range instructions = program->functions.data[id].instructions;
    for (uint32_t n = 0; n < instructions.count; n++)
        if (program->instructions.data[instructions.first + n].flags & INSTRUCTION_CALL)
            weights->count[instructions.first + n] = weights->calls[id];
}

static bool read_functions(const cJSON *functions, const struct program *program,
                           struct weights *weights) {
    size_t count;
    struct named *names CLEANUP_FREE = list_names(program, &count);
    const cJSON *each;
    cJSON_ArrayForEach(each, functions) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(each, "name");
        if (!cJSON_IsString(name))
            return false;
        struct named key = {name->valuestring, NO_ID};
        const struct named *found = bsearch(&key, names, count, sizeof *names, by_name);
        if (!found)
            return false;
        const struct function *function = &program->functions.data[found->function];
        weights->calls[found->function] = number(each, "calls");
        weights->is_profiled |= weights->calls[found->function] > 0;
        if (!cJSON_HasObjectItem(each, "called"))
            guess_calls(program, found->function, weights);
        if (!read_list(cJSON_GetObjectItemCaseSensitive(each, "accesses"), function, weights) ||
            !read_list(cJSON_GetObjectItemCaseSensitive(each, "called"), function, weights))
            return false;
    }
    return true;
}

static void find_indirect(const struct program *program, struct weights *weights) {
    for (function_id f = 0; f < program->functions.count; f++)
        weights->indirect[f] = weights->calls[f];
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *call = &program->instructions.data[i];
        if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID)
            continue;
        uint64_t *left = &weights->indirect[call->callee];
        *left -= weights->count[i] < *left ? weights->count[i] : *left;
    }
}

static struct error *read_all(const cJSON *root, const char *path, const struct program *program,
                              struct weights *weights) {
    const cJSON *functions = cJSON_GetObjectItemCaseSensitive(root, "functions");
    const cJSON *build = cJSON_GetObjectItemCaseSensitive(root, "build_id");
    if (!cJSON_IsArray(functions) || !cJSON_IsString(build))
        return error_new(ERROR_INPUT, "%s: is not a profile (recut profile -o writes one)", path);
    char expected[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(program->build_id, BUILD_ID_SIZE, expected);
    if (strcmp(build->valuestring, expected) != 0)
        return error_new(ERROR_INPUT, "%s: is a profile of another build of %s", path,
                         program->path);
    if (!read_functions(functions, program, weights))
        return error_new(ERROR_INPUT, "%s: names what is not in %s", path, program->path);
    find_indirect(program, weights);
    if (!weights->is_profiled)
        return error_new(ERROR_INPUT, "%s: is empty: none of the functions that it counted ran",
                         path);
    return NULL;
}

struct error *weights_read(const char *path, const struct program *program, struct weights *ret) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &text, &size);
    if (err)
        return err;
    cJSON *root = cJSON_ParseWithLength(text, size);
    if (!root)
        return error_new(ERROR_INPUT, "%s: is not a profile (recut profile -o writes one)", path);
    struct weights weights __attribute__((cleanup(weights_cleanup)));
    weights_init(program, &weights);
    err = read_all(root, path, program, &weights);
    cJSON_Delete(root);
    if (err)
        return err;
    *ret = weights;
    weights = (struct weights){0};
    return NULL;
}

bool weights_is_character(const char *function) {
    static const char *const names[] = {"getc", "fgetc", "_IO_getc", "getc_unlocked",
                                        "fgetc_unlocked"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(function, names[i]) == 0)
            return true;
    return false;
}
