/*
 * Statements of a source file: places and what is there; tree.h.
 */
#include "syntax/tree.h"

#include <stdlib.h>

void syntax_free(struct syntax_tree *tree) {
    if (!tree)
        return;
    for (size_t i = 0; i < tree->names.count; i++)
        free(tree->names.data[i]);
    for (size_t i = 0; i < tree->included.count; i++)
        free(tree->included.data[i]);
    VEC_DEINIT(&tree->statements);
    VEC_DEINIT(&tree->functions);
    VEC_DEINIT(&tree->here);
    VEC_DEINIT(&tree->uses);
    VEC_DEINIT(&tree->lines);
    VEC_DEINIT(&tree->conditionals);
    VEC_DEINIT(&tree->comments);
    VEC_DEINIT(&tree->included);
    VEC_DEINIT(&tree->names);
    free(tree->path);
    free(tree->text);
    free(tree);
}

uint32_t syntax_offset(const struct syntax_tree *tree, uint32_t line, uint32_t column) {
    if (!line || line > tree->lines.count)
        return tree->size;
    uint32_t begin = tree->lines.data[line - 1];
    uint32_t end = line < tree->lines.count ? tree->lines.data[line] : tree->size;
    uint32_t offset = begin + (column ? column - 1 : 0);
    return offset < end ? offset : tree->size;
}

uint32_t syntax_function_at(const struct syntax_tree *tree, uint32_t offset) {
    size_t low = 0, high = tree->here.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct syntax_function *function = &tree->functions.data[tree->here.data[middle]];
        if (tree->statements.data[function->statement].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NO_STATEMENT;
    uint32_t function = tree->here.data[low - 1];
    bool is_there = offset < tree->statements.data[tree->functions.data[function].statement].end;
    return is_there ? function : NO_STATEMENT;
}

uint32_t syntax_find(const struct syntax_tree *tree, uint32_t offset) {
    uint32_t function = syntax_function_at(tree, offset);
    uint32_t found =
        function == NO_STATEMENT ? NO_STATEMENT : tree->functions.data[function].statement;
    for (uint32_t child = found; child != NO_STATEMENT;) {
        const struct statement *at = &tree->statements.data[child];
        bool is_there = at->unit == child && at->begin <= offset && offset < at->end;
        if (is_there)
            found = child;
        child = is_there ? at->first_child : at->next;
    }
    return found;
}

void syntax_make_whole(struct syntax_tree *tree, uint32_t function) {
    uint32_t first = tree->functions.data[function].statement;
    uint32_t end = function + 1 < tree->functions.count
                       ? tree->functions.data[function + 1].statement
                       : (uint32_t)tree->statements.count;
    for (uint32_t i = first; i < end; i++)
        tree->statements.data[i].unit = first;
    tree->statements.data[first].first_child = NO_STATEMENT;
    tree->statements.data[first].last_child = NO_STATEMENT;
}
