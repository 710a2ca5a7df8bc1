/*
 * Is a block of compiled models whole and right, and where in it is a name?
 *
 * The check is complete: whoever follows offsets, counts and references of a
 * block that passed it stays within the block and comes to an end.  It trusts
 * no number before it looked at it, takes time in proportion to the block, and
 * needs nothing but libc, since the runtime reads the models of a trace with it.
 */
#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "format/model_table.h"

#define REQUIRE(condition, what)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return what;                                                                           \
    } while (0)

uint64_t model_table_hash(const struct model_table *table) {
    static const uint64_t none = 0;
    const char *bytes = (const char *)table;
    size_t hash = offsetof(struct model_table, hash);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, bytes, hash);
    XXH3_64bits_update(&state, &none, sizeof none);
    XXH3_64bits_update(&state, bytes + sizeof *table, table->size - sizeof *table);
    return XXH3_64bits_digest(&state);
}

/* --- layout -------------------------------------------------------------------- */

static bool is_array(const struct model_table *table, uint32_t offset, uint32_t count,
                     size_t element) {
    return offset >= sizeof *table && offset % 4 == 0 && offset <= table->size &&
           count <= (table->size - offset) / element;
}

static const char *check_layout(const void *block, size_t size) {
    const struct model_table *t = block;
    REQUIRE(size >= sizeof *t && size <= UINT32_MAX, "it is no table of models");
    REQUIRE((uintptr_t)block % 8 == 0, "it is not aligned");
    REQUIRE(t->magic == MODEL_MAGIC, "it is no table of models");
    REQUIRE(t->version == MODEL_VERSION, "its models are of another version of recut");
    REQUIRE(t->size == size, "it is cut off");
    REQUIRE(t->hash == model_table_hash(t), "it is damaged");
    REQUIRE(is_array(t, t->functions, t->function_count, sizeof(struct model_function)) &&
                is_array(t, t->params, t->param_count, sizeof(struct model_param)) &&
                is_array(t, t->lengths, t->length_count, sizeof(struct model_length)) &&
                is_array(t, t->types, t->type_count, sizeof(struct model_type)) &&
                is_array(t, t->fields, t->field_count, sizeof(struct model_field)) &&
                is_array(t, t->calls, t->call_count, sizeof(struct model_call)) &&
                is_array(t, t->text, t->text_size, 1),
            "an array lies outside of it");
    REQUIRE(t->length_count > 0 && t->type_count > 0, "an array has no first entry");
    /* Every offset of a text is the start of a string: the last one ends with NUL. */
    const char *text = model_table_text(t, 0);
    REQUIRE(t->text_size > 0 && text[0] == '\0' && text[t->text_size - 1] == '\0',
            "its text has no end");
    return NULL;
}

/* --- types --------------------------------------------------------------------- */

static bool in_object(uint32_t offset, uint32_t width, uint32_t size) {
    return width <= size && offset <= size - width;
}

static const char *check_field(const struct model_table *t, uint32_t own,
                               const struct model_field *field) {
    const struct model_type *type = model_table_type(t, own);
    REQUIRE(field->kind < MODEL_FIELD_KIND_COUNT, "a field of an unknown kind");
    REQUIRE(in_object(field->offset, 8, type->size), "a field outside of its object");
    if (field->kind == MODEL_FIELD_TYPE)
        REQUIRE(field->type > 0 && field->type <= own, "types in a circle");
    else
        REQUIRE(field->type == 0, "a field with a type that it cannot have");
    if (field->kind == MODEL_FIELD_BYTES || field->kind == MODEL_FIELD_VECTOR)
        REQUIRE(in_object(field->count, 4, type->size), "a count outside of its object");
    else
        REQUIRE(field->count == 0, "a field with a count that it cannot have");
    return NULL;
}

static const char *check_types(const struct model_table *t) {
    const struct model_type *none = model_table_type(t, 0);
    REQUIRE(none->name == 0 && none->size == 0 && none->size_offset == 0 && none->field_count == 0,
            "its first type is not empty");
    uint32_t fields = 0; /* each has one type that it belongs to */
    for (uint32_t i = 1; i < t->type_count; i++) {
        const struct model_type *type = model_table_type(t, i);
        uint32_t own = 0;
        REQUIRE(type->name < t->text_size, "a name outside of its text");
        REQUIRE(type->size > 0, "a type without a size");
        REQUIRE(type->size_offset == 0 || in_object(type->size_offset, 2, type->size),
                "a size outside of its object");
        REQUIRE(type->first_field == fields && type->field_count <= t->field_count - fields,
                "fields that are not there");
        fields += type->field_count;
        for (uint32_t n = 0; n < type->field_count; n++) {
            const struct model_field *field = model_table_field(t, type, n);
            const char *wrong = check_field(t, i, field);
            REQUIRE(!wrong, wrong);
            own += field->type == i;
        }
        REQUIRE(own <= 1, "types in a circle");
    }
    return NULL;
}

