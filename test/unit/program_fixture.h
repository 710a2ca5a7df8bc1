/*
 * One small program, built by recut-cc with and without optimisation, for the
 * tests of the program model.
 */
#ifndef RECUT_TEST_PROGRAM_FIXTURE_H
#define RECUT_TEST_PROGRAM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/io.h"
#include "program/program.h"

static const char source[] = "#include <stdlib.h>\n"                                     /* 1 */
                             "#include <string.h>\n"                                     /* 2 */
                             "enum colour { RED, GREEN = 5, BLUE = -2 };\n"              /* 3 */
                             "typedef struct point { int x, y; } point;\n"               /* 4 */
                             "struct node {\n"                                           /* 5 */
                             "    struct node *next;\n"                                  /* 6 */
                             "    point where;\n"                                        /* 7 */
                             "    unsigned flags : 3, more : 5;\n"                       /* 8 */
                             "    char name[12];\n"                                      /* 9 */
                             "    enum colour colour;\n"                                 /* 10 */
                             "};\n"                                                      /* 11 */
                             "static struct node *head;\n"                               /* 12 */
                             "int counter = 3;\n"                                        /* 13 */
                             "static const char *const names[] = {\"one\", \"two\"};\n"  /* 14 */
                             "static __thread long calls = 7;\n"                         /* 15 */
                             "static volatile int flag;\n"                               /* 16 */
                             "__attribute__((noinline))\n"                               /* 17 */
                             "static struct node *push(const char *name, int x) {\n"     /* 18 */
                             "    struct node *n = malloc(sizeof *n);\n"                 /* 19 */
                             "    calls++;\n"                                            /* 20 */
                             "    n->where.y = x;\n"                                     /* 21 */
                             "    strncpy(n->name, name, sizeof n->name);\n"             /* 22 */
                             "    n->next = head;\n"                                     /* 23 */
                             "    return head = n;\n"                                    /* 24 */
                             "}\n"                                                       /* 25 */
                             "__attribute__((noinline))\n"                               /* 26 */
                             "static void fill(int *table, int n) {\n"                   /* 27 */
                             "    for (int i = 0; i < n; i++)\n"                         /* 28 */
                             "        table[i] = i * n;\n"                               /* 29 */
                             "}\n"                                                       /* 30 */
                             "static inline int twice(int v) { return 2 * v; }\n"        /* 31 */
                             "int (*const operations[])(int) = {twice, abs};\n"          /* 32 */
                             "__attribute__((noinline))\n"                               /* 33 */
                             "int total(int limit) {\n"                                  /* 34 */
                             "    int table[8];\n"                                       /* 35 */
                             "    fill(table, 8);\n"                                     /* 36 */
                             "    if (limit > 7)\n"                                      /* 37 */
                             "        abort();\n"                                        /* 38 */
                             "    return table[limit] + operations[limit & 1](limit);\n" /* 39 */
                             "}\n"                                                       /* 40 */
                             "int main(int argc, char **argv) {\n"                       /* 41 */
                             "    (void)argv;\n"                                         /* 42 */
                             "    push(names[argc & 1], argc);\n"                        /* 43 */
                             "    __atomic_fetch_add(&counter, 2, __ATOMIC_SEQ_CST);\n"  /* 44 */
                             "    flag = twice(argc);\n"                                 /* 45 */
                             "    switch (argc) {\n"                                     /* 46 */
                             "    case 1: return total(argc);\n"                         /* 47 */
                             "    case 5: return total(2);\n"                            /* 48 */
                             "    default: return (int)calls;\n"                         /* 49 */
                             "    }\n"                                                   /* 50 */
                             "}\n";                                                      /* 51 */

/* One build of the source. */
struct build {
    const char *level;
    char *directory, *path;
    struct program *program;
};

static char *compiler(void) {
    const char *given = getenv("RECUT_CC");
    return mem_strdup(given ? given : "build/bin/recut-cc");
}

static void run(char *const argv[]) {
    struct io_child child;
    struct error *err = io_run(argv, true, &child);
    assert_null(err);
    if (child.exit_code)
        print_error("%s: exit %d\n%s", argv[0], child.exit_code, child.err);
    assert_int_equal(child.exit_code, 0);
    io_child_deinit(&child);
}

static struct build build_at(const char *level) {
    struct build build = {.level = level};
    assert_null(io_make_temp_dir(&build.directory));
    char *c CLEANUP_FREE = mem_printf("%s/list.c", build.directory);
    char *cc CLEANUP_FREE = compiler();
    build.path = mem_printf("%s/list", build.directory);
    assert_null(io_write_file(c, source, sizeof source - 1));
    run((char *const[]){cc, (char *)"-g", (char *)level, c, (char *)"-o", build.path, NULL});
    assert_null(program_open(build.path, &build.program));
    return build;
}

static struct build builds[2];
#define FOR_EACH_BUILD(build)                                                                      \
    for (struct build *build = builds; build < builds + sizeof builds / sizeof *builds; build++)

static int set_up(void **state) {
    (void)state;
    builds[0] = build_at("-O0");
    builds[1] = build_at("-O2");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        program_free(build->program);
        io_remove_tree(build->directory);
        free(build->directory);
        free(build->path);
    }
    return 0;
}

#endif
