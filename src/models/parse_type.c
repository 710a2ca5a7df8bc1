/*
 * What does a C type mean to a model?
 *
 * A model needs little of it: integer or floating point, how large, signed or
 * not, how many pointers, and whether a pointer to it is a handle.  Names have
 * to be declared, by typedef or type; only `struct NAME` may stay unknown, since
 * a pointer to it can be passed on without a look.
 */
#include <string.h>

#include "models/draft.h"

const struct type_draft *models_find_type(const struct models *models, const char *name,
                                          size_t length) {
    for (size_t i = models->types.count; i-- > 0;) {
        const struct type_draft *type = &models->types.data[i];
        if (strlen(type->name) == length && memcmp(type->name, name, length) == 0)
            return type;
    }
    return NULL;
}

uint32_t c_type_element(const struct c_type *type) {
    if (type->pointers > 1)
        return 8;
    return type->pointers == 1 ? type->size : 0;
}

bool c_type_is_handle(const struct c_type *type) {
    return type->handle_at != 0 && type->handle_at == type->pointers;
}

/* --- bases --------------------------------------------------------------------- */

/* How often each word of a base was there. */
struct base_words {
    unsigned is_unsigned, is_signed, shorts, longs, ints, chars, floats, doubles, complexes, voids,
        bools;
};

