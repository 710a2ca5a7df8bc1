/* How does C write a type of the program?  See c_type.h. */
#include "testgen/c_type.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "testgen/names_impl.h"

enum progress { progress_none, progress_named, progress_defining, progress_defined };

struct used_name {
    char *name;
    source_type_id type; /* NO_ID: none of ours */
};

struct c_types {
    const struct program *program;
    uint8_t *progress;       /* enum progress, by type */
    char **names;            /* by type: tag or typedef name; NULL until it was asked for */
    source_type_id *defined; /* by type: one that stands for it, or itself */
    VEC(struct used_name) ordinary, tags;
    char *text; /* of `out` */
    size_t size;
    FILE *out;
    unsigned pads;
};

static bool is_aggregate(const struct source_type *type) {
    return type->kind == SOURCE_STRUCT || type->kind == SOURCE_UNION || type->kind == SOURCE_ENUM;
}

/* The first type of this kind and name that is whole; NO_ID if there is none. */
static source_type_id first_whole(const struct program *program, const struct source_type *like) {
    for (source_type_id t = 0; t < program->source_types.count; t++) {
        const struct source_type *one = &program->source_types.data[t];
        if (one->kind == like->kind && !one->incomplete && one->name && like->name &&
            strcmp(one->name, like->name) == 0)
            return t;
    }
    return NO_ID;
}

/* Files that were compiled apart each have their own types; some know a struct by name alone. */
static void find_defined(struct c_types *types) {
    const struct program *program = types->program;
    types->defined = mem_zalloc(program->source_types.count + 1, sizeof *types->defined);
    for (source_type_id t = 0; t < program->source_types.count; t++) {
        const struct source_type *type = &program->source_types.data[t];
        source_type_id whole = is_aggregate(type) && type->incomplete && type->name
                                   ? first_whole(program, type)
                                   : NO_ID;
        types->defined[t] = whole == NO_ID ? t : whole;
    }
}

source_type_id c_types_plain(const struct c_types *types, source_type_id type) {
    source_type_id plain = type == NO_ID ? NO_ID : program_plain_type(types->program, type);
    return plain == NO_ID ? NO_ID : types->defined[plain];
}

struct c_types *c_types_new(const struct program *program) {
    struct c_types *types = mem_zalloc(1, sizeof *types);
    types->program = program;
    types->progress = mem_zalloc(program->source_types.count + 1, 1);
    types->names = mem_zalloc(program->source_types.count + 1, sizeof *types->names);
    find_defined(types);
    types->out = open_memstream(&types->text, &types->size);
    BUG_IF(!types->out);
    return types;
}

void c_types_free(struct c_types *types) {
    if (!types)
        return;
    for (size_t i = 0; i < types->program->source_types.count; i++)
        free(types->names[i]);
    for (size_t i = 0; i < types->ordinary.count; i++)
        free(types->ordinary.data[i].name);
    for (size_t i = 0; i < types->tags.count; i++)
        free(types->tags.data[i].name);
    VEC_DEINIT(&types->ordinary);
    VEC_DEINIT(&types->tags);
    free(types->names);
    free(types->defined);
    free(types->progress);
    fclose(types->out);
    free(types->text);
    free(types);
}

const char *c_types_text(struct c_types *types) {
    fflush(types->out);
    return types->text;
}

static const struct source_type *type_at(const struct c_types *types, source_type_id type) {
    return &types->program->source_types.data[type];
}

/* --- names -------------------------------------------------------------------------------- */

static struct used_name *find_name(struct c_types *types, bool is_tag, const char *name) {
    size_t count = is_tag ? types->tags.count : types->ordinary.count;
    struct used_name *names = is_tag ? types->tags.data : types->ordinary.data;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    return NULL;
}

static void use_name(struct c_types *types, bool is_tag, const char *name, source_type_id type) {
    struct used_name used = {mem_strdup(name), type};
    if (is_tag)
        VEC_PUSH(&types->tags, used);
    else
        VEC_PUSH(&types->ordinary, used);
}

