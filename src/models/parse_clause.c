/*
 * What else does a model say of a function: its result, failure, effects?
 *
 * Clauses stand behind the parameters, separated by commas; docs/models.md lists
 * them.  What a function returns follows from its C type unless that is a
 * pointer, which has to be explained.
 */
#include <string.h>

#include "models/draft.h"

/* --- results -------------------------------------------------------------------- */

/* MODEL_RESULT_COUNT: the type alone does not say. */
static enum model_result default_result(const struct c_type *type) {
    if (c_type_is_handle(type))
        return MODEL_RESULT_HANDLE;
    if (type->pointers > 0)
        return MODEL_RESULT_COUNT;
    switch (type->base) {
    case BASE_VOID:
        return MODEL_RESULT_VOID;
    case BASE_INTEGER:
        return type->size > 4    ? MODEL_RESULT_LONG
               : type->is_signed ? MODEL_RESULT_INT
                                 : MODEL_RESULT_UNSIGNED;
    case BASE_FLOAT:
        return MODEL_RESULT_FLOAT;
    case BASE_DOUBLE:
    case BASE_FLOATCOMPLEX:
        return MODEL_RESULT_DOUBLE;
    case BASE_COMPLEX:
        return MODEL_RESULT_COMPLEX;
    case BASE_LONGDOUBLE:
        return MODEL_RESULT_LONGDOUBLE;
    case BASE_LONGCOMPLEX:
        return MODEL_RESULT_LONGCOMPLEX;
    default:
        return MODEL_RESULT_COUNT;
    }
}

/* returns static | static string | lasting string | owned string | new | handle | value | pair |
 * in PARAMETER | PARAMETER */
static void parse_returns(struct parser *parser, struct function_draft *function,
                          const struct c_type *type) {
    struct lexer *lex = &parser->lex;
    struct token at = lex->token;
    bool is_pointer = type->pointers > 0 || token_is(&at, "value") || token_is(&at, "pair");
    if (!is_pointer)
        lex_error(lex, &at, "the function returns no pointer");
    if (lex_accept(lex, "static")) {
        function->result = MODEL_RESULT_STATIC_TYPE;
        function->result_object = type->object;
        if (lex_accept(lex, "string"))
            function->result = MODEL_RESULT_STATIC_STRING;
        else if (!type->object || type->pointers != 1)
            lex_error(lex, &at, "it does not return a pointer to a type declared with type");
        if (function->result == MODEL_RESULT_STATIC_STRING)
            function->result_object = NULL;
    } else if (lex_accept(lex, "lasting")) {
        lex_expect(lex, "string");
        function->result = MODEL_RESULT_LASTING_STRING;
    } else if (lex_accept(lex, "owned")) {
        lex_expect(lex, "string");
        function->result = MODEL_RESULT_OWNED_STRING;
    } else if (lex_accept(lex, "new")) {
        function->result = MODEL_RESULT_NEW;
    } else if (lex_accept(lex, "handle")) {
        function->result = MODEL_RESULT_HANDLE;
    } else if (lex_accept(lex, "value")) {
        function->result = MODEL_RESULT_LONG;
    } else if (lex_accept(lex, "pair")) {
        function->result = MODEL_RESULT_PAIR;
    } else {
        function->result = lex_accept(lex, "in") ? MODEL_RESULT_INTO : MODEL_RESULT_ARGUMENT;
        function->result_param = parse_param_name(parser, function);
    }
}

/* A length `[ret]` wants a number. */
static void check_result_lengths(struct parser *parser, const struct function_draft *function,
                                 const struct token *at) {
    bool is_number = function->result == MODEL_RESULT_INT ||
                     function->result == MODEL_RESULT_UNSIGNED ||
                     function->result == MODEL_RESULT_LONG;
    for (uint32_t i = 0; i < function->param_count && !is_number; i++) {
        const struct model_length *length = &function->params[i].length;
        if (length->factor[0].kind == MODEL_TERM_RESULT ||
            length->factor[1].kind == MODEL_TERM_RESULT || length->limit.kind == MODEL_TERM_RESULT)
            lex_error(&parser->lex, at, "a length is 'ret', but the function returns no number");
    }
}

/* --- effects -------------------------------------------------------------------- */

/* fails if ret < 0 [with errno], == 0 [with errno], != 0 */
static void parse_fails(struct parser *parser, struct function_draft *function) {
    struct lexer *lex = &parser->lex;
    lex_expect(lex, "if");
    lex_expect(lex, "ret");
    if (lex_accept(lex, "<"))
        function->failure = MODEL_FAILS_NEGATIVE;
    else if (lex_accept(lex, "=="))
        function->failure = MODEL_FAILS_ZERO;
    else if (lex_accept(lex, "!="))
        function->failure = MODEL_FAILS_NONZERO;
    else
        lex_unexpected(lex, "'< 0', '== 0' or '!= 0'");
    struct token at = lex->token;
    if (parse_number(parser, "0") != 0)
        lex_error(lex, &at, "a result can be compared with 0 alone");
    struct token with = lex->token;
    if (!lex_accept(lex, "with"))
        return;
    lex_expect(lex, "errno");
    function->flags |= MODEL_ERRNO;
    if (function->failure == MODEL_FAILS_NEGATIVE)
        function->failure = MODEL_FAILS_NEGATIVE_ERRNO;
    else if (function->failure == MODEL_FAILS_ZERO)
        function->failure = MODEL_FAILS_ZERO_ERRNO;
    else
        lex_error(lex, &with, "'with errno' is said of '< 0' and '== 0' alone");
}

static void add_call(struct parser *parser, struct function_draft *function, struct model_call call,
                     const struct token *at) {
    if (function->call_count == MODEL_MAX_PARAMS)
        lex_error(&parser->lex, at, "more than %d flows", MODEL_MAX_PARAMS);
    else
        function->calls[function->call_count++] = call;
}

