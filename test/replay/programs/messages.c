/* Messages that libc makes up: err.h, error.h, perror, psignal. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name(void) { fprintf(stderr, "<%u> ", error_message_count); }

static void pass_on(void (*function)(const char *, va_list), const char *format, ...) {
    va_list args;
    va_start(args, format);
    function(format, args);
    va_end(args);
}

int main(int argc, char **argv) {
    int which = argc > 1 ? atoi(argv[1]) : 0;
    printf("begins %d", which);
    errno = ENOENT;
    warn("cannot open %s", "a file");
    warnx("number %d of %s", 3, "a list");
    warn(NULL);
    printf(" and ");
    errno = EACCES;
    pass_on(vwarn, "%s %5.2f", "listed", 2.5);
    pass_on(vwarnx, "%s", "listed");
    printf("errno stays %d\n", errno);
    error(0, 0, "plain %d", 1);
    printf("text that is flushed first");
    error(0, ENOTDIR, "with a number");
    error_at_line(0, EINVAL, "input.c", 12, "bad %s", "token");
    error_at_line(0, 0, NULL, 12, "no file");
    error_one_per_line = 1;
    for (int i = 0; i < 4; i++)
        error_at_line(0, 0, "input.c", 20 + i / 2, "round %d", i);
    error_print_progname = name;
    error(0, 0, "%m");
    error_print_progname = NULL;
    char *lengthy = malloc(3000);
    memset(lengthy, 'x', 2999);
    lengthy[2999] = 0;
    warnx("%s", lengthy);
    errno = EPERM;
    perror(lengthy);
    perror(NULL);
    psignal(SIGSEGV, "signal");
    psignal(SIGTERM, NULL);
    psignal(200, "unknown");
    printf("%u messages\n", error_message_count);
    switch (which) {
    case 1:
        err(3, "ends with %d", 3);
    case 2:
        errx(4, "ends");
    case 3:
        error(5, ERANGE, "ends");
    case 4:
        error_at_line(6, 0, "f", 1, "ends");
    }
    return 2;
}
