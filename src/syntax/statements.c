/*
 * From a function's syntax tree to its statements; tree.h.
 *
 * A statement can be cut into its parts if each of them has text of its own: behind the
 * beginning of the whole, one behind the other, and none that begins or ends within the
 * expansion of a macro.
 */
#include <stdlib.h>
#include <string.h>

#include "syntax/parse.h"

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    cursor_list *list = data;
    VEC_PUSH(list, cursor);
    return CXChildVisit_Continue;
}

void parse_children(CXCursor cursor, cursor_list *ret) {
    clang_visitChildren(cursor, collect, ret);
}

/* Uses. */

struct use_visit {
    struct parser *parser;
    uint32_t statement;
};

static bool is_jump(enum CXCursorKind kind) {
    return kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt ||
           kind == CXCursor_GotoStmt || kind == CXCursor_IndirectGotoStmt ||
           kind == CXCursor_ReturnStmt;
}

static void add_function_use(struct parser *parser, uint32_t statement, CXCursor function) {
    CXString spelling = clang_getCursorSpelling(function);
    char *name = mem_strdup(clang_getCString(spelling));
    clang_disposeString(spelling);
    VEC_PUSH(&parser->tree->names, name);
    VEC_PUSH(&parser->tree->uses, (struct syntax_use){statement, NO_STATEMENT, name});
}

static enum CXChildVisitResult visit_use(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct use_visit *visit = data;
    struct parser *parser = visit->parser;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (visit->statement != NO_STATEMENT && is_jump(kind))
        parser->tree->statements.data[visit->statement].has_jump = true;
    if (kind == CXCursor_AddrLabelExpr || kind == CXCursor_IndirectGotoStmt)
        parser->has_addresses = true;
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_LabelRef)
        return CXChildVisit_Recurse;
    CXCursor named = clang_getCursorReferenced(cursor);
    uint32_t offset;
    if (clang_getCursorKind(named) == CXCursor_FunctionDecl)
        add_function_use(parser, visit->statement, named);
    else if (visit->statement != NO_STATEMENT &&
             (kind == CXCursor_LabelRef ||
              clang_getCursorKind(clang_getCursorSemanticParent(named)) == CXCursor_FunctionDecl) &&
             clang_getCursorKind(named) != CXCursor_ParmDecl &&
             parse_place(parser, clang_getCursorLocation(named), &offset))
        VEC_PUSH(&parser->references, (struct reference){visit->statement, offset});
    return CXChildVisit_Recurse;
}

void parse_uses(struct parser *parser, CXCursor cursor, uint32_t statement) {
    struct use_visit visit = {parser, statement};
    visit_use(cursor, cursor, &visit);
    clang_visitChildren(cursor, visit_use, &visit);
}

/* Statements. */

static enum statement_kind kind_of(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt:
        return STATEMENT_COMPOUND;
    case CXCursor_IfStmt:
        return STATEMENT_IF;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
        return STATEMENT_LOOP;
    case CXCursor_DoStmt:
        return STATEMENT_DO;
    case CXCursor_SwitchStmt:
        return STATEMENT_SWITCH;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return STATEMENT_LABEL;
    case CXCursor_BreakStmt:
        return STATEMENT_BREAK;
    case CXCursor_ContinueStmt:
        return STATEMENT_CONTINUE;
    case CXCursor_GotoStmt:
        return STATEMENT_GOTO;
    case CXCursor_ReturnStmt:
        return STATEMENT_RETURN;
    case CXCursor_DeclStmt:
        return STATEMENT_DECLARATION;
    default:
        return STATEMENT_SIMPLE;
    }
}

/* Which of the children are statements: from *first on, so many. */
static size_t find_parts(enum statement_kind kind, size_t children, size_t *first) {
    *first = children ? children - 1 : 0;
    switch (kind) {
    case STATEMENT_COMPOUND:
        *first = 0;
        return children;
    case STATEMENT_IF:
        *first = 1;
        return children > 1 ? children - 1 : 0;
    case STATEMENT_DO:
        *first = 0;
        return children ? 1 : 0;
    case STATEMENT_LOOP:
    case STATEMENT_SWITCH:
    case STATEMENT_LABEL:
        return children ? 1 : 0;
    default:
        return 0;
    }
}

