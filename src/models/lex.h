/*
 * Words, numbers and marks of a model file.
 *
 * A lexer looks one token ahead: `token` is the next one, lex_next() takes it.
 * The first error sticks: from then on every token is TOKEN_END, so that a
 * parser comes to its end by itself and need not look after each step.
 *
 *     struct lexer lexer;
 *     lex_init(&lexer, name, text, size);
 *     while (lexer.token.kind != TOKEN_END)
 *         ...
 *     return lexer.err;
 */
#ifndef RECUT_MODELS_LEX_H
#define RECUT_MODELS_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NUMBER, /* decimal or 0x…, 32 bits */
    TOKEN_STRING, /* "…" on one line; text is what is between the quotes */
    TOKEN_MARK,   /* punctuation; ... == != are one each */
};

struct token {
    enum token_kind kind;
    const char *text; /* in the source, or constant */
    size_t length;
    uint32_t value; /* TOKEN_NUMBER */
    uint32_t line, column;
};

/* Which of the three functions of a family like sin, sinf, sinl is read: the
 * word double reads as this, unless it stands in `long double`. */
enum lex_form { FORM_DOUBLE, FORM_FLOAT, FORM_LONG };

struct lexer {
    const char *name, *end;
    const char *at, *line_start; /* behind `token` */
    uint32_t line;
    enum lex_form form;
    bool after_long; /* the last word was `long` */
    struct token token;
    struct error *err;
};

void lex_init(struct lexer *lexer, const char *name, const char *text, size_t size);
void lex_next(struct lexer *lexer);

/* Is it this word or mark? */
bool token_is(const struct token *token, const char *text);
/* If the next token is it, takes it. */
bool lex_accept(struct lexer *lexer, const char *text);
/* Takes it; anything else is an error. */
void lex_expect(struct lexer *lexer, const char *text);

/* Sets the error, unless there is one already. */
void lex_error(struct lexer *lexer, const struct token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "WANTED is missing before TOKEN". */
void lex_unexpected(struct lexer *lexer, const char *wanted);

#endif
