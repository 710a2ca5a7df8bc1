/*
 * Which bytes say the same as the drafts?
 *
 * Names are sorted, of several models of one name the last one counts, and what
 * they need is laid out in the order in which they need it: parameters and flows
 * once for all names of a model, lengths, types and strings once for all that
 * are equal.  Nothing depends on addresses, so the same sources give the same
 * bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "models/draft.h"

/* --- names ---------------------------------------------------------------------- */

static int by_name(const void *left, const void *right) {
    const struct name_draft *a = *(const struct name_draft *const *)left,
                            *b = *(const struct name_draft *const *)right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->serial > b->serial) - (a->serial < b->serial);
}

struct error *models_sort(const struct models *models, const struct name_draft ***ret,
                          size_t *ret_count) {
    size_t count = 0;
    const struct name_draft **names = mem_zalloc(models->names.count + 1, sizeof *names);
    for (size_t i = 0; i < models->names.count; i++)
        names[i] = &models->names.data[i];
    if (models->names.count)
        qsort(names, models->names.count, sizeof *names, by_name);
    for (size_t i = 0; i < models->names.count; i++) {
        if (count > 0 && strcmp(names[count - 1]->name, names[i]->name) == 0) {
            const struct name_draft *before = names[--count];
            if (before->source == names[i]->source) {
                struct error *err = error_new(
                    ERROR_INPUT, "%s:%u:%u: %s has a model already, in line %u", names[i]->file,
                    names[i]->line, names[i]->column, before->name, before->line);
                free(names);
                return err;
            }
        }
        names[count++] = names[i];
    }
    *ret = names;
    *ret_count = count;
    return NULL;
}

/* --- pools ---------------------------------------------------------------------- */

struct compiler {
    VEC(struct model_function) functions;
    VEC(struct model_param) params;
    VEC(struct model_length) lengths;
    VEC(struct model_type) types;
    VEC(struct model_field) fields;
    VEC(struct model_call) calls;
    VEC(char) text;
    VEC(const struct object_draft *) objects; /* of types */
    /* Strings by hash, open addressing: offset in text, 0 is free. */
    uint32_t *strings;
    size_t string_count, string_capacity; /* a power of two */
};

static uint32_t hash_string(const char *string) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *string; string++)
        hash = (hash ^ (unsigned char)*string) * 16777619u;
    return hash;
}

/* The place of a string, or the free one where it belongs. */
static uint32_t *string_place(struct compiler *c, const char *string) {
    size_t at = hash_string(string) & (c->string_capacity - 1);
    while (c->strings[at] && strcmp(c->text.data + c->strings[at], string) != 0)
        at = (at + 1) & (c->string_capacity - 1);
    return &c->strings[at];
}

static void grow_strings(struct compiler *c) {
    uint32_t *old = c->strings;
    size_t capacity = c->string_capacity;
    c->string_capacity = capacity ? 2 * capacity : 1024;
    c->strings = mem_zalloc(c->string_capacity, sizeof *c->strings);
    for (size_t i = 0; i < capacity; i++)
        if (old[i])
            *string_place(c, c->text.data + old[i]) = old[i];
    free(old);
}

static uint32_t add_string(struct compiler *c, const char *string) {
    if (!*string)
        return 0;
    if (2 * c->string_count >= c->string_capacity)
        grow_strings(c);
    uint32_t *place = string_place(c, string);
    if (*place)
        return *place;
    *place = (uint32_t)c->text.count;
    c->string_count++;
    for (const char *at = string; *at; at++)
        VEC_PUSH(&c->text, *at);
    VEC_PUSH(&c->text, '\0');
    return *place;
}

/* There are a few dozen different ones. */
static uint32_t add_length(struct compiler *c, const struct model_length *length) {
    if (length->element == 0)
        return 0;
    for (size_t i = 0; i < c->lengths.count; i++)
        if (memcmp(&c->lengths.data[i], length, sizeof *length) == 0)
            return (uint32_t)i;
    VEC_PUSH(&c->lengths, *length);
    return (uint32_t)c->lengths.count - 1;
}

/* A type comes after those that its fields point to. */
static uint32_t add_type(struct compiler *c, const struct object_draft *object) {
    if (!object)
        return 0;
    for (size_t i = 1; i < c->objects.count; i++)
        if (c->objects.data[i] == object)
            return (uint32_t)i;
    for (uint32_t i = 0; i < object->field_count; i++)
        if (object->fields[i].object != object)
            add_type(c, object->fields[i].object);
    uint32_t own = (uint32_t)c->types.count;
    struct model_type type = {
        .name = add_string(c, object->name),
        .size = object->size,
        .size_offset = object->size_offset,
        .first_field = (uint32_t)c->fields.count,
        .field_count = object->field_count,
    };
    VEC_PUSH(&c->types, type);
    VEC_PUSH(&c->objects, object);
    for (uint32_t i = 0; i < object->field_count; i++) {
        const struct field_draft *field = &object->fields[i];
        struct model_field compiled = {
            .offset = field->offset, .kind = field->kind, .count = field->count};
        compiled.type = field->object == object ? own : add_type(c, field->object);
        VEC_PUSH(&c->fields, compiled);
    }
    return own;
}

