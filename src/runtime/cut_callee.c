/*
 * What may a function of a library write, as far as its name and its model tell?  See cut.h.
 *
 * Asked once for each piece of code that calls go out through, when a recording begins: calls are
 * many, and most of them are of functions that write nothing at all.
 */
#include <string.h>

#include "format/model_table.h"
#include "runtime/cut_impl.h"
#include "runtime/raw.h"

static struct cut_callee *callees;

/* How many bytes a function of the heap is asked for. */
static const struct {
    const char *name;
    struct cut_heap_call call;
} heap_calls[] = {
    {"malloc", {1, 0, false, false}},        {"calloc", {1, 2, false, false}},
    {"realloc", {2, 0, true, false}},        {"reallocarray", {2, 3, true, false}},
    {"memalign", {2, 0, false, false}},      {"aligned_alloc", {2, 0, false, false}},
    {"posix_memalign", {3, 0, false, true}}, {"valloc", {1, 0, false, false}},
    {"pvalloc", {1, 0, false, false}},
};

static const struct cut_heap_call *find_heap_call(const char *name) {
    for (size_t i = 0; i < sizeof heap_calls / sizeof *heap_calls; i++)
        if (strcmp(heap_calls[i].name, name) == 0)
            return &heap_calls[i].call;
    return NULL;
}

static enum cut_text text_of(const char *name) {
    if (strstr(name, "asprintf"))
        return CUT_TEXT_PRINTED;
    if (strcmp(name, "getline") == 0 || strstr(name, "getdelim"))
        return CUT_TEXT_LINE;
    if (strcmp(name, "strtok") == 0)
        return CUT_TEXT_TOKEN;
    if (strcmp(name, "wcsdup") == 0)
        return CUT_TEXT_WIDE;
    if (strstr(name, "strdup") || strstr(name, "strndup") || strstr(name, "realpath") ||
        strcmp(name, "tempnam") == 0 || strstr(name, "getcwd") ||
        strcmp(name, "get_current_dir_name") == 0 || strcmp(name, "canonicalize_file_name") == 0)
        return CUT_TEXT_COPY;
    return CUT_TEXT_NONE;
}

static unsigned other_of(const char *name) {
    static const struct {
        const char *name;
        unsigned does;
    } others[] = {
        {"mmap", CUT_MAPS},      {"mmap64", CUT_MAPS},        {"__mmap", CUT_MAPS},
        {"glob", CUT_GLOBS},     {"glob64", CUT_GLOBS},       {"wordexp", CUT_EXPANDS},
        {"iconv", CUT_CONVERTS}, {"re_search", CUT_SEARCHES}, {"re_match", CUT_MATCHES},
        {"qsort", CUT_SORTS},    {"qsort_r", CUT_SORTS},
    };
    if (strncmp(name, "__ctype_", 8) == 0)
        return CUT_CTYPE;
    if (strncmp(name, "__recut_", 8) == 0)
        name += 8;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].does;
    return 0;
}

static bool may_write(const struct model_param *param) {
    switch (param->kind) {
    case MODEL_PARAM_INT:
    case MODEL_PARAM_UNSIGNED:
    case MODEL_PARAM_LONG:
    case MODEL_PARAM_FLOAT:
    case MODEL_PARAM_DOUBLE:
    case MODEL_PARAM_LONGDOUBLE:
    case MODEL_PARAM_HANDLE:
    case MODEL_PARAM_FUNCTION:
    case MODEL_PARAM_POINTER:
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_STRINGS:
    case MODEL_PARAM_IN:
    case MODEL_PARAM_IN_IOVEC:
    case MODEL_PARAM_VALIST:
    case MODEL_PARAM_UNUSED:
        return false;
    default:
        return true;
    }
}

/* Nothing is known of what a function without a model writes: src/cut sees to that. */
static bool has_effects(const struct cut_callee *callee) {
    const struct model_function *model = callee->model;
    if (!model)
        return false;
    bool writes = callee->heap || callee->text || callee->does || callee->effect ||
                  model->flags & MODEL_SCANS || model->result == MODEL_RESULT_STATIC_TYPE ||
                  model->result == MODEL_RESULT_STATIC_STRING ||
                  model->result == MODEL_RESULT_LASTING_STRING ||
                  model->result == MODEL_RESULT_OWNED_STRING;
    /* What is in a mutex is libc's secret. */
    for (uint32_t i = 0; i < model->param_count && !(model->flags & MODEL_ORDERS); i++)
        writes |= may_write(model_table_param(__recut_cut_models, model, i));
    return writes;
}

bool __recut_cut_callees_find(uint64_t count) {
    callees = raw_scratch((count + 1) * sizeof *callees);
    for (uint64_t i = 0; callees && i < count; i++) {
        const struct variant_out *out = &__recut_cut_outs[i];
        struct cut_callee *callee = &callees[i];
        callee->name = cut_out_name(out);
        if (!(out->flags & (CUT_OUT_EXTERNAL | CUT_OUT_RUNTIME | CUT_OUT_WATCH)))
            continue;
        callee->model = model_table_find(__recut_cut_models, callee->name);
        callee->effect = __recut_effect_find(callee->name);
        callee->heap = find_heap_call(callee->name);
        callee->text = text_of(callee->name);
        callee->does = other_of(callee->name);
        callee->has_effects = has_effects(callee);
    }
    return callees != NULL;
}

const struct cut_callee *__recut_cut_callee(const struct variant_out *out) {
    return &callees[out - __recut_cut_outs];
}
