/*
 * Cutting a text; source_text.h.
 *
 * What goes becomes blanks, line ends stay, and so do directives other than #include: what
 * #if leaves out is no statement, and an #endif may be in what goes.
 *
 *     if (a) {            if (a)                for (;;) {          for (;;)
 *         x = 1;               ;                    x = 1;              ;
 *     } else                                   }
 *         y = 2;          else y = 2;
 */
#include "slice/source_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cut {
    const struct statements *statements;
    const struct syntax_tree *tree;
    uint32_t number;
    char *text;
};

/* The first directive that ends behind an offset. */
static size_t find_directive(const struct syntax_tree *tree, uint32_t offset) {
    size_t low = 0, high = tree->conditionals.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tree->conditionals.data[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void blank(struct cut *cut, uint32_t begin, uint32_t end) {
    const struct syntax_tree *tree = cut->tree;
    size_t directive = find_directive(tree, begin);
    for (uint32_t i = begin; i < end; i++) {
        while (directive < tree->conditionals.count && tree->conditionals.data[directive].end <= i)
            directive++;
        if (directive < tree->conditionals.count && tree->conditionals.data[directive].begin <= i)
            continue;
        if (!isspace((unsigned char)cut->text[i]))
            cut->text[i] = ' ';
    }
}

static bool is_directive(const struct syntax_tree *tree, uint32_t offset) {
    size_t directive = find_directive(tree, offset);
    return directive < tree->conditionals.count &&
           tree->conditionals.data[directive].begin <= offset;
}

/* A statement goes; in a block without a trace, elsewhere a `;` takes its place. */
static void take_out(struct cut *cut, uint32_t id) {
    const struct statement *statement = &cut->tree->statements.data[id];
    bool in_block = cut->tree->statements.data[statement->parent].kind == STATEMENT_COMPOUND;
    /* Behind a macro that is a block stands a `;` by itself. */
    if (cut->text[statement->begin] == ';')
        return;
    blank(cut, statement->begin, statement->end);
    if (statement->semicolon != NO_STATEMENT) {
        if (in_block)
            blank(cut, statement->semicolon, statement->semicolon + 1);
    } else if (!in_block) {
        cut->text[statement->begin] = ';';
    }
}

/* `return VALUE` becomes `return 0`; in `return(x)` a blank has to stay between the two. */
static void write_return(struct cut *cut, const struct statement *statement) {
    uint32_t place = statement->value;
    blank(cut, statement->value, statement->end);
    if (isalnum((unsigned char)cut->text[place - 1]))
        place++;
    while (place + 1 < statement->end &&
           (is_directive(cut->tree, place) || isspace((unsigned char)cut->tree->text[place])))
        place++;
    cut->text[place] = '0';
}

static void write_statement(struct cut *cut, uint32_t id) {
    const struct statement *statement = &cut->tree->statements.data[id];
    if (statement->unit != id)
        return; /* with what it is part of */
    switch (statements_stay(cut->statements, cut->number, id)) {
    case STAY_NOT:
        take_out(cut, id);
        return;
    case STAY_JUMP:
        write_return(cut, statement);
        return;
    case STAY_ALL:
        for (uint32_t child = statement->first_child; child != NO_STATEMENT;
             child = cut->tree->statements.data[child].next)
            write_statement(cut, child);
    }
}

static void write_function(struct cut *cut, uint32_t number) {
    const struct syntax_function *function = &cut->tree->functions.data[number];
    const struct statement *statement = &cut->tree->statements.data[function->statement];
    if (!function->has_body)
        return;
    if (statements_stay(cut->statements, cut->number, function->statement) == STAY_ALL) {
        if (statement->first_child != NO_STATEMENT)
            write_statement(cut, statement->first_child);
    } else if (function->can_go && !statements_refer(cut->statements, cut->number, number)) {
        blank(cut, statement->begin, statement->end);
    } else {
        blank(cut, function->body + 1, function->body_end - 1);
    }
}

static bool is_blank(const char *text, uint32_t begin, uint32_t end) {
    while (begin < end && isspace((unsigned char)text[begin]))
        begin++;
    return begin == end;
}

/* Comments behind what is gone go, too. */
static void cut_comments(struct cut *cut) {
    for (size_t i = 0; i < cut->tree->comments.count; i++) {
        struct syntax_extent comment = cut->tree->comments.data[i];
        uint32_t line = comment.begin;
        while (line > 0 && cut->tree->text[line - 1] != '\n')
            line--;
        if (is_blank(cut->text, line, comment.begin) &&
            !is_blank(cut->tree->text, line, comment.begin))
            blank(cut, comment.begin, comment.end);
    }
}

/* No blanks at the ends of lines where something was. */
static void trim(struct cut *cut) {
    const char *old = cut->tree->text;
    size_t to = 0, line = 0;
    for (size_t i = 0; i <= cut->tree->size; i++) {
        if (i < cut->tree->size && cut->text[i] != '\n')
            continue;
        size_t end = i;
        while (memcmp(cut->text + line, old + line, i - line) != 0 && end > line &&
               isblank((unsigned char)cut->text[end - 1]))
            end--;
        memmove(cut->text + to, cut->text + line, end - line);
        to += end - line;
        cut->text[to++] = i < cut->tree->size ? '\n' : 0;
        line = i + 1;
    }
}

/* Lines with something on them besides comments. */
static size_t count_lines(const struct syntax_tree *tree, const char *text) {
    size_t count = 0, comment = 0;
    bool is_empty = true;
    for (uint32_t i = 0; i < tree->size; i++) {
        while (comment < tree->comments.count && tree->comments.data[comment].end <= i)
            comment++;
        bool is_comment = comment < tree->comments.count && tree->comments.data[comment].begin <= i;
        if (text[i] == '\n' || i + 1 == tree->size) {
            count += !is_empty;
            is_empty = true;
        } else if (!is_comment && !isspace((unsigned char)text[i])) {
            is_empty = false;
        }
    }
    return count;
}

char *source_cut(const struct statements *statements, struct syntax_tree *const *trees,
                 uint32_t tree, struct source_counts *counts) {
    struct cut cut = {statements, trees[tree], tree,
                      mem_strndup(trees[tree]->text, trees[tree]->size)};
    for (uint32_t f = 0; f < trees[tree]->functions.count; f++)
        write_function(&cut, f);
    cut_comments(&cut);
    counts->files++;
    counts->lines += count_lines(cut.tree, cut.tree->text);
    counts->kept += count_lines(cut.tree, cut.text);
    trim(&cut);
    return cut.text;
}
