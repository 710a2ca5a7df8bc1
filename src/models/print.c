/*
 * What do the models claim, in a form that others can check?
 *
 * As C: a compiler that has read the real headers first refuses a prototype, a
 * size or an offset that is not theirs.  As a list of names: whatever works on
 * lines.
 */
#include <stdio.h>
#include <string.h>

#include "models/draft.h"

static void print_object(FILE *out, const struct object_draft *object) {
    fprintf(out, "_Static_assert(sizeof(%s) == %u, \"size of %s\");\n", object->name, object->size,
            object->name);
    if (object->size_name)
        fprintf(out, "_Static_assert(__builtin_offsetof(%s, %s) == %u, \"%s\");\n", object->name,
                object->size_name, object->size_offset, object->size_name);
    for (uint32_t i = 0; i < object->field_count; i++) {
        const struct field_draft *field = &object->fields[i];
        fprintf(out, "_Static_assert(__builtin_offsetof(%s, %s) == %u, \"%s\");\n", object->name,
                field->name, field->offset, field->name);
        if (field->count_name)
            fprintf(out,
                    "_Static_assert(__builtin_offsetof(%s, %s) == %u && "
                    "sizeof(((%s *)0)->%s) == 4, \"%s\");\n",
                    object->name, field->count_name, field->count, object->name, field->count_name,
                    field->count_name);
    }
}

static void print_type(FILE *out, const struct type_draft *draft) {
    const struct c_type *type = &draft->type;
    if (!draft->target)
        print_object(out, type->object);
    else if (type->pointers > 0 && type->base != BASE_FUNCTION)
        fprintf(out, "_Static_assert(sizeof(%s) == 8, \"%s\");\n", draft->name, draft->name);
    else if (type->base == BASE_INTEGER)
        fprintf(out, "_Static_assert(sizeof(%s) == %u && ((%s)-1 < 0) == %d, \"%s\");\n",
                draft->name, type->size, draft->name, type->is_signed, draft->name);
}

char *models_print_c(const struct models *models) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    BUG_IF(!out);
    for (size_t i = 0; i < models->types.count; i++)
        print_type(out, &models->types.data[i]);
    for (size_t i = 0; i < models->names.count; i++) {
        const struct name_draft *name = &models->names.data[i];
        fprintf(out, "# %u \"%s\"\n%s (%s)(%s);\n", name->line, name->file,
                name->function->c_result, name->name, name->function->c_params);
    }
    fclose(out);
    return text;
}

char *models_print_names(const struct models *models) {
    static const char *const classes[] = {
#define X(id, name) name,
        MODEL_CLASSES(X)
#undef X
    };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    BUG_IF(!out);
    for (size_t i = 0; i < models->names.count; i++) {
        const struct name_draft *name = &models->names.data[i];
        fprintf(out, "%s %s %s:%u%s\n", name->name, classes[name->function->class], name->file,
                name->line, name->also ? " also" : "");
    }
    fclose(out);
    return text;
}
