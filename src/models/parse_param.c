/*
 * What does a function do with each of its parameters?
 *
 *     parameter = C-DECLARATION [":" role]
 *     role      = "in" | "out" | "inout" | "string" | "out" "string" ...  [ "[" length "]" ]
 * ["kept"] length    = term ["*" term] ["max" term] ["+" NUMBER] ["bytes"] term      = NUMBER |
 * "ret" | NAME | "*" NAME
 *
 * A length may name a parameter that comes later, so names are looked up when
 * all are known.
 */
#include <string.h>

#include "models/draft.h"

struct term_text {
    bool is_there, is_deref;
    struct token token;
};

/* What is between [ and ]. */
struct length_text {
    bool is_there, in_bytes;
    struct term_text terms[3];
    uint32_t extra, array; /* array: of name[3], else 0 */
    struct token at;
};

/* --- roles ---------------------------------------------------------------------- */

static void parse_term(struct parser *parser, struct term_text *term) {
    struct lexer *lex = &parser->lex;
    term->is_deref = lex_accept(lex, "*");
    term->is_there = true;
    term->token = lex->token;
    if (lex->token.kind == TOKEN_WORD || (lex->token.kind == TOKEN_NUMBER && !term->is_deref))
        lex_next(lex);
    else
        lex_unexpected(lex, "a number or the name of a parameter");
}

static void parse_length(struct parser *parser, struct length_text *length) {
    struct lexer *lex = &parser->lex;
    if (!lex_accept(lex, "["))
        return;
    length->is_there = true;
    parse_term(parser, &length->terms[0]);
    if (lex_accept(lex, "*"))
        parse_term(parser, &length->terms[1]);
    if (lex_accept(lex, "max"))
        parse_term(parser, &length->terms[2]);
    if (lex_accept(lex, "+"))
        length->extra = parse_number(parser, "a number of elements");
    length->in_bytes = lex_accept(lex, "bytes");
    lex_expect(lex, "]");
}

/* The words of a role, longest first. */
static const struct role {
    const char *words[2];
    enum model_param_kind kind;
    bool is_pointer, has_length;
} roles[] = {
    {{"out", "string"}, MODEL_PARAM_OUT_STRING, true, true},
    {{"out", "pointer"}, MODEL_PARAM_OUT_POINTER, true, false},
    {{"out", "iovec"}, MODEL_PARAM_OUT_IOVEC, true, true},
    {{"out", "object"}, MODEL_PARAM_OUT_TYPE, true, false},
    {{"out"}, MODEL_PARAM_OUT, true, true},
    {{"in"}, MODEL_PARAM_IN, true, true},
    {{"inout", "string"}, MODEL_PARAM_INOUT_STRING, true, true},
    {{"inout"}, MODEL_PARAM_INOUT, true, true},
    {{"string"}, MODEL_PARAM_STRING, true, true},
    {{"strings"}, MODEL_PARAM_STRINGS, true, false},
    {{"iovec"}, MODEL_PARAM_IN_IOVEC, true, true},
    {{"handle"}, MODEL_PARAM_HANDLE, true, false},
    {{"pointer"}, MODEL_PARAM_POINTER, true, false},
    {{"function"}, MODEL_PARAM_FUNCTION, true, false},
    {{"int"}, MODEL_PARAM_INT, false, false},
    {{"unsigned"}, MODEL_PARAM_UNSIGNED, false, false},
    {{"long"}, MODEL_PARAM_LONG, false, false},
    {{"unused"}, MODEL_PARAM_UNUSED, false, false},
};

static const struct role *parse_role_words(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    struct token first = parse_word(parser, "what the function does with it");
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const struct role *role = &roles[i];
        if (token_is(&first, role->words[0]) &&
            (!role->words[1] || lex_accept(lex, role->words[1])))
            return role;
    }
    lex_error(lex, &first, "unknown role '%.*s'", (int)first.length, first.text);
    return NULL;
}

static void parse_role(struct parser *parser, struct param_draft *param,
                       struct length_text *length) {
    struct lexer *lex = &parser->lex;
    struct token at = lex->token;
    const struct role *role = parse_role_words(parser);
    if (!role)
        return;
    param->kind = role->kind;
    length->at = at;
    if (role->is_pointer && param->type.pointers == 0)
        lex_error(lex, &at, "'%s' is no pointer", param->name);
    if (!role->is_pointer && role->kind != MODEL_PARAM_UNUSED && param->type.pointers != 0)
        lex_error(lex, &at, "'%s' is a pointer", param->name);
    if (role->has_length)
        parse_length(parser, length);
    if (role->kind == MODEL_PARAM_OUT_TYPE ||
        (role->kind == MODEL_PARAM_OUT_POINTER && param->type.pointers == 2))
        param->object = param->type.object;
    if (role->kind == MODEL_PARAM_OUT_TYPE && (!param->object || param->type.pointers != 1))
        lex_error(lex, &at, "'%s' does not point to a type that was declared with type",
                  param->name);
    if (role->kind == MODEL_PARAM_OUT_POINTER && param->type.pointers < 2)
        lex_error(lex, &at, "'%s' does not point to a pointer", param->name);
    param->kept = lex_accept(lex, "kept");
}