void c_types_reserve(struct c_types *types, const char *name) {
    if (!find_name(types, false, name))
        use_name(types, false, name, NO_ID);
}

/* The same type, read from two files that were compiled apart? */
static bool are_alike(const struct c_types *types, source_type_id left, source_type_id right) {
    const struct source_type *a = type_at(types, left), *b = type_at(types, right);
    if (left == right)
        return true;
    if (a->kind != b->kind || a->size != b->size || a->fields.count != b->fields.count)
        return false;
    const struct field *fields = types->program->fields.data;
    for (uint32_t i = 0; i < a->fields.count; i++) {
        const struct field *x = &fields[a->fields.first + i], *y = &fields[b->fields.first + i];
        if (x->bit_offset != y->bit_offset || x->number != y->number || !x->name != !y->name ||
            (x->name && strcmp(x->name, y->name) != 0))
            return false;
        char *left_text CLEANUP_FREE = program_source_type_text(types->program, x->type);
        char *right_text CLEANUP_FREE = program_source_type_text(types->program, y->type);
        if (strcmp(left_text, right_text) != 0)
            return false;
    }
    if (a->kind != SOURCE_TYPEDEF)
        return true;
    source_type_id left_plain = c_types_plain(types, left),
                   right_plain = c_types_plain(types, right);
    char *left_text CLEANUP_FREE = program_source_type_text(types->program, a->target);
    char *right_text CLEANUP_FREE = program_source_type_text(types->program, b->target);
    return strcmp(left_text, right_text) == 0 && (left_plain == NO_ID) == (right_plain == NO_ID) &&
           (left_plain == NO_ID || are_alike(types, left_plain, right_plain));
}

static const char *file_of(const struct c_types *types, const struct source_type *type) {
    return type->file == NO_ID ? "" : names_base(types->program->files.data[type->file].name);
}

/* Is there another type of that name that is not alike; if `in_file`, in a file of the same name?
 */
static bool clashes(const struct c_types *types, source_type_id type, bool in_file) {
    const struct source_type *known = type_at(types, type);
    bool is_tag = is_aggregate(known);
    for (source_type_id t = 0; known->name && t < types->program->source_types.count; t++) {
        const struct source_type *one = type_at(types, t);
        bool is_like = is_tag ? is_aggregate(one) : one->kind == known->kind;
        if (t != type && is_like && !one->incomplete && one->name &&
            strcmp(one->name, known->name) == 0 && !are_alike(types, t, type) &&
            (!in_file || strcmp(file_of(types, one), file_of(types, known)) == 0))
            return true;
    }
    return false;
}

bool c_types_is_unique(const struct c_types *types, source_type_id type) {
    for (; type != NO_ID; type = type_at(types, type)->target) {
        const struct source_type *known = type_at(types, type);
        bool has_name = is_aggregate(known) || known->kind == SOURCE_TYPEDEF;
        if (has_name && clashes(types, types->defined[type], true))
            return false;
        if (is_aggregate(known) || known->kind == SOURCE_POINTER)
            break;
    }
    return true;
}

/* The name that the source has, with that of the file where others have it, too. */
static char *wanted_name(const struct c_types *types, source_type_id type) {
    const struct source_type *known = type_at(types, type);
    if (!known->name)
        return mem_printf("recut_unnamed_%" PRIu32, type);
    if (!clashes(types, type, false))
        return mem_strdup(known->name);
    return names_plain(mem_printf("%s__%s", known->name, file_of(types, known)));
}

/* Gives the type its name; a type that is alike may have it already, and stands for it then. */
static const char *name_of(struct c_types *types, source_type_id type) {
    if (types->names[type])
        return types->names[type];
    const struct source_type *known = type_at(types, type);
    bool is_tag = known->kind != SOURCE_TYPEDEF;
    char *wanted CLEANUP_FREE = wanted_name(types, type);
    char *name = mem_strdup(wanted);
    const struct used_name *used;
    for (unsigned n = 2; (used = find_name(types, is_tag, name)); n++) {
        if (used->type != NO_ID && are_alike(types, used->type, type)) {
            if (types->progress[type] < types->progress[used->type])
                types->progress[type] = types->progress[used->type];
            return types->names[type] = name;
        }
        free(name);
        name = mem_printf("%s__%u", wanted, n); /* objects have one (test_value.c) */
    }
    use_name(types, is_tag, name, type);
    return types->names[type] = name;
}

