/*
 * recut: the main table of subcommands.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/run.h"

#ifndef RECUT_VERSION
#define RECUT_VERSION "0.1"
#endif

static const struct command commands[] = {
#define COMMAND(name, summary) {#name, summary, cmd_##name},
#include "cmd/commands.def"
#undef COMMAND
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static int explain(void) {
    const char *bold = cmd_colour(stdout, COLOUR_BOLD), *off = cmd_colour(stdout, COLOUR_OFF);
    printf("recut records a run of a C program, replays it exactly, and cuts the replay down\n"
           "until you see the cause.\n"
           "\n"
           "Build your program with %sCC=recut-cc%s first; nothing else of the build changes.\n"
           "Then:\n"
           "\n",
           bold, off);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].summary)
            printf("  %srecut %-10s%s %s\n", bold, commands[i].name, off, commands[i].summary);
    printf("\n"
           "`recut COMMAND --help` says more about each.\n"
           "`recut --version` prints the version.\n");
    return cmd_finish("help");
}

/* The number of letters to insert, delete, change or swap to make `b` of `a`. */
static size_t edit_distance(const char *a, const char *b) {
    enum { LONGEST = 24 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (d[i - 1][j - 1] + (a[i - 1] != b[j - 1]) < best)
                best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

static int unknown(const char *name) {
    const char *nearest = NULL;
    size_t least = strlen(name) < 4 ? 2 : 3;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        size_t distance = edit_distance(name, commands[i].name);
        if (commands[i].summary && distance < least) {
            least = distance;
            nearest = commands[i].name;
        }
    }
    if (nearest)
        fprintf(stderr, "recut: no command '%s'; did you mean '%s'?\n", name, nearest);
    else
        fprintf(stderr, "recut: no command '%s'; `recut --help` lists them\n", name);
    return ERROR_USAGE;
}

/* The same command in the executable that has all of them. */
static int become_whole(int argc, char **argv) {
    char *path CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("recut-program", &path);
    if (err)
        return cmd_fail(argv[0], err);
    char **all = mem_zalloc((size_t)argc + 2, sizeof *all);
    all[0] = path;
    memcpy(all + 1, argv, (size_t)argc * sizeof *all);
    execv(path, all);
    return cmd_fail(argv[0], error_errno("cannot run %s", path));
}

int main(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (strcmp(argv[1], "help") == 0 && argc == 2))
        return explain();
    if (strcmp(argv[1], "--version") == 0) {
        puts("recut " RECUT_VERSION);
        return cmd_finish("version");
    }
    char *help[] = {argc > 2 ? argv[2] : NULL, (char *)"--help", NULL};
    if (strcmp(argv[1], "help") == 0) {
        argv = help;
        argc = 2;
    } else {
        argv++;
        argc--;
    }
    opterr = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run ? commands[i].run(argc, argv) : become_whole(argc, argv);
    /* `recut ./server -p 8080` records. */
    char *program CLEANUP_FREE = strchr(argv[0], '/') ? run_find_program(argv[0]) : NULL;
    if (program) {
        char **all = mem_zalloc((size_t)argc + 2, sizeof *all);
        all[0] = (char *)"record";
        memcpy(all + 1, argv, (size_t)argc * sizeof *all);
        return cmd_record(argc + 1, all);
    }
    if (strchr(argv[0], '/'))
        return cmd_fail("record", error_new(ERROR_FAILED, "%s: no such program", argv[0]));
    return unknown(argv[0]);
}