static bool can_cut(const struct parser *parser, const struct statement *whole,
                    const cursor_list *children, size_t first, size_t count) {
    bool is_compound = whole->kind == STATEMENT_COMPOUND;
    uint32_t last = whole->begin;
    for (size_t i = first; i < first + count; i++) {
        struct syntax_extent part;
        if (!parse_extent(parser, children->data[i], &part) || part.begin <= whole->begin ||
            (is_compound ? part.end >= whole->end : part.end > whole->end) ||
            (!is_compound && part.begin < last) || parse_in_macro(parser, part.begin) ||
            parse_in_macro(parser, part.end))
            return false;
        last = part.end;
    }
    return true;
}

static uint32_t add(struct parser *parser, enum statement_kind kind, uint32_t parent,
                    uint32_t unit) {
    struct syntax_tree *tree = parser->tree;
    uint32_t id = (uint32_t)tree->statements.count;
    VEC_PUSH(&tree->statements, (struct statement){
                                    .kind = (uint8_t)kind,
                                    .parent = parent,
                                    .unit = unit == NO_STATEMENT ? id : unit,
                                    .first_child = NO_STATEMENT,
                                    .last_child = NO_STATEMENT,
                                    .next = NO_STATEMENT,
                                    .semicolon = NO_STATEMENT,
                                });
    if (parent == NO_STATEMENT)
        return id;
    struct statement *above = &tree->statements.data[parent];
    if (above->first_child == NO_STATEMENT)
        above->first_child = id;
    else
        tree->statements.data[above->last_child].next = id;
    above->last_child = id;
    return id;
}

/* Variables alone?  Types and functions that a block declares stay. */
static bool is_variables(const cursor_list *children) {
    for (size_t i = 0; i < children->count; i++)
        if (clang_getCursorKind(children->data[i]) != CXCursor_VarDecl ||
            clang_Cursor_getStorageClass(children->data[i]) == CX_SC_Extern)
            return false;
    return true;
}

