/*
 * Which words, numbers and marks is a model file made of?
 *
 * Spaces, line ends and comments (# to the end of the line) separate tokens and
 * mean nothing else.  A column counts bytes from 1.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "models/lex.h"

/* How much of a token a message shows. */
enum { SHOWN = 40 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void lex_error(struct lexer *lexer, const struct token *at, const char *format, ...) {
    if (lexer->err)
        return;
    va_list args;
    va_start(args, format);
    char *what = mem_vprintf(format, args);
    va_end(args);
    lexer->err = error_new(ERROR_INPUT, "%s:%u:%u: %s", lexer->name, at->line, at->column, what);
    free(what);
    lexer->token.kind = TOKEN_END;
}

void lex_unexpected(struct lexer *lexer, const char *wanted) {
    const struct token *token = &lexer->token;
    if (token->kind == TOKEN_END)
        lex_error(lexer, token, "%s is missing at the end", wanted);
    else
        lex_error(lexer, token, "%s is missing before '%.*s'", wanted,
                  (int)(token->length < SHOWN ? token->length : SHOWN), token->text);
}

static void skip_space(struct lexer *lexer) {
    for (; lexer->at < lexer->end; lexer->at++) {
        char c = *lexer->at;
        if (c == '#') {
            const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
            lexer->at = newline ? newline : lexer->end;
            if (!newline)
                return;
            c = '\n';
        }
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static void lex_word(struct lexer *lexer, struct token *token) {
    while (lexer->at < lexer->end && (is_letter(*lexer->at) || is_digit(*lexer->at)))
        lexer->at++;
    token->kind = TOKEN_WORD;
    token->length = (size_t)(lexer->at - token->text);
    bool after_long = lexer->after_long;
    lexer->after_long = token_is(token, "long");
    if (lexer->form == FORM_DOUBLE || after_long || !token_is(token, "double"))
        return;
    token->text = lexer->form == FORM_FLOAT ? "float" : "long double";
    token->length = strlen(token->text);
}

static void lex_number(struct lexer *lexer, struct token *token) {
    unsigned base = 10;
    uint64_t value = 0;
    if (lexer->end - lexer->at > 2 && lexer->at[0] == '0' && lexer->at[1] == 'x') {
        base = 16;
        lexer->at += 2;
    }
    token->kind = TOKEN_NUMBER;
    for (; lexer->at < lexer->end && (is_digit(*lexer->at) || is_letter(*lexer->at)); lexer->at++) {
        char c = *lexer->at;
        unsigned digit = is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
        if (digit >= base) {
            lex_error(lexer, token, "this is no number");
            return;
        }
        value = value * base + digit;
        if (value > UINT32_MAX) {
            lex_error(lexer, token, "the number is too large");
            return;
        }
    }
    token->value = (uint32_t)value;
    token->length = (size_t)(lexer->at - token->text);
}

static void lex_string(struct lexer *lexer, struct token *token) {
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && (unsigned char)*lexer->at >= ' ')
        lexer->at++;
    if (lexer->at == lexer->end || *lexer->at != '"') {
        lex_error(lexer, token, "the string has no end");
        return;
    }
    token->kind = TOKEN_STRING;
    token->text = start;
    token->length = (size_t)(lexer->at++ - start);
}

static void lex_mark(struct lexer *lexer, struct token *token) {
    static const char *const marks[] = {"...", "==", "!=", "<", ">", "=", "(", ")", "[",
                                        "]",   "{",  "}",  ",", ";", ":", "*", "+"};
    size_t left = (size_t)(lexer->end - lexer->at);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);
        if (length <= left && memcmp(lexer->at, marks[i], length) == 0) {
            token->kind = TOKEN_MARK;
            token->length = length;
            lexer->at += length;
            return;
        }
    }
    unsigned char c = (unsigned char)*lexer->at;
    if (c > ' ' && c < 0x7f)
        lex_error(lexer, token, "unexpected character '%c'", c);
    else
        lex_error(lexer, token, "unexpected character 0x%02x", c);
}

void lex_next(struct lexer *lexer) {
    struct token token = {.kind = TOKEN_END};
    if (!lexer->err) {
        skip_space(lexer);
        token.text = lexer->at;
        token.line = lexer->line;
        token.column = (uint32_t)(lexer->at - lexer->line_start) + 1;
        bool is_end = lexer->at == lexer->end;
        if (!is_end && is_letter(*lexer->at)) {
            lex_word(lexer, &token);
        } else {
            lexer->after_long = false;
            if (!is_end && is_digit(*lexer->at))
                lex_number(lexer, &token);
            else if (!is_end && *lexer->at == '"')
                lex_string(lexer, &token);
            else if (!is_end)
                lex_mark(lexer, &token);
        }
    }
    lexer->token = token;
    if (lexer->err)
        lexer->token.kind = TOKEN_END;
}

void lex_init(struct lexer *lexer, const char *name, const char *text, size_t size) {
    *lexer =
        (struct lexer){.name = name, .at = text, .line_start = text, .end = text + size, .line = 1};
    lex_next(lexer);
}

bool token_is(const struct token *token, const char *text) {
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_MARK) &&
           token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool lex_accept(struct lexer *lexer, const char *text) {
    if (!token_is(&lexer->token, text))
        return false;
    lex_next(lexer);
    return true;
}

void lex_expect(struct lexer *lexer, const char *text) {
    if (!lex_accept(lexer, text)) {
        CLEANUP_FREE char *wanted = mem_printf("'%s'", text);
        lex_unexpected(lexer, wanted);
    }
}
