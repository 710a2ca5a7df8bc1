/*
 * Reads a C source with libclang: syntax_parse() of tree.h.
 *
 * Cost: that of compiling it without generating code.
 */
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "syntax/parse.h"

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct parser *parser = data;
    struct syntax_extent extent;
    if (clang_getCursorKind(cursor) == CXCursor_MacroExpansion) {
        /* In the order of the text; expansions in arguments follow what they are in. */
        if (parse_extent(parser, cursor, &extent) &&
            (!parser->macros.count ||
             parser->macros.data[parser->macros.count - 1].end <= extent.begin))
            VEC_PUSH(&parser->macros, extent);
        return CXChildVisit_Continue;
    }
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        parse_uses(parser, cursor, NO_STATEMENT);
    if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor))
        parse_function(parser, cursor);
    return CXChildVisit_Continue;
}

static void add_included(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct syntax_tree *tree = data;
    CXString path = clang_File_tryGetRealPathName(file);
    const char *text = clang_getCString(path);
    /* The innermost #include decides whether it is the system's. */
    if (depth > 0 && text && *text && !clang_Location_isInSystemHeader(stack[0]))
        VEC_PUSH(&tree->included, mem_strdup(text));
    clang_disposeString(path);
}

/* Declarations and labels by what is at their place. */
static void resolve(struct parser *parser) {
    struct syntax_tree *tree = parser->tree;
    for (size_t i = 0; i < parser->references.count; i++) {
        struct reference *at = &parser->references.data[i];
        uint32_t used = syntax_find(tree, at->offset);
        if (used != NO_STATEMENT && tree->statements.data[at->statement].unit != used)
            VEC_PUSH(&tree->uses, (struct syntax_use){at->statement, used, NULL});
    }
}

static struct error *first_error(const struct parser *parser, const char *path) {
    unsigned count = clang_getNumDiagnostics(parser->unit);
    struct error *err = NULL;
    for (unsigned i = 0; i < count && !err; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(parser->unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString text = clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation);
            err = error_new(ERROR_FAILED,
                            "%s cannot be read as C: %s (flags that it is compiled with: --cflags)",
                            path, clang_getCString(text));
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return err;
}

static CXTranslationUnit translate(CXIndex index, const struct syntax_request *request) {
    VEC(const char *) flags = {0};
    for (int i = 0; i < request->flag_count; i++)
        VEC_PUSH(&flags, request->flags[i]);
    VEC_PUSH(&flags, "-xc");
    VEC_PUSH(&flags, "-w");
    char *directory CLEANUP_FREE = NULL;
    if (request->directory && *request->directory) {
        directory = mem_printf("-working-directory=%s", request->directory);
        VEC_PUSH(&flags, directory);
    }
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(
        index, request->path, flags.data, (int)flags.count, NULL, 0,
        CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &unit);
    VEC_DEINIT(&flags);
    return unit;
}

static struct error *read_unit(struct parser *parser, const char *path) {
    if (!parser->unit || !(parser->file = clang_getFile(parser->unit, path)))
        return error_new(ERROR_FAILED, "%s cannot be read as C", path);
    struct error *err = first_error(parser, path);
    if (err)
        return err;
    parse_tokens(parser);
    clang_visitChildren(clang_getTranslationUnitCursor(parser->unit), visit_top, parser);
    clang_getInclusions(parser->unit, add_included, parser->tree);
    resolve(parser);
    return NULL;
}

struct error *syntax_parse(const struct syntax_request *request, struct syntax_tree **ret) {
    struct syntax_tree *tree = mem_zalloc(1, sizeof *tree);
    size_t size;
    struct error *err = io_read_file(request->path, &tree->text, &size);
    if (!err && size >= NO_STATEMENT)
        err = error_new(ERROR_FAILED, "%s is too large", request->path);
    if (err) {
        syntax_free(tree);
        return err;
    }
    tree->size = (uint32_t)size;
    tree->path = mem_strdup(request->path);
    CXIndex index = clang_createIndex(0, 0);
    struct parser parser = {.tree = tree, .unit = translate(index, request)};
    err = read_unit(&parser, request->path);
    VEC_DEINIT(&parser.macros);
    VEC_DEINIT(&parser.tokens);
    VEC_DEINIT(&parser.references);
    VEC_DEINIT(&parser.holds);
    if (parser.unit)
        clang_disposeTranslationUnit(parser.unit);
    clang_disposeIndex(index);
    if (err)
        syntax_free(tree);
    else
        *ret = tree;
    return err;
}