/* The type that was declared under this one's name. */
static source_type_id owner_of(struct c_types *types, source_type_id type) {
    const char *name = name_of(types, type);
    const struct used_name *used =
        find_name(types, type_at(types, type)->kind != SOURCE_TYPEDEF, name);
    return used && used->type != NO_ID ? used->type : type;
}

/* --- declarations ------------------------------------------------------------------------- */

static bool is_qualifier(const struct source_type *type) {
    return type->kind == SOURCE_CONST || type->kind == SOURCE_VOLATILE ||
           type->kind == SOURCE_RESTRICT;
}

static source_type_id unqualified(const struct c_types *types, source_type_id type) {
    while (type != NO_ID && is_qualifier(type_at(types, type)))
        type = type_at(types, type)->target;
    return type == NO_ID ? NO_ID : types->defined[type];
}

/* The compiler's own, which nobody can declare. */
static bool is_built_in(const struct source_type *type) {
    return type->kind == SOURCE_TYPEDEF && type->name && strncmp(type->name, "__builtin_", 10) == 0;
}

static char *with_name(const char *type, const char *name) {
    return mem_printf("%s%s%s", type, *name ? " " : "", name);
}

static char *base_text(const struct source_type *type, const char *name) {
    if (type->name && strncmp(type->name, "complex", 7) == 0) {
        const char *part = type->size == 8 ? "float" : type->size == 16 ? "double" : "long double";
        char *text CLEANUP_FREE = mem_printf("_Complex %s", part);
        return with_name(text, name);
    }
    return with_name(type->name ? type->name : "char", name);
}

static char *parameters_text(struct c_types *types, const struct source_type *function) {
    char *text = mem_strdup("");
    for (uint32_t i = 0; i < function->fields.count; i++) {
        const struct field *field = &types->program->fields.data[function->fields.first + i];
        char *before CLEANUP_FREE = text;
        char *parameter CLEANUP_FREE = c_types_declare(types, field->type, "");
        text = mem_printf("%s%s%s", before, i ? ", " : "", parameter);
    }
    char *before CLEANUP_FREE = text;
    return mem_printf("(%s%s)", function->fields.count || function->variadic ? before : "void",
                      function->variadic ? function->fields.count ? ", ..." : "" : "");
}

char *c_types_declare_pointer(struct c_types *types, source_type_id target, const char *name) {
    target = unqualified(types, target);
    uint8_t kind = target == NO_ID ? SOURCE_BASE : type_at(types, target)->kind;
    bool binds = kind == SOURCE_ARRAY || kind == SOURCE_FUNCTION;
    char *inner CLEANUP_FREE = mem_printf(binds ? "(*%s)" : "*%s", name);
    return c_types_declare(types, target, inner);
}

char *c_types_declare(struct c_types *types, source_type_id type, const char *name) {
    static const char *const words[] = {[SOURCE_STRUCT] = "struct ",
                                        [SOURCE_UNION] = "union ",
                                        [SOURCE_ENUM] = "enum ",
                                        [SOURCE_TYPEDEF] = ""};
    type = unqualified(types, type);
    if (type == NO_ID)
        return with_name("void", name);
    const struct source_type *known = type_at(types, type);
    switch (known->kind) {
    case SOURCE_POINTER:
        return c_types_declare_pointer(types, known->target, name);
    case SOURCE_ARRAY: {
        if (known->is_vector) {
            char *vector CLEANUP_FREE =
                mem_printf("%s __attribute__((vector_size(%" PRIu64 ")))", name, known->size);
            return c_types_declare(types, known->target, vector);
        }
        char *inner CLEANUP_FREE = known->length
                                       ? mem_printf("%s[%" PRIu64 "]", name, known->length)
                                       : mem_printf("%s[]", name);
        return c_types_declare(types, known->target, inner);
    }
    case SOURCE_FUNCTION: {
        char *parameters CLEANUP_FREE = parameters_text(types, known);
        char *inner CLEANUP_FREE = mem_printf("%s%s", name, parameters);
        return c_types_declare(types, known->target, inner);
    }
    case SOURCE_ATOMIC: {
        char *inner CLEANUP_FREE = c_types_declare(types, known->target, "");
        char *text CLEANUP_FREE = mem_printf("_Atomic(%s)", inner);
        return with_name(text, name);
    }
    case SOURCE_STRUCT:
    case SOURCE_UNION:
    case SOURCE_ENUM:
    case SOURCE_TYPEDEF: {
        const char *own = is_built_in(known) ? known->name : name_of(types, type);
        char *text CLEANUP_FREE = mem_printf("%s%s", words[known->kind], own);
        return with_name(text, name);
    }
    default:
        return base_text(known, name);
    }
}

