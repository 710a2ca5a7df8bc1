/*
 * Statements of sources: extents, what is whole, what uses what; and which of them control can
 * pass.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/io.h"
#include "slice/completes.h"
#include "syntax/tree.h"

static struct syntax_tree *parse(const char *text) {
    char *directory CLEANUP_FREE = NULL;
    assert_null(io_make_temp_dir(&directory));
    char *path CLEANUP_FREE = mem_printf("%s/a.c", directory);
    assert_null(io_write_file(path, text, strlen(text)));
    struct syntax_tree *tree = NULL;
    struct error *err = syntax_parse(&(struct syntax_request){.path = path}, &tree);
    io_remove_tree(directory);
    assert_null(err);
    return tree;
}

/* The statement where a text begins for the first time, and all of its own text. */
static const struct statement *find(const struct syntax_tree *tree, const char *text) {
    const char *at = strstr(tree->text, text);
    assert_non_null(at);
    uint32_t id = syntax_find(tree, (uint32_t)(at - tree->text));
    assert_int_not_equal(id, NO_STATEMENT);
    return &tree->statements.data[id];
}

static void check_extent(const struct syntax_tree *tree, const char *text, int kind) {
    const struct statement *statement = find(tree, text);
    assert_int_equal(statement->kind, kind);
    assert_int_equal(statement->end - statement->begin, strlen(text));
    assert_memory_equal(tree->text + statement->begin, text, strlen(text));
}

static void extents(void **state) {
    (void)state;
    struct syntax_tree *tree = parse("int g(int);\n"
                                     "static int f(int n) {\n"
                                     "    int r = 0;\n"
                                     "    if (n > 1) { r++; } else g(n);\n"
                                     "    do r--; while (r > 3);\n"
                                     "    switch (n) { case 3: break; default: goto end; }\n"
                                     "end:\n"
                                     "    return r;\n"
                                     "}\n");
    check_extent(tree, "int r = 0;", STATEMENT_DECLARATION);
    check_extent(tree, "if (n > 1) { r++; } else g(n)", STATEMENT_IF);
    check_extent(tree, "r++", STATEMENT_SIMPLE);
    check_extent(tree, "g(n)", STATEMENT_SIMPLE);
    check_extent(tree, "do r--; while (r > 3)", STATEMENT_DO);
    check_extent(tree, "case 3: break", STATEMENT_LABEL);
    check_extent(tree, "goto end", STATEMENT_GOTO);
    check_extent(tree, "return r", STATEMENT_RETURN);
    assert_true(find(tree, "case 3")->is_case);
    assert_false(find(tree, "case 3")->is_default);
    assert_true(find(tree, "default")->is_default);
    assert_int_equal(tree->text[find(tree, "g(n)")->semicolon], ';');
    assert_int_equal(syntax_offset(tree, 3, 5), strstr(tree->text, "int r") - tree->text);
    assert_int_equal(syntax_offset(tree, 3, 500), tree->size);
    assert_int_equal(syntax_find(tree, 0), NO_STATEMENT);
    syntax_free(tree);
}

static bool uses(const struct syntax_tree *tree, const struct statement *user,
                 const struct statement *used, const char *function) {
    for (size_t i = 0; i < tree->uses.count; i++) {
        const struct syntax_use *use = &tree->uses.data[i];
        if (use->statement != NO_STATEMENT && &tree->statements.data[use->statement] == user &&
            (function ? use->function && strcmp(use->function, function) == 0
                      : !use->function && &tree->statements.data[use->used] == used))
            return true;
    }
    return false;
}

static void what_is_used(void **state) {
    (void)state;
    struct syntax_tree *tree = parse("int g(int);\n"
                                     "int (*table[])(int) = {g};\n"
                                     "int f(int n) {\n"
                                     "    int a, b;\n"
                                     "    int c;\n"
                                     "    a = n;\n"
                                     "    if (n > 2) goto out;\n"
                                     "    c = g(a);\n"
                                     "out:\n"
                                     "    return sizeof(c);\n"
                                     "}\n");
    assert_true(uses(tree, find(tree, "a = n"), find(tree, "int a"), NULL));
    assert_false(uses(tree, find(tree, "a = n"), find(tree, "int c"), NULL));
    assert_true(uses(tree, find(tree, "goto out"), find(tree, "out:"), NULL));
    assert_true(uses(tree, find(tree, "c = g"), NULL, "g"));
    assert_true(uses(tree, find(tree, "return"), find(tree, "int c"), NULL));
    syntax_free(tree);
}

