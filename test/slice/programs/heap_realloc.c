/* What was written before realloc is still there after it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *values = malloc(2 * sizeof *values);         /* keep */
    int *others = malloc(2 * sizeof *others);         /* drop */
    values[0] = argc + 5;                             /* keep */
    values[1] = argc + 6;                             /* keep */
    others[0] = argc + 7;                             /* drop */
    others[1] = argc + 8;                             /* drop */
    int *grown = realloc(values, 4 * sizeof *grown);  /* keep */
    grown[2] = argc + 9;                              /* keep */
    grown[3] = argc + 10;                             /* keep */
    int from = (argc + 3) % 4;                        /* keep */
    int x = grown[from];                              /* keep */
    int y = others[argc % 2];                         /* drop */
    printf("%d\n", y);                                /* drop */
    printf("slice: %d\n", x);                         /* slice: x */
    return 0;
}
