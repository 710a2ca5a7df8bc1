/*
 * Places in the text of a source: lines, tokens, directives, and expansions of macros.
 *
 * clang_tokenize() reads the text without preprocessing it, so that it also sees what #if
 * leaves out.
 */
#include <stdlib.h>
#include <string.h>

#include "syntax/parse.h"

bool parse_place(const struct parser *parser, CXSourceLocation location, uint32_t *ret) {
    CXFile file;
    unsigned offset;
    clang_getFileLocation(location, &file, NULL, NULL, &offset);
    if (!file || !clang_File_isEqual(file, parser->file))
        return false;
    *ret = offset;
    return true;
}

bool parse_extent(const struct parser *parser, CXCursor cursor, struct syntax_extent *ret) {
    CXSourceRange range = clang_getCursorExtent(cursor);
    struct syntax_extent extent;
    if (!parse_place(parser, clang_getRangeStart(range), &extent.begin) ||
        !parse_place(parser, clang_getRangeEnd(range), &extent.end) || extent.end < extent.begin)
        return false;
    *ret = extent;
    return true;
}

size_t parse_token_at(const struct parser *parser, uint32_t offset) {
    size_t low = 0, high = parser->tokens.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (parser->tokens.data[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool parse_in_macro(const struct parser *parser, uint32_t offset) {
    size_t low = 0, high = parser->macros.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (parser->macros.data[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && offset < parser->macros.data[low - 1].end;
}

static void find_lines(struct syntax_tree *tree) {
    VEC_PUSH(&tree->lines, 0);
    for (uint32_t i = 0; i < tree->size; i++)
        if (tree->text[i] == '\n')
            VEC_PUSH(&tree->lines, i + 1);
}

static bool begins_line(const struct syntax_tree *tree, uint32_t offset) {
    while (offset > 0 && (tree->text[offset - 1] == ' ' || tree->text[offset - 1] == '\t'))
        offset--;
    return offset == 0 || tree->text[offset - 1] == '\n';
}

/* Where the line ends that begins here, with those that a backslash adds to it. */
static uint32_t end_of_line(const struct syntax_tree *tree, uint32_t offset) {
    while (offset < tree->size &&
           (tree->text[offset] != '\n' || tree->text[offset - 1] == '\\' ||
            (offset > 1 && tree->text[offset - 1] == '\r' && tree->text[offset - 2] == '\\')))
        offset++;
    return offset;
}

static bool is_word(const struct syntax_tree *tree, uint32_t at, const char *word) {
    size_t length = strlen(word);
    return at + length <= tree->size && strncmp(tree->text + at, word, length) == 0;
}

/* A directive whose `#` is at `begin`; `name` is the token behind that. */
static void add_directive(struct parser *parser, uint32_t begin, uint32_t end, uint32_t name) {
    struct syntax_tree *tree = parser->tree;
    bool includes = is_word(tree, name, "include") || is_word(tree, name, "import");
    if (includes || is_word(tree, name, "pragma"))
        VEC_PUSH(&parser->holds, begin);
    if (is_word(tree, name, "line") || (tree->text[name] >= '0' && tree->text[name] <= '9'))
        tree->has_line_directives = true;
    if (!includes)
        VEC_PUSH(&tree->conditionals, (struct syntax_extent){begin, end});
}

void parse_tokens(struct parser *parser) {
    struct syntax_tree *tree = parser->tree;
    find_lines(tree);
    CXSourceRange all =
        clang_getRange(clang_getLocationForOffset(parser->unit, parser->file, 0),
                       clang_getLocationForOffset(parser->unit, parser->file, tree->size));
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(parser->unit, all, &tokens, &count);
    uint32_t directive = 0, line_end = 0, name = 0; /* of the directive that is being read */
    for (unsigned i = 0; i < count; i++) {
        CXSourceRange range = clang_getTokenExtent(parser->unit, tokens[i]);
        unsigned begin, end;
        clang_getSpellingLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
        clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
        bool is_comment = clang_getTokenKind(tokens[i]) == CXToken_Comment;
        if (begin >= line_end && !is_comment && tree->text[begin] == '#' &&
            begins_line(tree, begin)) {
            directive = begin;
            line_end = end_of_line(tree, begin);
            name = tree->size;
        } else if (begin < line_end && name == tree->size && !is_comment) {
            name = begin;
        }
        bool is_directive = begin < line_end;
        /* A comment that begins there may end on another line. */
        if (is_directive && end > line_end)
            line_end = end;
        if (is_directive && name != tree->size) {
            bool is_last = i + 1 == count;
            unsigned next = tree->size;
            if (!is_last)
                clang_getSpellingLocation(clang_getTokenLocation(parser->unit, tokens[i + 1]), NULL,
                                          NULL, NULL, &next);
            if (next >= line_end)
                add_directive(parser, directive, line_end, name);
        }
        if (!is_comment)
            VEC_PUSH(&parser->tokens, (struct token){begin, end, is_directive});
        else if (!is_directive)
            VEC_PUSH(&tree->comments, (struct syntax_extent){begin, end});
    }
    clang_disposeTokens(parser->unit, tokens, count);
}