/* --- what a type alone says ------------------------------------------------------ */

static void add_param(struct parser *parser, struct function_draft *function,
                      const struct param_draft *param, const struct token *at) {
    if (function->param_count == MODEL_MAX_PARAMS)
        lex_error(&parser->lex, at, "more than %d parameters", MODEL_MAX_PARAMS);
    else
        function->params[function->param_count++] = *param;
}

/* Sets the kind of a parameter without a role; true if it takes two places. */
static bool default_kind(struct parser *parser, struct param_draft *param, const struct token *at) {
    const struct c_type *type = &param->type;
    bool is_pair = false;
    if (type->base == BASE_VALIST && type->pointers == 0)
        param->kind = MODEL_PARAM_VALIST;
    else if (type->base == BASE_FUNCTION)
        param->kind = MODEL_PARAM_FUNCTION;
    else if (c_type_is_handle(type))
        param->kind = MODEL_PARAM_HANDLE;
    else if (type->pointers > 0)
        lex_error(&parser->lex, at, "'%s' is a pointer: say what the function does with it",
                  param->name);
    else if (type->base == BASE_INTEGER)
        param->kind = type->size > 4    ? MODEL_PARAM_LONG
                      : type->is_signed ? MODEL_PARAM_INT
                                        : MODEL_PARAM_UNSIGNED;
    else if (type->base == BASE_FLOAT)
        param->kind = MODEL_PARAM_FLOAT;
    else if (type->base == BASE_DOUBLE || type->base == BASE_FLOATCOMPLEX)
        param->kind = MODEL_PARAM_DOUBLE;
    else if (type->base == BASE_LONGDOUBLE)
        param->kind = MODEL_PARAM_LONGDOUBLE;
    else if (type->base == BASE_COMPLEX || type->base == BASE_LONGCOMPLEX) {
        param->kind = type->base == BASE_COMPLEX ? MODEL_PARAM_DOUBLE : MODEL_PARAM_LONGDOUBLE;
        is_pair = true;
    } else
        lex_error(&parser->lex, at, "say how '%s' is passed: int, unsigned or long", param->name);
    return is_pair;
}

/* --- lengths -------------------------------------------------------------------- */

static uint32_t find_param(const struct function_draft *function, const struct token *name) {
    for (uint32_t i = 0; i < function->param_count; i++)
        if (strlen(function->params[i].name) == name->length &&
            memcmp(function->params[i].name, name->text, name->length) == 0)
            return i;
    return MODEL_MAX_PARAMS;
}

static struct model_term resolve_term(struct parser *parser, const struct function_draft *function,
                                      const struct term_text *term) {
    struct lexer *lex = &parser->lex;
    const struct token *token = &term->token;
    if (!term->is_there)
        return (struct model_term){0};
    if (token->kind == TOKEN_NUMBER)
        return (struct model_term){MODEL_TERM_CONSTANT, token->value};
    if (token_is(token, "ret"))
        return (struct model_term){MODEL_TERM_RESULT, 0};
    uint32_t number = find_param(function, token);
    if (number == MODEL_MAX_PARAMS) {
        lex_error(lex, token, "no parameter is called '%.*s'", (int)token->length, token->text);
        return (struct model_term){0};
    }
    const struct param_draft *param = &function->params[number];
    bool is_number = param->kind == MODEL_PARAM_INT || param->kind == MODEL_PARAM_UNSIGNED ||
                     param->kind == MODEL_PARAM_LONG;
    bool is_memory = param->kind == MODEL_PARAM_IN || param->kind == MODEL_PARAM_OUT ||
                     param->kind == MODEL_PARAM_INOUT;
    uint32_t size = c_type_element(&param->type);
    if (!term->is_deref && !is_number)
        lex_error(lex, token, "'%s' is no number", param->name);
    if (term->is_deref && (!is_memory || param->type.base != BASE_INTEGER ||
                           param->type.pointers != 1 || (size != 4 && size != 8)))
        lex_error(lex, token, "'%s' does not point to a number of 4 or 8 bytes", param->name);
    if (!term->is_deref)
        return (struct model_term){MODEL_TERM_PARAM, number};
    return (struct model_term){size == 4 ? MODEL_TERM_DEREF32 : MODEL_TERM_DEREF64, number};
}

static bool is_string(const struct param_draft *param) {
    return param->kind == MODEL_PARAM_STRING || param->kind == MODEL_PARAM_OUT_STRING ||
           param->kind == MODEL_PARAM_INOUT_STRING;
}

/* Bytes of one element. */
static uint32_t resolve_element(struct parser *parser, const struct param_draft *param,
                                const struct length_text *text) {
    const struct c_type *type = &param->type;
    bool is_iovec = param->kind == MODEL_PARAM_IN_IOVEC || param->kind == MODEL_PARAM_OUT_IOVEC;
    if (is_iovec || text->in_bytes || (type->base == BASE_VOID && type->pointers == 1))
        return 1;
    uint32_t element = c_type_element(type);
    if (is_string(param) && (type->base != BASE_INTEGER || type->pointers != 1 || element > 4))
        lex_error(&parser->lex, &text->at, "'%s' does not point to characters", param->name);
    if (element == 0)
        lex_error(&parser->lex, &text->at,
                  "the size of what '%s' points to is not known (declare it with type)",
                  param->name);
    return element;
}

