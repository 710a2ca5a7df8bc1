/* A wrapper hands its arguments to vsnprintf: what is printed into the buffer comes from them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int written;

static void format(char *out, size_t room, const char *pattern, ...) {
    va_list rest;
    va_start(rest, pattern);                        /* keep */
    vsnprintf(out, room, pattern, rest);            /* keep */
    va_end(rest);
    written = written + 1;                          /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    int tens = argc + 3;                            /* keep */
    int ones = argc + 4;                            /* keep */
    int unused = argc + 5;                          /* drop */
    written = argc - 1;                             /* drop */
    format(text, sizeof text, "%d%d", tens, ones);  /* keep */
    unused = unused + written;                      /* drop */
    int x = atoi(text);                             /* keep */
    printf("%d\n", unused);                         /* drop */
    printf("slice: %d\n", x);                       /* slice: x */
    return 0;
}
