/* What every subcommand shares: errors, help, colours; see cmd.h. */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

int cmd_fail(const char *command, struct error *err) {
    fflush(stdout);
    fprintf(stderr, "%srecut %s:%s %s\n", cmd_colour(stderr, COLOUR_RED), command,
            cmd_colour(stderr, COLOUR_OFF), err->message);
    int code = err->code;
    error_free(err);
    return code;
}

int cmd_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *what CLEANUP_FREE = mem_vprintf(format, args);
    va_end(args);
    return cmd_fail(command, error_new(ERROR_USAGE, "%s; see recut %s --help", what, command));
}

int cmd_bad_option(char **argv) {
    /* A known long option leaves its value in optopt, so only where it stands
     * tells it from a letter: it has an argument too much, or is the last. */
    const char *given = argv[optind - 1];
    bool has_argument = strchr(given, '=') != NULL, is_last = argv[optind] == NULL;
    int length = (int)strcspn(given, "=");
    if (strncmp(given, "--", 2) != 0 || (optopt && !has_argument && !is_last))
        return cmd_usage(argv[0], "unknown option -%c", optopt);
    if (!optopt)
        return cmd_usage(argv[0], "unknown option %.*s", length, given);
    return has_argument ? cmd_usage(argv[0], "%.*s takes no argument", length, given)
                        : cmd_usage(argv[0], "%s needs an argument", given);
}

int cmd_help(const char *text) {
    fputs(text, stdout);
    return cmd_finish("help");
}

int cmd_finish(const char *command) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return cmd_fail(command, error_errno("cannot write the output"));
}

const char *cmd_colour(FILE *stream, enum colour colour) {
    static const char *const sequences[] = {
        [COLOUR_OFF] = "\033[0m",    [COLOUR_BOLD] = "\033[1m",   [COLOUR_DIM] = "\033[2m",
        [COLOUR_RED] = "\033[1;31m", [COLOUR_GREEN] = "\033[32m", [COLOUR_YELLOW] = "\033[33m",
    };
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if ((no_color && *no_color) || !isatty(fileno(stream)) || !terminal ||
        strcmp(terminal, "dumb") == 0)
        return "";
    return sequences[colour];
}

void cmd_progress(const char *format, ...) {
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (format) {
        va_list args;
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
    }
    fflush(stderr);
}

bool cmd_is_count(const char *text) { return *text && strspn(text, "0123456789") == strlen(text); }