static void wholes(void **state) {
    (void)state;
    struct syntax_tree *tree = parse("#define CHECK(x) if (!(x)) return -1\n"
                                     "#define EACH(i, n) for (int i = 0; i < n; i++)\n"
                                     "#define MAKE(name) int name(void) { return 1; }\n"
                                     "MAKE(made)\n"
                                     "int f(int n) {\n"
                                     "    CHECK(n > 3);\n"
                                     "    EACH(i, n) { n--; }\n"
                                     "    return n;\n"
                                     "}\n"
                                     "int computed(int n) {\n"
                                     "    void *to[] = {&&a, &&b};\n"
                                     "    goto *to[n];\n"
                                     "a:  n++;\n"
                                     "b:  return n;\n"
                                     "}\n");
    check_extent(tree, "CHECK(n > 3)", STATEMENT_IF);
    check_extent(tree, "EACH(i, n) { n--; }", STATEMENT_LOOP);
    check_extent(tree, "n--", STATEMENT_SIMPLE);
    assert_int_equal(find(tree, "goto *to")->kind, STATEMENT_FUNCTION);
    for (size_t i = 0; i < tree->functions.count; i++)
        if (strcmp(tree->functions.data[i].name, "made") == 0)
            assert_false(tree->functions.data[i].has_body);
    syntax_free(tree);
}

static void check_completes(const struct syntax_tree *tree, const char *text, bool wanted) {
    size_t count = tree->statements.count;
    bool *branches CLEANUP_FREE = mem_zalloc(count + 1, sizeof *branches);
    bool *ends CLEANUP_FREE = mem_zalloc(count + 1, sizeof *ends);
    for (uint32_t i = 0; i < count; i++)
        branches[i] = strncmp(tree->text + tree->statements.data[i].begin, "for (;;)", 8) != 0;
    struct completes_facts facts = {branches, ends};
    uint32_t id = (uint32_t)(find(tree, text) - tree->statements.data);
    assert_int_equal(completes(tree, &facts, id), wanted);
}

static void passing(void **state) {
    (void)state;
    struct syntax_tree *tree = parse("int f(int n) {\n"
                                     "    if (n == 1) return 1;\n"
                                     "    if (n == 2) return 2; else return 3;\n"
                                     "    while (n == 3) return 4;\n"
                                     "    for (;;) { if (n == 4) break; }\n"
                                     "    for (;;) { if (n == 5) return 5; }\n"
                                     "    switch (n + 6) { case 1: break; default: return 6; }\n"
                                     "    switch (n + 7) { case 1: return 6; default: return 7; }\n"
                                     "    switch (n + 8) { case 1: return 6; }\n"
                                     "    do { return 1; } while (n == 9);\n"
                                     "    { n++; return 10; }\n"
                                     "    return 0;\n"
                                     "}\n");
    check_completes(tree, "if (n == 1)", true);
    check_completes(tree, "if (n == 2)", false);
    check_completes(tree, "while (n == 3)", true);
    check_completes(tree, "for (;;) { if (n == 4)", true);
    check_completes(tree, "for (;;) { if (n == 5)", false);
    check_completes(tree, "switch (n + 6)", true);
    check_completes(tree, "switch (n + 7)", false);
    check_completes(tree, "switch (n + 8)", true);
    check_completes(tree, "do { return", false);
    check_completes(tree, "{ n++; return 10", false);
    syntax_free(tree);
}

static void what_is_no_c(void **state) {
    (void)state;
    struct syntax_tree *tree = NULL;
    struct error *err = syntax_parse(&(struct syntax_request){.path = "/nowhere/a.c"}, &tree);
    assert_non_null(err);
    assert_null(tree);
    error_free(err);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents), cmocka_unit_test(what_is_used), cmocka_unit_test(wholes),
        cmocka_unit_test(passing), cmocka_unit_test(what_is_no_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