/* --- functions ----------------------------------------------------------------- */

static bool is_number(uint32_t kind) {
    return kind == MODEL_PARAM_INT || kind == MODEL_PARAM_UNSIGNED || kind == MODEL_PARAM_LONG;
}

static bool is_memory(uint32_t kind) {
    return kind == MODEL_PARAM_IN || kind == MODEL_PARAM_OUT || kind == MODEL_PARAM_INOUT;
}

static bool is_read(uint32_t kind) {
    return kind == MODEL_PARAM_IN || kind == MODEL_PARAM_INOUT || kind == MODEL_PARAM_STRING ||
           kind == MODEL_PARAM_INOUT_STRING || kind == MODEL_PARAM_IN_IOVEC;
}

static bool has_length(uint32_t kind) {
    return is_memory(kind) || kind == MODEL_PARAM_STRING || kind == MODEL_PARAM_OUT_STRING ||
           kind == MODEL_PARAM_INOUT_STRING || kind == MODEL_PARAM_IN_IOVEC ||
           kind == MODEL_PARAM_OUT_IOVEC;
}

static const char *check_term(const struct model_table *t, const struct model_function *function,
                              struct model_term term, bool before_call) {
    switch ((enum model_term_kind)term.kind) {
    case MODEL_TERM_NONE:
        REQUIRE(term.value == 0, "a term that says nothing");
        return NULL;
    case MODEL_TERM_CONSTANT:
        return NULL;
    case MODEL_TERM_PARAM:
        REQUIRE(term.value < function->param_count &&
                    is_number(model_table_param(t, function, term.value)->kind),
                "a length that no parameter has");
        return NULL;
    case MODEL_TERM_DEREF32:
    case MODEL_TERM_DEREF64:
        REQUIRE(term.value < function->param_count &&
                    is_memory(model_table_param(t, function, term.value)->kind),
                "a length that no parameter points to");
        return NULL;
    case MODEL_TERM_RESULT:
        REQUIRE(term.value == 0 && !before_call &&
                    (function->result == MODEL_RESULT_INT ||
                     function->result == MODEL_RESULT_UNSIGNED ||
                     function->result == MODEL_RESULT_LONG),
                "a length that is not returned");
        return NULL;
    case MODEL_TERM_KIND_COUNT:
        break;
    }
    return "a term of an unknown kind";
}

static const char *check_param(const struct model_table *t, const struct model_function *function,
                               const struct model_param *param) {
    REQUIRE(param->kind < MODEL_PARAM_COUNT, "a parameter of an unknown kind");
    REQUIRE(param->name < t->text_size, "a name outside of its text");
    REQUIRE(param->kept <= 1 && param->optional <= 1 && param->reserved == 0,
            "a parameter with flags that are not known");
    REQUIRE(param->length < t->length_count && (param->length == 0 || has_length(param->kind)),
            "a parameter with a length that it cannot have");
    REQUIRE(param->type < t->type_count, "a type that is not there");
    if (param->kind == MODEL_PARAM_OUT_TYPE)
        REQUIRE(param->type != 0, "a parameter without its type");
    else
        REQUIRE(param->type == 0 || param->kind == MODEL_PARAM_OUT_POINTER,
                "a parameter with a type that it cannot have");
    const struct model_length *length = model_table_length(t, param->length);
    for (int i = 0; i < 3; i++) {
        struct model_term term = i < 2 ? length->factor[i] : length->limit;
        const char *wrong = check_term(t, function, term, is_read(param->kind));
        REQUIRE(!wrong, wrong);
    }
    return NULL;
}

static const char *check_calls(const struct model_table *t, const struct model_function *function) {
    for (uint32_t i = 0; i < function->call_count; i++) {
        const struct model_call *call = model_table_call(t, function, i);
        bool calls = call->kind == MODEL_CALLS;
        REQUIRE(call->kind < MODEL_CALL_KIND_COUNT && call->reserved == 0,
                "a flow of an unknown kind");
        REQUIRE(call->from < function->param_count || (calls && call->from == MODEL_PLACE_NONE),
                "a flow from nowhere");
        REQUIRE(call->to < function->param_count ||
                    (call->to == MODEL_PLACE_RESULT &&
                     (call->kind == MODEL_LOADS || call->kind == MODEL_COPIES ||
                      call->kind == MODEL_RETURNS)),
                "a flow to nowhere");
        REQUIRE(!calls || model_table_param(t, function, call->to)->kind == MODEL_PARAM_FUNCTION,
                "a call of what is no function");
    }
    return NULL;
}

