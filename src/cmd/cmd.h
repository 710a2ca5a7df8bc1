/*
 * What every subcommand of `recut` shares.
 *
 * A subcommand is a function like main(): argv[0] is its own name and argv[1]
 * the first argument behind it.  It reads its options with getopt_long(),
 * returns an exit code of enum error_code (0 is success), and is the only kind
 * of code that prints.  To add one, list it in commands.def and write
 * src/cmd/NAME.c:
 *
 *     static const char help[] = "usage: recut NAME [OPTION]... PROG\n...";
 *
 *     int cmd_NAME(int argc, char **argv) {
 *         static const struct option options[] = {
 *             {"json", no_argument, NULL, 'j'},
 *             CMD_OPTION_HELP,
 *             {0},
 *         };
 *         int option;
 *         while ((option = getopt_long(argc, argv, CMD_SHORT_HELP, options, NULL)) != -1)
 *             switch (option) {
 *             case 'j': ...; break;
 *             case 'h': return cmd_help(help);
 *             default: return cmd_bad_option(argv);
 *             }
 *         ...
 *         struct error *err = ...;
 *         return err ? cmd_fail(argv[0], err) : 0;
 *     }
 *
 * The main function has set opterr to 0 and optind to 1.  Short options begin
 * with ':' (CMD_SHORT_HELP does), so that a missing argument can be told from
 * an unknown option; with '+' in front of it, options end at the first operand,
 * as commands that run a program want.
 */
#ifndef RECUT_CMD_CMD_H
#define RECUT_CMD_CMD_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct command {
    const char *name;
    const char *summary; /* one line, no full stop */
    int (*run)(int argc, char **argv);
};

/* Commands that look into programs need LLVM, which takes long to load.  They
 * are in recut-program only, which has everything; `recut` itself has the others
 * and becomes that for the rest.  Hence weak: not all are in both. */
#define COMMAND(name, summary) int cmd_##name(int argc, char **argv) __attribute__((weak));
#include "cmd/commands.def"
#undef COMMAND

#define CMD_OPTION_HELP {"help", no_argument, NULL, 'h'}
#define CMD_SHORT_HELP ":h"

/* Prints `recut CMD: message`, frees the error, returns its exit code. */
int cmd_fail(const char *command, struct error *err);

/* The same for a command line that makes no sense; adds where help is. */
int cmd_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What to return when getopt_long() returned '?' or ':'. */
int cmd_bad_option(char **argv);

/* Prints the help text on stdout; returns 0, or 1 if stdout cannot be written. */
int cmd_help(const char *text);

/* Is it a number of things, in decimal? */
bool cmd_is_count(const char *text);

/* Flushes stdout; the exit code that goes with the result. */
int cmd_finish(const char *command);

/*
 * Colours: an escape sequence when `stream` is a terminal that wants colours
 * and NO_COLOR is not set, else "".
 *
 *     printf("%s%s%s\n", cmd_colour(stdout, COLOUR_BOLD), name, cmd_colour(stdout, COLOUR_OFF));
 */
enum colour { COLOUR_OFF, COLOUR_BOLD, COLOUR_DIM, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW };
const char *cmd_colour(FILE *stream, enum colour colour);

/* Says on a terminal what is being done; the next call replaces it, NULL ends
 * it. In a pipe nothing is said. */
void cmd_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