static unsigned *base_word(struct base_words *words, const struct token *token) {
    struct {
        const char *word;
        unsigned *count;
    } const known[] = {
        {"unsigned", &words->is_unsigned},
        {"signed", &words->is_signed},
        {"short", &words->shorts},
        {"long", &words->longs},
        {"int", &words->ints},
        {"char", &words->chars},
        {"float", &words->floats},
        {"double", &words->doubles},
        {"complex", &words->complexes},
        {"_Complex", &words->complexes},
        {"void", &words->voids},
        {"bool", &words->bools},
        {"_Bool", &words->bools},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (token_is(token, known[i].word))
            return known[i].count;
    return NULL;
}

static struct c_type base_of(const struct base_words *w) {
    if (w->voids)
        return (struct c_type){.base = BASE_VOID};
    if (w->floats)
        return (struct c_type){.base = w->complexes ? BASE_FLOATCOMPLEX : BASE_FLOAT,
                               .size = w->complexes ? 8 : 4};
    if (w->doubles && w->longs)
        return (struct c_type){.base = w->complexes ? BASE_LONGCOMPLEX : BASE_LONGDOUBLE,
                               .size = w->complexes ? 32 : 16};
    if (w->doubles)
        return (struct c_type){.base = w->complexes ? BASE_COMPLEX : BASE_DOUBLE,
                               .size = w->complexes ? 16 : 8};
    uint32_t size = w->chars || w->bools ? 1 : w->shorts ? 2 : w->longs ? 8 : 4;
    return (struct c_type){
        .base = BASE_INTEGER, .size = size, .is_signed = !w->is_unsigned && !w->bools};
}

/* struct NAME, union NAME, enum NAME. */
static struct c_type parse_tag(struct parser *parser) {
    bool is_enum = token_is(&parser->lex.token, "enum");
    char tag = parser->lex.token.text[0];
    parse_c_token(parser);
    struct token name = parser->lex.token;
    if (name.kind != TOKEN_WORD) {
        lex_unexpected(&parser->lex, "a name");
        return (struct c_type){.base = BASE_OBJECT};
    }
    parse_c_token(parser);
    if (is_enum)
        return (struct c_type){.base = BASE_INTEGER, .size = 4};
    CLEANUP_FREE char *full =
        mem_printf("%s %.*s", tag == 's' ? "struct" : "union", (int)name.length, name.text);
    const struct type_draft *known = models_find_type(parser->models, full, strlen(full));
    return known ? known->type : (struct c_type){.base = BASE_OBJECT};
}

struct c_type parse_base(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    struct base_words words = {0};
    struct c_type named = {0};
    bool has_words = false, has_name = false;
    for (;;) {
        unsigned *count = base_word(&words, &lex->token);
        if (token_is(&lex->token, "const") || token_is(&lex->token, "volatile")) {
            parse_c_token(parser);
        } else if (!has_name && token_is(&lex->token, "long double")) {
            words.longs = words.doubles = 1;
            has_words = true;
            parse_c_token(parser);
        } else if (!has_name && count) {
            ++*count;
            has_words = true;
            parse_c_token(parser);
        } else if (has_words || has_name || lex->token.kind != TOKEN_WORD) {
            break;
        } else if (token_is(&lex->token, "struct") || token_is(&lex->token, "union") ||
                   token_is(&lex->token, "enum")) {
            named = parse_tag(parser);
            has_name = true;
        } else if (token_is(&lex->token, "va_list")) {
            named = (struct c_type){.base = BASE_VALIST, .size = 24};
            has_name = true;
            parse_c_token(parser);
        } else {
            const struct type_draft *type =
                models_find_type(parser->models, lex->token.text, lex->token.length);
            if (!type) {
                lex_error(lex, &lex->token, "unknown type '%.*s' (declare it with typedef or type)",
                          (int)lex->token.length, lex->token.text);
                break;
            }
            named = type->type;
            has_name = true;
            parse_c_token(parser);
        }
    }
    if (!has_words && !has_name)
        lex_unexpected(lex, "a type");
    return has_name ? named : base_of(&words);
}

/* --- declarators ---------------------------------------------------------------- */

/* (…) with all that is in it. */
static void skip_parentheses(struct parser *parser) {
    unsigned depth = 0;
    do {
        if (token_is(&parser->lex.token, "("))
            depth++;
        else if (token_is(&parser->lex.token, ")"))
            depth--;
        else if (parser->lex.token.kind == TOKEN_END)
            lex_unexpected(&parser->lex, "')'");
        parse_c_token(parser);
    } while (depth > 0 && !parser->lex.err);
}

static void parse_stars(struct parser *parser, struct c_type *type) {
    struct lexer *lex = &parser->lex;
    for (;; parse_c_token(parser)) {
        if (token_is(&lex->token, "*"))
            type->pointers++;
        else if (!token_is(&lex->token, "const") && !token_is(&lex->token, "restrict"))
            return;
    }
}

void parse_declarator(struct parser *parser, struct c_type *type, struct token *ret_name,
                      uint32_t *ret_count) {
    struct lexer *lex = &parser->lex;
    *ret_name = (struct token){.line = lex->token.line, .column = lex->token.column};
    *ret_count = 0;
    parse_stars(parser, type);
    bool is_function = token_is(&lex->token, "(");
    if (is_function) {
        parse_c_token(parser);
        if (!token_is(&lex->token, "*"))
            lex_unexpected(lex, "'*'");
        *type = (struct c_type){.base = BASE_FUNCTION};
        parse_stars(parser, type);
    }
    if (lex->token.kind == TOKEN_WORD) {
        *ret_name = lex->token;
        parse_c_token(parser);
    }
    if (is_function) {
        if (!token_is(&lex->token, ")"))
            lex_unexpected(lex, "')'");
        parse_c_token(parser);
        if (!token_is(&lex->token, "("))
            lex_unexpected(lex, "'('");
        else
            skip_parentheses(parser);
    } else if (token_is(&lex->token, "[")) {
        parse_c_token(parser);
        *ret_count = 1;
        if (lex->token.kind == TOKEN_NUMBER) {
            *ret_count = lex->token.value;
            parse_c_token(parser);
        }
        if (!token_is(&lex->token, "]"))
            lex_unexpected(lex, "']'");
        parse_c_token(parser);
        type->pointers++;
    }
}

/* --- items ---------------------------------------------------------------------- */

/* typedef TYPE NAME [: handle]; */
void parse_typedef_item(struct parser *parser) {
    struct type_draft draft = {.type = parse_base(parser)};
    struct token name;
    uint32_t count;
    parse_stars(parser, &draft.type);
    draft.target = parse_c_text(parser);
    parse_declarator(parser, &draft.type, &name, &count);
    parse_c_text(parser);
    if (name.length == 0)
        lex_unexpected(&parser->lex, "a name");
    if (count != 0)
        lex_error(&parser->lex, &name, "an array has no place in a typedef");
    draft.name = parse_text(parser, &name);
    if (lex_accept(&parser->lex, ":")) {
        lex_expect(&parser->lex, "handle");
        draft.type.handle_at = draft.type.pointers ? draft.type.pointers : 1;
    }
    lex_expect(&parser->lex, ";");
    if (!parser->lex.err)
        VEC_PUSH(&parser->models->types, draft);
}

/* A field of an object, and where it is: NAME OFFSET. */
static uint32_t parse_field_place(struct parser *parser, const struct object_draft *object,
                                  uint32_t width, const char **ret_name) {
    struct token name = parse_word(parser, "the name of a field");
    struct token at = parser->lex.token;
    uint32_t offset = parse_number(parser, "its offset");
    *ret_name = parse_text(parser, &name);
    if (width > object->size || offset > object->size - width)
        lex_error(&parser->lex, &at, "the field lies outside of the %u bytes of %s", object->size,
                  object->name);
    return offset;
}

static const struct object_draft *parse_field_type(struct parser *parser,
                                                   const struct object_draft *own) {
    struct token at = parser->lex.token;
    struct c_type type = parse_base(parser);
    const char *name = parse_c_text(parser);
    if (strcmp(name, own->name) == 0) {
        for (uint32_t i = 0; i < own->field_count; i++)
            if (own->fields[i].object == own)
                lex_error(&parser->lex, &at, "%s already has a field that points to the next one",
                          name);
        return own;
    }
    if (!type.object)
        lex_error(&parser->lex, &at, "%s is no type that was declared with type", name);
    return type.object;
}

/* NAME OFFSET KIND; */
static void parse_field(struct parser *parser, const struct object_draft *object,
                        struct field_draft *field) {
    struct lexer *lex = &parser->lex;
    field->offset = parse_field_place(parser, object, 8, &field->name);
    if (lex_accept(lex, "string")) {
        field->kind = MODEL_FIELD_STRING;
    } else if (lex_accept(lex, "strings")) {
        field->kind = MODEL_FIELD_STRINGS;
    } else if (token_is(&lex->token, "bytes") || token_is(&lex->token, "vector")) {
        field->kind = token_is(&lex->token, "bytes") ? MODEL_FIELD_BYTES : MODEL_FIELD_VECTOR;
        lex_next(lex);
        lex_expect(lex, "[");
        field->count = parse_field_place(parser, object, 4, &field->count_name);
        lex_expect(lex, "]");
    } else {
        field->kind = MODEL_FIELD_TYPE;
        field->object = parse_field_type(parser, object);
    }
    lex_expect(lex, ";");
}

/* type NAME SIZE [sized by NAME OFFSET] [{ fields }]; */
void parse_type_item(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    struct object_draft *object = arena_alloc(&parser->models->arena, sizeof *object);
    VEC(struct field_draft) fields = {0};
    if (token_is(&lex->token, "struct") || token_is(&lex->token, "union"))
        parse_c_token(parser);
    if (lex->token.kind != TOKEN_WORD)
        lex_unexpected(lex, "the name of a type");
    parse_c_token(parser);
    object->name = parse_c_text(parser);
    struct token at = lex->token;
    object->size = parse_number(parser, "its size in bytes");
    if (object->size == 0)
        lex_error(lex, &at, "a type of no bytes");
    if (lex_accept(lex, "sized")) {
        lex_expect(lex, "by");
        object->size_offset = parse_field_place(parser, object, 2, &object->size_name);
    }
    if (lex_accept(lex, "{")) {
        while (!token_is(&lex->token, "}") && lex->token.kind != TOKEN_END) {
            struct field_draft field = {0};
            /* A list is recognised by the fields before. */
            object->fields = fields.data;
            object->field_count = (uint32_t)fields.count;
            parse_field(parser, object, &field);
            VEC_PUSH(&fields, field);
        }
        lex_expect(lex, "}");
    }
    lex_expect(lex, ";");
    object->field_count = (uint32_t)fields.count;
    object->fields = arena_alloc(&parser->models->arena, fields.count * sizeof *fields.data);
    if (fields.count)
        memcpy(object->fields, fields.data, fields.count * sizeof *fields.data);
    VEC_DEINIT(&fields);
    if (!lex->err)
        VEC_PUSH(&parser->models->types,
                 (struct type_draft){
                     .name = object->name,
                     .type = {.base = BASE_OBJECT, .size = object->size, .object = object}});
}