static enum CXChildVisitResult visit_constant(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    bool *is_constant = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_name =
        kind == CXCursor_DeclRefExpr &&
        clang_getCursorKind(clang_getCursorReferenced(cursor)) != CXCursor_EnumConstantDecl;
    if (is_name || kind == CXCursor_CallExpr || kind == CXCursor_StmtExpr)
        *is_constant = false;
    return *is_constant ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* Does an expression need nothing?  Then it may stay wherever it is. */
static bool is_constant(CXCursor expression) {
    bool constant = true;
    visit_constant(expression, expression, &constant);
    if (constant)
        clang_visitChildren(expression, visit_constant, &constant);
    return constant;
}

static void fill_return(struct parser *parser, struct statement *statement,
                        const cursor_list *children) {
    struct syntax_extent value;
    statement->has_value = children->count > 0;
    statement->is_scalar =
        parser->is_scalar && children->count == 1 && !is_constant(children->data[0]) &&
        parse_extent(parser, children->data[0], &value) && value.begin > statement->begin &&
        value.end <= statement->end && !parse_in_macro(parser, value.begin);
    if (statement->is_scalar)
        statement->value = value.begin;
}

static void find_semicolon(const struct parser *parser, struct statement *statement) {
    size_t token = parse_token_at(parser, statement->end);
    const char *text = parser->tree->text;
    if (statement->end > statement->begin && token < parser->tokens.count &&
        text[parser->tokens.data[token].begin] == ';' && text[statement->end - 1] != ';' &&
        (text[statement->end - 1] != '}' || statement->kind == STATEMENT_SIMPLE))
        statement->semicolon = parser->tokens.data[token].begin;
}

static uint32_t build(struct parser *parser, CXCursor cursor, uint32_t parent, uint32_t unit) {
    enum statement_kind kind = kind_of(cursor);
    uint32_t id = add(parser, kind, parent, unit);
    struct statement statement = parser->tree->statements.data[id];
    struct syntax_extent extent = {0};
    if (parse_extent(parser, cursor, &extent)) {
        statement.begin = extent.begin;
        statement.end = extent.end;
    }
    cursor_list children = {0};
    parse_children(cursor, &children);
    size_t first, count = find_parts(kind, children.count, &first);
    if (kind == STATEMENT_DECLARATION && !is_variables(&children))
        statement.kind = STATEMENT_TYPES;
    if (kind == STATEMENT_RETURN)
        fill_return(parser, &statement, &children);
    statement.is_case =
        kind == STATEMENT_LABEL && clang_getCursorKind(cursor) != CXCursor_LabelStmt;
    statement.is_default = clang_getCursorKind(cursor) == CXCursor_DefaultStmt;
    find_semicolon(parser, &statement);
    parser->tree->statements.data[id] = statement;
    if (unit == NO_STATEMENT && !can_cut(parser, &statement, &children, first, count))
        unit = id;

    if (!count)
        parse_uses(parser, cursor, id);
    uint32_t before = NO_STATEMENT; /* a part whose text the next may share, in a compound */
    for (size_t i = 0; i < children.count; i++) {
        if (i < first || i >= first + count) {
            parse_uses(parser, children.data[i], id);
            continue;
        }
        bool shares = unit == NO_STATEMENT && before != NO_STATEMENT &&
                      parse_extent(parser, children.data[i], &extent) &&
                      extent.begin < parser->tree->statements.data[before].end;
        uint32_t part = build(parser, children.data[i], id, shares ? before : unit);
        if (shares && parser->tree->statements.data[before].end < extent.end)
            parser->tree->statements.data[before].end = extent.end;
        if (!shares)
            before = part;
    }
    VEC_DEINIT(&children);
    return id;
}

/* Functions. */

static bool is_scalar(CXType type) {
    type = clang_getCanonicalType(type);
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
           type.kind == CXType_Pointer || type.kind == CXType_Enum;
}

/* Could what stands in front of an offset belong to what follows? */
static bool stands_alone(const struct parser *parser, uint32_t offset) {
    size_t token = parse_token_at(parser, offset);
    if (token == 0)
        return true;
    const struct token *before = &parser->tokens.data[token - 1];
    char c = parser->tree->text[before->end - 1];
    return before->is_directive || c == ';' || c == '}';
}

/* What a #pragma says of the statement behind it must not become true of another; and what is
 * included has no text here. */
static bool is_held(const struct parser *parser, struct syntax_extent extent) {
    for (size_t i = 0; i < parser->holds.count; i++)
        if (extent.begin <= parser->holds.data[i] && parser->holds.data[i] < extent.end)
            return true;
    return false;
}

void parse_function(struct parser *parser, CXCursor cursor) {
    struct syntax_tree *tree = parser->tree;
    cursor_list children = {0};
    parse_children(cursor, &children);
    CXCursor body = children.count ? children.data[children.count - 1] : clang_getNullCursor();
    if (clang_getCursorKind(body) != CXCursor_CompoundStmt) {
        VEC_DEINIT(&children);
        return;
    }
    uint32_t id = add(parser, STATEMENT_FUNCTION, NO_STATEMENT, NO_STATEMENT);
    CXString name = clang_getCursorSpelling(cursor);
    struct syntax_function function = {.name = mem_strdup(clang_getCString(name)), .statement = id};
    clang_disposeString(name);
    VEC_PUSH(&tree->names, (char *)function.name);
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, &function.line, NULL, NULL);
    struct syntax_extent whole = {0}, inner = {0};
    function.is_here =
        clang_File_isEqual(file, parser->file) && parse_extent(parser, cursor, &whole);
    function.has_body = function.is_here && parse_extent(parser, body, &inner) &&
                        inner.begin > whole.begin && inner.end == whole.end &&
                        tree->text[inner.begin] == '{' && tree->text[inner.end - 1] == '}';
    function.can_go = function.has_body && stands_alone(parser, whole.begin);
    function.body = inner.begin;
    function.body_end = inner.end;
    tree->statements.data[id].begin = whole.begin;
    tree->statements.data[id].end = whole.end;
    parser->has_addresses = false;
    parser->is_scalar = is_scalar(clang_getCursorResultType(cursor));
    for (size_t i = 0; i + 1 < children.count; i++)
        parse_uses(parser, children.data[i], id);
    build(parser, body, id, function.has_body ? NO_STATEMENT : id);
    VEC_PUSH(&tree->functions, function);
    if (function.is_here)
        VEC_PUSH(&tree->here, (uint32_t)tree->functions.count - 1);
    if (!function.has_body || parser->has_addresses || tree->has_line_directives ||
        is_held(parser, inner))
        syntax_make_whole(tree, (uint32_t)tree->functions.count - 1);
    VEC_DEINIT(&children);
}
