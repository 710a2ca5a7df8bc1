/*
 * What the files that read sources by libclang share.
 */
#ifndef RECUT_SYNTAX_PARSE_H
#define RECUT_SYNTAX_PARSE_H

#include <clang-c/Index.h>

#include "syntax/tree.h"

typedef VEC(CXCursor) cursor_list;

struct token {
    uint32_t begin, end;
    bool is_directive; /* part of one */
};

/* A statement uses what is declared at an offset. */
struct reference {
    uint32_t statement, offset;
};

struct parser {
    struct syntax_tree *tree;
    CXTranslationUnit unit;
    CXFile file;
    VEC(struct syntax_extent) macros; /* outermost expansions, ascending */
    VEC(struct token) tokens;         /* without comments */
    VEC(struct reference) references;
    VEC(uint32_t) holds; /* directives that hold a function together: offsets, ascending */
    bool has_addresses;  /* of labels, in the function that is being read */
    bool is_scalar;      /* its result */
};

/* tokens.c: lines, directives, tokens, and which file offset a place has; false if it is in
 * another file. */
void parse_tokens(struct parser *parser);
bool parse_place(const struct parser *parser, CXSourceLocation location, uint32_t *ret);
bool parse_extent(const struct parser *parser, CXCursor cursor, struct syntax_extent *ret);
/* The first token that does not begin before an offset; the number of tokens if there is none. */
size_t parse_token_at(const struct parser *parser, uint32_t offset);
/* Is an offset inside of a macro's expansion, behind its beginning? */
bool parse_in_macro(const struct parser *parser, uint32_t offset);

/* statements.c: a function's definition. */
void parse_function(struct parser *parser, CXCursor cursor);
/* Functions and locals that are named below a cursor. */
void parse_uses(struct parser *parser, CXCursor cursor, uint32_t statement);
void parse_children(CXCursor cursor, cursor_list *ret);

#endif
