/*
 * Which models does a user work with?
 *
 * recut's own and then those of the files given, which may replace them.
 */
#include <string.h>

#include "base/mem.h"
#include "models/builtin.h"
#include "models/models.h"

struct error *models_parse_builtin(struct models *models) {
    for (size_t i = 0; i < models_text_count; i++) {
        const struct models_text *text = &models_texts[i];
        struct error *err = models_parse(models, text->name, text->text, text->size);
        if (err)
            return err;
    }
    return NULL;
}

struct error *models_load(const char *const paths[], size_t count, struct model_table **ret) {
    if (!count) { /* they were compiled when recut was built */
        const struct model_table *builtin = model_table_builtin();
        *ret = memcpy(mem_alloc(builtin->size), builtin, builtin->size);
        return NULL;
    }
    struct models *models = models_new();
    struct error *err = models_parse_builtin(models);
    for (size_t i = 0; i < count && !err; i++)
        err = models_parse_file(models, paths[i]);
    if (!err)
        err = models_compile(models, ret);
    models_free(models);
    return err;
}