static void resolve_length(struct parser *parser, const struct function_draft *function,
                           struct param_draft *param, const struct length_text *text) {
    struct lexer *lex = &parser->lex;
    bool is_read = param->kind == MODEL_PARAM_IN || param->kind == MODEL_PARAM_INOUT ||
                   param->kind == MODEL_PARAM_STRING || param->kind == MODEL_PARAM_INOUT_STRING ||
                   param->kind == MODEL_PARAM_IN_IOVEC;
    bool is_written = param->kind == MODEL_PARAM_OUT || param->kind == MODEL_PARAM_OUT_STRING ||
                      param->kind == MODEL_PARAM_OUT_IOVEC;
    if (lex->err || (!is_read && !is_written))
        return;
    struct model_length *length = &param->length;
    length->element = resolve_element(parser, param, text);
    uint64_t extra = (uint64_t)text->extra * length->element;
    if (extra > UINT32_MAX)
        lex_error(lex, &text->at, "the number is too large");
    length->extra = (uint32_t)extra;
    for (int i = 0; i < 3; i++) {
        struct model_term term = resolve_term(parser, function, &text->terms[i]);
        if (is_read && term.kind == MODEL_TERM_RESULT)
            lex_error(lex, &text->terms[i].token, "what is read cannot depend on the result");
        *(i < 2 ? &length->factor[i] : &length->limit) = term;
    }
    if (text->is_there || is_string(param))
        return;
    if (param->type.base == BASE_VOID && param->type.pointers == 1)
        lex_error(lex, &text->at, "say how many bytes, in []");
    length->factor[0] = (struct model_term){MODEL_TERM_CONSTANT, text->array > 0 ? text->array : 1};
}

/* --- parameters ----------------------------------------------------------------- */

/* A struct in two registers. */
static void parse_pair(struct parser *parser, struct param_draft *param) {
    lex_next(&parser->lex);
    param->kind = MODEL_PARAM_LONG;
}

static void parse_param(struct parser *parser, struct function_draft *function, bool optional,
                        struct length_text *length) {
    struct param_draft param = {.optional = optional};
    struct token name;
    param.type = parse_base(parser);
    parse_declarator(parser, &param.type, &name, &length->array);
    param.name = parse_text(parser, &name);
    length->at = name;
    bool is_pair = false;
    if (!lex_accept(&parser->lex, ":"))
        is_pair = default_kind(parser, &param, &name);
    else if ((is_pair = token_is(&parser->lex.token, "pair")))
        parse_pair(parser, &param);
    else
        parse_role(parser, &param, length);
    if (param.type.base == BASE_VOID && param.type.pointers == 0)
        lex_error(&parser->lex, &name, "a parameter cannot be void");
    if (name.length && find_param(function, &name) != MODEL_MAX_PARAMS)
        lex_error(&parser->lex, &name, "two parameters are called '%s'", param.name);
    add_param(parser, function, &param, &name);
    if (is_pair)
        add_param(parser, function, &param, &name);
}

void parse_params(struct parser *parser, struct function_draft *function) {
    struct lexer *lex = &parser->lex;
    struct length_text lengths[MODEL_MAX_PARAMS + 1] = {0};
    bool is_variadic = false;
    lex_expect(lex, "(");
    bool is_void = false;
    if (token_is(&lex->token, "void")) { /* (void) or (void *…) */
        struct lexer before = *lex;
        lex_next(lex);
        is_void = lex_accept(lex, ")");
        if (!is_void && !lex->err)
            *lex = before;
    }
    if (is_void)
        function->c_params = "void";
    else if (token_is(&lex->token, ")"))
        lex_unexpected(lex, "void");
    while (!is_void && !lex->err) {
        if (token_is(&lex->token, "...")) {
            parse_c_token(parser);
            function->c_params = parse_c_text(parser);
            function->flags |= MODEL_VARIADIC;
            is_variadic = true;
        } else {
            parse_param(parser, function, is_variadic, &lengths[function->param_count]);
        }
        if (lex_accept(lex, ")"))
            break;
        if (!token_is(&lex->token, ","))
            lex_unexpected(lex, "',' or ')'");
        parse_c_token(parser);
    }
    const char *text = parse_c_text(parser);
    if (!function->c_params)
        function->c_params = text;
    for (uint32_t i = 0; i < function->param_count; i++)
        resolve_length(parser, function, &function->params[i], &lengths[i]);
}

uint32_t parse_param_name(struct parser *parser, const struct function_draft *function) {
    struct token name = parse_word(parser, "the name of a parameter");
    uint32_t number = find_param(function, &name);
    if (number == MODEL_MAX_PARAMS && !parser->lex.err) {
        lex_error(&parser->lex, &name, "no parameter is called '%.*s'", (int)name.length,
                  name.text);
        return 0;
    }
    return number == MODEL_MAX_PARAMS ? 0 : number;
}