static const char *check_function(const struct model_table *t,
                                  const struct model_function *function) {
    REQUIRE(function->class < MODEL_CLASS_COUNT && function->result < MODEL_RESULT_COUNT &&
                function->failure < MODEL_FAILURE_COUNT &&
                function->descriptor < MODEL_DESCRIPTOR_COUNT,
            "a function of an unknown kind");
    REQUIRE(function->reason < t->text_size && function->group < t->text_size,
            "a string outside of its text");
    REQUIRE(function->param_count <= MODEL_MAX_PARAMS && function->param_count <= t->param_count &&
                function->first_param <= t->param_count - function->param_count,
            "parameters that are not there");
    REQUIRE(function->call_count <= t->call_count &&
                function->first_call <= t->call_count - function->call_count,
            "flows that are not there");
    bool refers =
        function->result == MODEL_RESULT_ARGUMENT || function->result == MODEL_RESULT_INTO;
    REQUIRE(refers ? function->result_param < function->param_count : function->result_param == 0,
            "a result that no parameter has");
    REQUIRE(function->result_type < t->type_count &&
                (function->result_type != 0) == (function->result == MODEL_RESULT_STATIC_TYPE),
            "a result with a type that it cannot have");
    REQUIRE(function->descriptor < MODEL_DUPLICATES || function->param_count > 0,
            "a descriptor that is not passed");
    for (uint32_t i = 0; i < function->param_count; i++) {
        const char *wrong = check_param(t, function, model_table_param(t, function, i));
        REQUIRE(!wrong, wrong);
    }
    return check_calls(t, function);
}

static const char *check_functions(const struct model_table *t) {
    const char *before = "";
    for (uint32_t i = 0; i < t->function_count; i++) {
        const struct model_function *function = model_table_function(t, i);
        REQUIRE(function->name < t->text_size, "a name outside of its text");
        const char *name = model_table_text(t, function->name);
        REQUIRE(strcmp(before, name) < 0, "names that are not in order");
        before = name;
        const char *wrong = check_function(t, function);
        REQUIRE(!wrong, wrong);
    }
    return NULL;
}

static const char *check_lengths(const struct model_table *t) {
    static const struct model_length none = {.element = 1};
    REQUIRE(memcmp(model_table_length(t, 0), &none, sizeof none) == 0,
            "its first length is not empty");
    for (uint32_t i = 1; i < t->length_count; i++) {
        const struct model_length *length = model_table_length(t, i);
        REQUIRE(length->element > 0, "a length of elements of no size");
        REQUIRE(length->factor[0].kind != MODEL_TERM_NONE ||
                    (length->factor[1].kind == MODEL_TERM_NONE &&
                     length->limit.kind == MODEL_TERM_NONE && length->extra == 0),
                "a length without its first term");
    }
    return NULL;
}

const char *model_table_check(const void *block, size_t size) {
    const char *wrong = check_layout(block, size);
    if (!wrong)
        wrong = check_lengths(block);
    if (!wrong)
        wrong = check_types(block);
    if (!wrong)
        wrong = check_functions(block);
    return wrong;
}

const struct model_function *model_table_find(const struct model_table *table, const char *name) {
    uint32_t low = 0, high = table->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct model_function *function = model_table_function(table, middle);
        int order = strcmp(name, model_table_text(table, function->name));
        if (order == 0)
            return function;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool model_table_is_outside(const struct model_table *table, const char *name) {
    const struct model_function *model = model_table_find(table, name);
    if (!model || model->class == MODEL_LOGGED || model->class == MODEL_OUTPUT)
        return true;
    if (model->class != MODEL_SPECIAL || model->result == MODEL_RESULT_NEW)
        return false;
    const struct model_param *params = model_table_param(table, model, 0);
    bool is_outside = false;
    for (unsigned i = 0; i < model->param_count; i++) {
        const char *param = model_table_text(table, params[i].name);
        if (params[i].kind == MODEL_PARAM_FUNCTION || params[i].kind == MODEL_PARAM_OUT_POINTER ||
            strcmp(param, "locale") == 0)
            return false;
        is_outside |= params[i].kind == MODEL_PARAM_HANDLE || strcmp(param, "fd") == 0;
    }
    static const char *const others[] = {"getchar", "kill", "tgkill", "sigqueue"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_outside |= strcmp(name, others[i]) == 0;
    return is_outside;
}
