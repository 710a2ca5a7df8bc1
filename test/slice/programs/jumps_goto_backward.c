/* A loop made with a goto backward. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int i = argc;                  /* keep */
    int limit = argc + 6;          /* keep */
    int total = argc * 2;          /* keep */
    int rounds = argc - 1;         /* drop */
again:
    total = total + i;             /* keep */
    rounds = rounds + 1;           /* drop */
    i = i + 1;                     /* keep */
    if (i < limit)                 /* keep */
        goto again;                /* keep */
    rounds = rounds * 2;           /* drop */
    printf("%d\n", rounds);        /* drop */
    printf("slice: %d\n", total);  /* slice: total */
    return 0;
}