/* --- layout ------------------------------------------------------------------------------- */

static uint64_t align_of(const struct c_types *types, source_type_id type) {
    type = c_types_plain(types, type);
    if (type == NO_ID)
        return 1;
    const struct source_type *known = type_at(types, type);
    uint64_t align = 1;
    switch (known->kind) {
    case SOURCE_ARRAY:
        return known->is_vector ? known->size : align_of(types, known->target);
    case SOURCE_ATOMIC:
        return align_of(types, known->target);
    case SOURCE_STRUCT:
    case SOURCE_UNION:
        for (uint32_t i = 0; i < known->fields.count; i++) {
            uint64_t one =
                align_of(types, types->program->fields.data[known->fields.first + i].type);
            align = one > align ? one : align;
        }
        return align;
    default:
        return known->size && known->size <= 16 ? known->size : 1;
    }
}

static uint64_t size_of(const struct c_types *types, source_type_id type) {
    type = c_types_plain(types, type);
    return type == NO_ID ? 0 : type_at(types, type)->size;
}

/* Would C put the members there by itself?  Bit fields are believed to be where they are. */
static bool is_natural(const struct c_types *types, const struct source_type *type) {
    uint64_t at = 0, align = 1;
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *field = &types->program->fields.data[type->fields.first + i];
        uint64_t own = align_of(types, field->type);
        align = own > align ? own : align;
        if (field->is_bit_field) {
            at = (field->bit_offset + field->bit_size + 7) / 8;
            continue;
        }
        at = (at + own - 1) / own * own;
        if (type->kind == SOURCE_STRUCT && at != field->bit_offset / 8)
            return false;
        at = type->kind == SOURCE_STRUCT ? at + size_of(types, field->type) : 0;
        if (type->kind == SOURCE_UNION && field->bit_offset)
            return false;
    }
    return type->kind == SOURCE_UNION || (at + align - 1) / align * align == type->size;
}

static void define_field(struct c_types *types, const struct field *field) {
    char *text CLEANUP_FREE = c_types_declare(types, field->type, field->name ? field->name : "");
    fprintf(types->out, "    %s", text);
    if (field->is_bit_field)
        fprintf(types->out, "%s: %" PRIu64, field->name ? " " : "", field->bit_size);
    fprintf(types->out, ";\n");
}

static void define_members(struct c_types *types, const struct source_type *type, bool is_packed) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *field = &types->program->fields.data[type->fields.first + i];
        if (is_packed && type->kind == SOURCE_STRUCT && field->bit_offset > at) {
            uint64_t bits = field->bit_offset - at;
            if (bits % 8)
                fprintf(types->out, "    unsigned : %" PRIu64 ";\n", bits);
            else
                fprintf(types->out, "    char recut_pad_%u[%" PRIu64 "];\n", types->pads++,
                        bits / 8);
        }
        define_field(types, field);
        at = field->bit_offset +
             (field->is_bit_field ? field->bit_size : 8 * size_of(types, field->type));
    }
    if (is_packed && type->kind == SOURCE_STRUCT && 8 * type->size > at &&
        (8 * type->size - at) >= 8)
        fprintf(types->out, "    char recut_pad_%u[%" PRIu64 "];\n", types->pads++,
                (8 * type->size - at) / 8);
}

