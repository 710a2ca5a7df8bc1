/*
 * A C source file as its statements.
 *
 *     struct syntax_tree *tree;
 *     struct error *err = syntax_parse(&(struct syntax_request){.path = "a.c"}, &tree);
 *     uint32_t s = syntax_find(tree, line, column);     innermost statement there
 *
 * Statements have dense ids; parents come before their children.  Extents are byte offsets
 * into the text, without the `;` behind an expression or a jump.  Text between the children of
 * a statement is its own: the condition of an `if`, all of `for (...)`, braces.
 *
 *     function ── compound ─┬─ declaration
 *                           ├─ if ─┬─ simple
 *                           │      └─ compound ── jump
 *                           └─ return
 *
 * What macros are made of cannot be cut: a statement whose parts come from one expansion is a
 * whole one.  Its parts are there, for who asks what jumps are in it, but `unit` says whose
 * text they share.  The same holds of functions in files that the source includes, which are
 * whole and have no extent.
 *
 * No type of libclang appears here; parse*.c builds it.
 */
#ifndef RECUT_SYNTAX_TREE_H
#define RECUT_SYNTAX_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

#define NO_STATEMENT UINT32_MAX

enum statement_kind {
    STATEMENT_FUNCTION, /* a definition; its child is the body */
    STATEMENT_COMPOUND,
    STATEMENT_SIMPLE,      /* an expression, assembly, nothing */
    STATEMENT_DECLARATION, /* of variables alone */
    STATEMENT_TYPES,       /* a declaration of anything else, too */
    STATEMENT_IF,          /* children: then, else */
    STATEMENT_LOOP,        /* for, while */
    STATEMENT_DO,
    STATEMENT_SWITCH,
    STATEMENT_LABEL, /* also case and default */
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_GOTO,
    STATEMENT_RETURN,
};

struct statement {
    uint8_t kind;    /* enum statement_kind */
    bool has_jump;   /* simple: a jump is inside, in a statement expression */
    bool has_value;  /* return: an expression; it is from `value` to the end */
    bool is_scalar;  /* return: it is computed, and 0 would do as well for the compiler */
    bool is_case;    /* label: of a switch */
    bool is_default; /* and the one that takes the rest */
    uint32_t parent; /* NO_STATEMENT of a function */
    uint32_t unit;   /* itself, or the whole one that it is inside of */
    uint32_t first_child, last_child, next; /* NO_STATEMENT: none */
    uint32_t begin, end;
    uint32_t semicolon; /* the `;` that follows; NO_STATEMENT: none, or it is in the extent */
    uint32_t value;
};

struct syntax_function {
    const char *name;
    uint32_t line;
    uint32_t statement; /* a STATEMENT_FUNCTION; it has a child if it can be cut */
    bool is_here;       /* defined in this file, and not in one that it includes */
    bool has_body;      /* the braces of its body are text of this file: from body to body_end */
    bool can_go;        /* nothing stands in front of it that would belong to the next one */
    uint32_t body, body_end;
};

/* If `statement` stays, what it uses does; NO_STATEMENT: text outside of functions. */
struct syntax_use {
    uint32_t statement;
    uint32_t used;        /* a declaration or a label in the same function */
    const char *function; /* or a function */
};

struct syntax_extent {
    uint32_t begin, end;
};

struct syntax_tree {
    char *path, *text;
    uint32_t size;
    bool has_line_directives; /* places in debug information are not those of the text */
    VEC(struct statement) statements;
    VEC(struct syntax_function) functions;
    VEC(uint32_t) here; /* functions that are, ascending by place */
    VEC(struct syntax_use) uses;
    VEC(uint32_t) lines;                    /* offsets */
    VEC(struct syntax_extent) conditionals; /* #if, #else, #define, ...: stay in any case */
    VEC(struct syntax_extent) comments;
    VEC(char *) included; /* paths of files, not of the system's */
    VEC(char *) names;
};

struct syntax_request {
    const char *path;
    const char *directory; /* that it was compiled in; NULL: here */
    const char *const *flags;
    int flag_count;
};

struct error *syntax_parse(const struct syntax_request *request, struct syntax_tree **ret);
void syntax_free(struct syntax_tree *tree);

/* The offset of a place, from 1 each; the size of the file if there is no such place. */
uint32_t syntax_offset(const struct syntax_tree *tree, uint32_t line, uint32_t column);

/* The function whose definition an offset is in; NO_STATEMENT: none. */
uint32_t syntax_function_at(const struct syntax_tree *tree, uint32_t offset);

/* The innermost statement that can be cut at an offset; NO_STATEMENT outside of functions. */
uint32_t syntax_find(const struct syntax_tree *tree, uint32_t offset);

/* Makes one piece of a function. */
void syntax_make_whole(struct syntax_tree *tree, uint32_t function);

#endif
