/*
 * Fuzz target: model files, and compiled models.
 *
 * The first byte says how the rest is taken: as text, as a table, or as a table
 * whose header is made right first, so that damage gets past the hash.  What the
 * check lets pass is then followed to its end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "models/models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

static volatile size_t sink;

static void use_type(const struct model_table *table, uint32_t index, unsigned depth) {
    CHECK(depth <= table->type_count);
    const struct model_type *type = model_table_type(table, index);
    sink += strlen(model_table_text(table, type->name)) + type->size;
    for (uint32_t i = 0; i < type->field_count && depth < 4; i++) {
        uint32_t to = model_table_field(table, type, i)->type;
        if (to != index)
            use_type(table, to, depth + 1);
    }
}

static void use_length(const struct model_table *table, const struct model_function *function,
                       const struct model_param *param) {
    const struct model_length *length = model_table_length(table, param->length);
    struct model_term terms[] = {length->factor[0], length->factor[1], length->limit};
    for (int i = 0; i < 3; i++)
        if (terms[i].kind == MODEL_TERM_PARAM || terms[i].kind == MODEL_TERM_DEREF32 ||
            terms[i].kind == MODEL_TERM_DEREF64)
            sink += model_table_param(table, function, terms[i].value)->kind;
}

static void use_table(const struct model_table *table) {
    for (uint32_t i = 0; i < table->function_count; i++) {
        const struct model_function *function = model_table_function(table, i);
        const char *name = model_table_text(table, function->name);
        CHECK(model_table_find(table, name) == function);
        sink += strlen(model_table_text(table, function->reason)) +
                strlen(model_table_text(table, function->group));
        use_type(table, function->result_type, 0);
        for (uint32_t n = 0; n < function->param_count; n++) {
            const struct model_param *param = model_table_param(table, function, n);
            sink += strlen(model_table_text(table, param->name));
            use_length(table, function, param);
            use_type(table, param->type, 0);
        }
        for (uint32_t n = 0; n < function->call_count; n++) {
            const struct model_call *call = model_table_call(table, function, n);
            if (call->to < MODEL_PLACE_NONE)
                sink += model_table_param(table, function, call->to)->kind;
            if (call->from < MODEL_PLACE_NONE)
                sink += model_table_param(table, function, call->from)->kind;
        }
    }
    CHECK(!model_table_find(table, "no such function"));
}

static void try_text(const char *text, size_t size) {
    struct models *models = models_new();
    struct model_table *table;
    char *copy = mem_alloc(size + 1); /* its end is watched */
    memcpy(copy, text, size);
    struct error *err = models_parse(models, "f", copy, size);
    free(copy);
    if (!err)
        err = models_compile(models, &table);
    if (err) {
        CHECK(err->code == ERROR_INPUT && strncmp(err->message, "f:", 2) == 0);
        error_free(err);
    } else {
        CHECK(!model_table_check(table, table->size));
        use_table(table);
        free(models_print_c(models));
        free(models_print_names(models));
        free(table);
    }
    models_free(models);
}

static void try_table(const uint8_t *data, size_t size, int repair) {
    void *block = mem_alloc(size ? size : 1);
    memcpy(block, data, size);
    struct model_table *table = block;
    if (repair && size >= sizeof *table) {
        table->magic = MODEL_MAGIC;
        table->version = MODEL_VERSION;
        table->size = (uint32_t)size;
        table->hash = model_table_hash(table);
    }
    if (!model_table_check(block, size))
        use_table(table);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    if (data[0] % 4 < 2)
        try_text((const char *)data + 1, size - 1);
    else
        try_table(data + 1, size - 1, data[0] % 4 == 3);
    return 0;
}