/* --- definitions -------------------------------------------------------------------------- */

static void define_aggregate(struct c_types *types, source_type_id id) {
    const struct source_type *type = type_at(types, id);
    char *name CLEANUP_FREE = c_types_declare(types, id, "");
    types->progress[id] = progress_defining;
    for (uint32_t i = 0; i < type->fields.count; i++)
        c_types_need(types, types->program->fields.data[type->fields.first + i].type, true);
    bool is_packed = !is_natural(types, type);
    fprintf(types->out, "%s {\n", name);
    define_members(types, type, is_packed);
    fprintf(types->out, "}%s;\n", is_packed ? " __attribute__((packed))" : "");
    if (type->size)
        fprintf(types->out, "_Static_assert(sizeof(%s) == %" PRIu64 ", \"as in the program\");\n",
                name, type->size);
    types->progress[id] = progress_defined;
}

static void define_enum(struct c_types *types, source_type_id id) {
    const struct source_type *type = type_at(types, id);
    char *name CLEANUP_FREE = c_types_declare(types, id, "");
    unsigned written = 0;
    types->progress[id] = progress_defined;
    fprintf(types->out, "%s {", name);
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *one = &types->program->fields.data[type->fields.first + i];
        if (!one->name || find_name(types, false, one->name))
            continue;
        use_name(types, false, one->name, NO_ID);
        fprintf(types->out, "%s%s = %" PRId64, written++ ? ", " : " ", one->name, one->number);
    }
    if (!written)
        fprintf(types->out, " recut_enumerator_%" PRIu32, id);
    fprintf(types->out, " };\n");
}

static void define_typedef(struct c_types *types, source_type_id id, bool complete) {
    const struct source_type *type = type_at(types, id);
    const char *name = name_of(types, id);
    source_type_id owner = owner_of(types, id);
    if (types->progress[owner] == progress_none) {
        types->progress[owner] = progress_named;
        c_types_need(types, type->target, false);
        char *text CLEANUP_FREE = c_types_declare(types, type->target, name);
        fprintf(types->out, "typedef %s;\n", text);
    }
    if (complete)
        c_types_need(types, type_at(types, owner)->target, true);
}

static void need_aggregate(struct c_types *types, source_type_id id, bool complete) {
    id = owner_of(types, id);
    const struct source_type *type = type_at(types, id);
    if (type->kind == SOURCE_ENUM) {
        if (types->progress[id] == progress_none)
            define_enum(types, id);
        return;
    }
    if (types->progress[id] == progress_none) {
        char *name CLEANUP_FREE = c_types_declare(types, id, "");
        fprintf(types->out, "%s;\n", name);
        types->progress[id] = progress_named;
    }
    if (complete && types->progress[id] == progress_named && !type->incomplete)
        define_aggregate(types, id);
}

void c_types_need(struct c_types *types, source_type_id type, bool complete) {
    type = unqualified(types, type);
    if (type == NO_ID)
        return;
    const struct source_type *known = type_at(types, type);
    switch (known->kind) {
    case SOURCE_POINTER: {
        source_type_id target = unqualified(types, known->target);
        bool is_array = target != NO_ID && type_at(types, target)->kind == SOURCE_ARRAY;
        c_types_need(types, target, is_array);
        break;
    }
    case SOURCE_ARRAY:
        c_types_need(types, known->target, true);
        break;
    case SOURCE_ATOMIC:
        c_types_need(types, known->target, complete);
        break;
    case SOURCE_FUNCTION:
        c_types_need(types, known->target, false);
        for (uint32_t i = 0; i < known->fields.count; i++)
            c_types_need(types, types->program->fields.data[known->fields.first + i].type, false);
        break;
    case SOURCE_TYPEDEF:
        if (!is_built_in(known))
            define_typedef(types, type, complete);
        break;
    case SOURCE_STRUCT:
    case SOURCE_UNION:
    case SOURCE_ENUM:
        need_aggregate(types, type, complete);
        break;
    default:
        break;
    }
}
