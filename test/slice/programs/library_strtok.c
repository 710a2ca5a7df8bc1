/* strtok remembers where it stopped: the second word depends on the first call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    int wanted = argc + 8;                                            /* keep */
    int extra = argc + 9;                                             /* drop */
    snprintf(text, sizeof text, "%d,%d,%d", argc + 7, wanted, argc);  /* keep */
    char *first = strtok(text, ",");                                  /* keep */
    char *second = strtok(NULL, ",");                                 /* keep */
    int x = argc;                                                     /* keep */
    if (second != NULL)                                               /* keep */
        x = atoi(second);                                             /* keep */
    extra = extra + 1;                                                /* drop */
    if (first != NULL)                                                /* drop */
        printf("%s %d\n", first, extra);                              /* drop */
    printf("slice: %d\n", x);                                         /* slice: x */
    return 0;
}
