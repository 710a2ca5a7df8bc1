/*
 * Which models are in a text?
 *
 *     file     = { item }
 *     item     = "group" STRING ";"
 *              | "typedef" TYPE NAME [":" "handle"] ";"
 *              | "type" TYPE SIZE ["sized" "by" FIELD OFFSET] ["{" { field } "}"] ";"
 *              | [class] TYPE NAME "(" parameters ")" [clause {"," clause}] ["also" names] ";"
 *     class    = "logged" | "output" | "deterministic" | ...        (MODEL_CLASSES)
 *
 * Recursive descent with one token of lookahead.  A family of functions for
 * double, float and long double (forms f l) is read once for each, see lex.h.
 */
#include <string.h>

#include "base/io.h"
#include "models/draft.h"

struct models *models_new(void) { return mem_zalloc(1, sizeof(struct models)); }

void models_free(struct models *models) {
    if (!models)
        return;
    VEC_DEINIT(&models->types);
    VEC_DEINIT(&models->names);
    arena_deinit(&models->arena);
    free(models);
}

/* --- pieces --------------------------------------------------------------------- */

void parse_c_token(struct parser *parser) {
    const struct token *token = &parser->lex.token;
    bool is_tight = token->kind == TOKEN_MARK && !token_is(token, "*") && !token_is(token, "(") &&
                    !token_is(token, "...");
    if (parser->c.count > 0 && !is_tight)
        VEC_PUSH(&parser->c, ' ');
    for (size_t i = 0; i < token->length && token->kind != TOKEN_END; i++)
        VEC_PUSH(&parser->c, token->text[i]);
    lex_next(&parser->lex);
}

const char *parse_c_text(struct parser *parser) {
    size_t length = parser->c.count;
    parser->c.count = 0;
    return length ? arena_strndup(&parser->models->arena, parser->c.data, length) : "";
}

const char *parse_text(struct parser *parser, const struct token *token) {
    return token->length ? arena_strndup(&parser->models->arena, token->text, token->length) : "";
}

struct token parse_word(struct parser *parser, const char *wanted) {
    struct token token = parser->lex.token;
    if (token.kind == TOKEN_WORD)
        lex_next(&parser->lex);
    else
        lex_unexpected(&parser->lex, wanted);
    return token;
}

uint32_t parse_number(struct parser *parser, const char *wanted) {
    struct token token = parser->lex.token;
    if (token.kind == TOKEN_NUMBER)
        lex_next(&parser->lex);
    else
        lex_unexpected(&parser->lex, wanted);
    return token.kind == TOKEN_NUMBER ? token.value : 0;
}

/* --- functions ------------------------------------------------------------------ */

static enum model_class parse_class(struct parser *parser) {
    static const char *const names[] = {
#define X(id, name) name,
        MODEL_CLASSES(X)
#undef X
    };
    for (size_t i = 0; i < MODEL_CLASS_COUNT; i++)
        if (lex_accept(&parser->lex, names[i]))
            return (enum model_class)i;
    return MODEL_LOGGED;
}

static void add_name(struct parser *parser, const struct function_draft *function,
                     const struct token *name, bool also) {
    static const char *const suffixes[] = {"", "f", "l"};
    struct models *models = parser->models;
    struct name_draft draft = {
        .name = arena_printf(&models->arena, "%.*s%s", (int)name->length, name->text,
                             suffixes[parser->lex.form]),
        .function = function,
        .file = parser->file,
        .source = models->sources,
        .serial = (uint32_t)models->names.count,
        .line = name->line,
        .column = name->column,
        .also = also,
    };
    VEC_PUSH(&models->names, draft);
}

static void parse_function(struct parser *parser, struct parsed_forms *forms) {
    struct lexer *lex = &parser->lex;
    struct function_draft *function = arena_alloc(&parser->models->arena, sizeof *function);
    function->group = parser->group;
    function->class = parse_class(parser);
    struct c_type result = parse_base(parser);
    while (token_is(&lex->token, "*")) {
        result.pointers++;
        parse_c_token(parser);
    }
    function->c_result = parse_c_text(parser);
    struct token name = parse_word(parser, "the name of a function");
    parse_params(parser, function);
    parse_clauses(parser, function, &result, forms);
    if (!lex->err)
        add_name(parser, function, &name, false);
    if (lex_accept(lex, "also")) {
        do {
            struct token other = parse_word(parser, "the name of a function");
            if (!lex->err)
                add_name(parser, function, &other, true);
        } while (lex_accept(lex, ","));
    }
    lex_expect(lex, ";");
}

static void read_again(struct lexer *lex, const struct lexer *from, enum lex_form form) {
    lex->at = from->token.text;
    lex->line = from->token.line;
    lex->line_start = from->token.text - (from->token.column - 1);
    lex->after_long = false;
    lex->form = form;
    lex_next(lex);
}

static void parse_family(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    struct lexer start = *lex;
    struct parsed_forms forms = {0}, ignored;
    parse_function(parser, &forms);
    if (!forms.f && !forms.l)
        return;
    struct lexer end = *lex;
    if (forms.f && !lex->err) {
        read_again(lex, &start, FORM_FLOAT);
        parse_function(parser, &ignored);
    }
    if (forms.l && !lex->err) {
        read_again(lex, &start, FORM_LONG);
        parse_function(parser, &ignored);
    }
    if (!lex->err)
        *lex = end;
}

/* --- files ---------------------------------------------------------------------- */

static void parse_item(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    if (lex_accept(lex, "group")) {
        if (lex->token.kind != TOKEN_STRING)
            lex_unexpected(lex, "a heading in quotes");
        else
            parser->group = parse_text(parser, &lex->token);
        lex_next(lex);
        lex_expect(lex, ";");
    } else if (lex_accept(lex, "typedef")) {
        parse_typedef_item(parser);
    } else if (lex_accept(lex, "type")) {
        parse_type_item(parser);
    } else {
        parse_family(parser);
    }
}

struct error *models_parse(struct models *models, const char *name, const char *text, size_t size) {
    struct parser parser = {.models = models};
    parser.file = parser.group = arena_strdup(&models->arena, name);
    lex_init(&parser.lex, parser.file, text, size);
    while (parser.lex.token.kind != TOKEN_END)
        parse_item(&parser);
    VEC_DEINIT(&parser.c);
    models->sources++;
    return parser.lex.err;
}

struct error *models_parse_file(struct models *models, const char *path) {
    CLEANUP_FREE char *text = NULL;
    size_t size;
    struct error *err = io_read_file(path, &text, &size);
    return err ? err : models_parse(models, path, text, size);
}
