/*
 * Reading compiled models (format/model.h): the check, and finding things.
 *
 *     const char *wrong = model_table_check(block, size);
 *     if (wrong)
 *         ... the block is damaged: wrong says how
 *     const struct model_function *f = model_table_find(block, "read");
 *     for (uint32_t i = 0; f && i < f->param_count; i++)
 *         use(model_table_param(block, f, i));
 *
 * The runtime uses this too: nothing here allocates, prints or keeps state.
 * Everything but the check wants a block that passed it.
 */
#ifndef RECUT_FORMAT_MODEL_TABLE_H
#define RECUT_FORMAT_MODEL_TABLE_H

#include "format/model.h"

/* These are linked into the user's program, where their symbols must not meet its
 * own. */
#define MODEL_TABLE_SYMBOL(name) __asm__("__recut_" #name)

/* NULL if the block is a whole and right table, else what is wrong with it.
 * Reads nothing outside of the block, which is aligned to 8 bytes. */
const char *model_table_check(const void *block, size_t size) MODEL_TABLE_SYMBOL(model_table_check);

/* The hash that belongs into the header; looks at header and block alone. */
uint64_t model_table_hash(const struct model_table *table) MODEL_TABLE_SYMBOL(model_table_hash);

/* The model of a function, NULL if it has none. */
const struct model_function *model_table_find(const struct model_table *table, const char *name)
    MODEL_TABLE_SYMBOL(model_table_find);

/* Does a function deal with what is outside of the program's memory?  One without a model may. */
bool model_table_is_outside(const struct model_table *table, const char *name)
    MODEL_TABLE_SYMBOL(model_table_is_outside);

/* The models that recut brings along (src/models/NAME.model). */
extern const uint64_t __recut_models_builtin[];
static inline const struct model_table *model_table_builtin(void) {
    return (const struct model_table *)__recut_models_builtin;
}

static inline const void *model_table_at(const struct model_table *table, uint32_t offset) {
    return (const char *)table + offset;
}

static inline const char *model_table_text(const struct model_table *table, uint32_t offset) {
    return (const char *)model_table_at(table, table->text) + offset;
}

static inline const struct model_function *model_table_function(const struct model_table *table,
                                                                uint32_t index) {
    return (const struct model_function *)model_table_at(table, table->functions) + index;
}

static inline const struct model_param *model_table_param(const struct model_table *table,
                                                          const struct model_function *function,
                                                          uint32_t number) {
    return (const struct model_param *)model_table_at(table, table->params) +
           function->first_param + number;
}

static inline const struct model_call *model_table_call(const struct model_table *table,
                                                        const struct model_function *function,
                                                        uint32_t number) {
    return (const struct model_call *)model_table_at(table, table->calls) + function->first_call +
           number;
}

static inline const struct model_length *model_table_length(const struct model_table *table,
                                                            uint32_t index) {
    return (const struct model_length *)model_table_at(table, table->lengths) + index;
}

static inline const struct model_type *model_table_type(const struct model_table *table,
                                                        uint32_t index) {
    return (const struct model_type *)model_table_at(table, table->types) + index;
}

static inline const struct model_field *
model_table_field(const struct model_table *table, const struct model_type *type, uint32_t number) {
    return (const struct model_field *)model_table_at(table, table->fields) + type->first_field +
           number;
}

#endif