/* --- functions ------------------------------------------------------------------ */

static struct model_function compile_function(struct compiler *c,
                                              const struct function_draft *draft) {
    struct model_function function = {
        .class = (uint8_t)draft->class,
        .result = (uint8_t)draft->result,
        .failure = (uint8_t)draft->failure,
        .descriptor = (uint8_t)draft->descriptor,
        .flags = (uint8_t)draft->flags,
        .param_count = (uint8_t)draft->param_count,
        .result_param = (uint8_t)draft->result_param,
        .call_count = (uint8_t)draft->call_count,
        .first_param = (uint32_t)c->params.count,
        .first_call = (uint32_t)c->calls.count,
        .result_type = add_type(c, draft->result_object),
        .reason = add_string(c, draft->reason),
        .group = add_string(c, draft->group),
    };
    for (uint32_t i = 0; i < draft->param_count; i++) {
        const struct param_draft *param = &draft->params[i];
        struct model_param compiled = {
            .name = add_string(c, param->name),
            .kind = (uint8_t)param->kind,
            .kept = param->kept,
            .optional = param->optional,
            .length = add_length(c, &param->length),
            .type = add_type(c, param->object),
        };
        VEC_PUSH(&c->params, compiled);
    }
    for (uint32_t i = 0; i < draft->call_count; i++)
        VEC_PUSH(&c->calls, draft->calls[i]);
    return function;
}

static void compile_names(struct compiler *c, const struct name_draft **names, size_t count) {
    struct idmap done = {0}; /* from a draft to the first function that has it */
    for (size_t i = 0; i < count; i++) {
        const struct function_draft *draft = names[i]->function;
        uint32_t first = idmap_find(&done, draft);
        struct model_function function;
        if (first != IDMAP_NONE) {
            function = c->functions.data[first];
        } else {
            function = compile_function(c, draft);
            idmap_set(&done, draft, (uint32_t)i);
        }
        function.name = add_string(c, names[i]->name);
        VEC_PUSH(&c->functions, function);
    }
    idmap_deinit(&done);
}

/* --- layout --------------------------------------------------------------------- */

static uint32_t place(uint64_t *size, size_t count, size_t element) {
    uint64_t at = *size;
    *size = (at + count * element + 7) & ~7ULL;
    return (uint32_t)at;
}

static struct error *lay_out(struct compiler *c, struct model_table **ret) {
    uint64_t size = sizeof(struct model_table);
    struct model_table header = {
        .magic = MODEL_MAGIC,
        .version = MODEL_VERSION,
        .function_count = (uint32_t)c->functions.count,
        .param_count = (uint32_t)c->params.count,
        .length_count = (uint32_t)c->lengths.count,
        .type_count = (uint32_t)c->types.count,
        .field_count = (uint32_t)c->fields.count,
        .call_count = (uint32_t)c->calls.count,
        .text_size = (uint32_t)c->text.count,
        .functions = place(&size, c->functions.count, sizeof *c->functions.data),
        .params = place(&size, c->params.count, sizeof *c->params.data),
        .lengths = place(&size, c->lengths.count, sizeof *c->lengths.data),
        .types = place(&size, c->types.count, sizeof *c->types.data),
        .fields = place(&size, c->fields.count, sizeof *c->fields.data),
        .calls = place(&size, c->calls.count, sizeof *c->calls.data),
        .text = place(&size, c->text.count, 1),
    };
    if (size > UINT32_MAX)
        return error_new(ERROR_INPUT, "the models are too large");
    header.size = (uint32_t)size;
    char *block = mem_zalloc(1, size);
#define PUT(name) memcpy(block + header.name, c->name.data, c->name.count * sizeof *c->name.data)
    PUT(lengths);
    PUT(types);
    PUT(text);
    if (c->functions.count)
        PUT(functions);
    if (c->params.count)
        PUT(params);
    if (c->fields.count)
        PUT(fields);
    if (c->calls.count)
        PUT(calls);
#undef PUT
    memcpy(block, &header, sizeof header);
    struct model_table *table = (struct model_table *)block;
    table->hash = model_table_hash(table);
    const char *wrong = model_table_check(table, table->size);
    if (wrong)
        BUG("compiled models: %s", wrong);
    *ret = table;
    return NULL;
}

struct error *models_compile(const struct models *models, struct model_table **ret) {
    const struct name_draft **names;
    size_t count;
    struct error *err = models_sort(models, &names, &count);
    if (err)
        return err;
    struct compiler c = {0};
    VEC_PUSH(&c.text, '\0');
    VEC_PUSH(&c.lengths, (struct model_length){.element = 1});
    VEC_PUSH(&c.types, (struct model_type){0});
    VEC_PUSH(&c.objects, NULL);
    compile_names(&c, names, count);
    err = lay_out(&c, ret);
    free(names);
    free(c.strings);
    VEC_DEINIT(&c.functions);
    VEC_DEINIT(&c.params);
    VEC_DEINIT(&c.lengths);
    VEC_DEINIT(&c.types);
    VEC_DEINIT(&c.fields);
    VEC_DEINIT(&c.calls);
    VEC_DEINIT(&c.text);
    VEC_DEINIT(&c.objects);
    return err;
}