/* copies FROM to TO | stores FROM in TO | loads from FROM | may return FROM |
 * calls FUNCTION [with FROM [and FROM]…] */
static bool parse_flow(struct parser *parser, struct function_draft *function) {
    struct lexer *lex = &parser->lex;
    struct token at = lex->token;
    struct model_call call = {.kind = MODEL_CALL_KIND_COUNT};
    if (lex_accept(lex, "copies") || lex_accept(lex, "stores")) {
        bool copies = token_is(&at, "copies");
        call.kind = copies ? MODEL_COPIES : MODEL_STORES;
        call.from = (uint8_t)parse_param_name(parser, function);
        lex_expect(lex, copies ? "to" : "in");
        if (copies && lex_accept(lex, "ret"))
            call.to = MODEL_PLACE_RESULT;
        else
            call.to = (uint8_t)parse_param_name(parser, function);
    } else if (lex_accept(lex, "loads")) {
        call.kind = MODEL_LOADS;
        lex_expect(lex, "from");
        call.from = (uint8_t)parse_param_name(parser, function);
        call.to = MODEL_PLACE_RESULT;
    } else if (lex_accept(lex, "may")) {
        call.kind = MODEL_RETURNS;
        lex_expect(lex, "return");
        call.from = (uint8_t)parse_param_name(parser, function);
        call.to = MODEL_PLACE_RESULT;
    } else if (lex_accept(lex, "calls")) {
        struct token callee = lex->token;
        call = (struct model_call){.kind = MODEL_CALLS, .from = MODEL_PLACE_NONE};
        call.to = (uint8_t)parse_param_name(parser, function);
        if (!lex->err && function->params[call.to].kind != MODEL_PARAM_FUNCTION)
            lex_error(lex, &callee, "'%s' is no function", function->params[call.to].name);
        if (lex_accept(lex, "with")) {
            call.from = (uint8_t)parse_param_name(parser, function);
            while (lex_accept(lex, "and")) {
                add_call(parser, function, call, &at);
                call.from = (uint8_t)parse_param_name(parser, function);
            }
        }
    } else {
        return false;
    }
    if (!lex->err)
        add_call(parser, function, call, &at);
    return true;
}

/* Clauses of one word. */
static bool parse_flag(struct parser *parser, struct function_draft *function) {
    static const struct {
        const char *word;
        uint32_t flag;
        enum model_descriptor descriptor;
    } words[] = {
        {"errno", MODEL_ERRNO, 0},   {"noreturn", MODEL_NORETURN, 0},
        {"blocks", MODEL_BLOCKS, 0}, {"pure", MODEL_PURE, 0},
        {"scans", MODEL_SCANS, 0},   {"deep", MODEL_DEEP, 0},
        {"opens", 0, MODEL_OPENS},   {"duplicates", 0, MODEL_DUPLICATES},
        {"closes", 0, MODEL_CLOSES}, {"orders", MODEL_ORDERS, 0},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct token at = parser->lex.token;
        if (!lex_accept(&parser->lex, words[i].word))
            continue;
        function->flags |= words[i].flag;
        if (words[i].descriptor)
            function->descriptor = words[i].descriptor;
        if (words[i].descriptor >= MODEL_DUPLICATES &&
            (function->param_count == 0 || function->params[0].kind != MODEL_PARAM_INT))
            lex_error(&parser->lex, &at, "the first parameter is no descriptor");
        return true;
    }
    return false;
}

static void parse_forms(struct parser *parser, struct parsed_forms *forms) {
    forms->f = lex_accept(&parser->lex, "f");
    forms->l = lex_accept(&parser->lex, "l");
    if (!forms->f && !forms->l)
        lex_unexpected(&parser->lex, "'f' or 'l'");
}

static void parse_because(struct parser *parser, struct function_draft *function,
                          const struct token *at) {
    struct lexer *lex = &parser->lex;
    if (function->class != MODEL_REFUSED)
        lex_error(lex, at, "only what is refused has a reason");
    if (lex->token.kind != TOKEN_STRING) {
        lex_unexpected(lex, "a reason in quotes");
        return;
    }
    function->reason = parse_text(parser, &lex->token);
    lex_next(lex);
}

void parse_clauses(struct parser *parser, struct function_draft *function,
                   const struct c_type *result, struct parsed_forms *forms) {
    struct lexer *lex = &parser->lex;
    struct token at = lex->token;
    enum model_result by_type = default_result(result);
    bool explained = by_type != MODEL_RESULT_COUNT;
    function->result = explained ? by_type : MODEL_RESULT_LONG;
    function->reason = "";
    bool first = true;
    while (!token_is(&lex->token, ";") && !token_is(&lex->token, "also") && !lex->err) {
        if (!first)
            lex_expect(lex, ",");
        first = false;
        struct token word = lex->token;
        if (lex_accept(lex, "returns")) {
            parse_returns(parser, function, result);
            explained = true;
        } else if (lex_accept(lex, "fails")) {
            parse_fails(parser, function);
        } else if (lex_accept(lex, "forms")) {
            parse_forms(parser, forms);
        } else if (lex_accept(lex, "because")) {
            parse_because(parser, function, &word);
        } else if (!parse_flag(parser, function) && !parse_flow(parser, function)) {
            lex_unexpected(lex, "',', ';' or what the function does");
        }
    }
    if (!explained && function->class != MODEL_REFUSED)
        lex_error(lex, &at, "the function returns a pointer: say what it is with 'returns'");
    if (function->class == MODEL_REFUSED && !*function->reason)
        lex_error(lex, &at, "say why it is refused, with 'because'");
    check_result_lengths(parser, function, &at);
}
