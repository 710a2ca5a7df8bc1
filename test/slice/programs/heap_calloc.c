/* Counters from calloc begin at zero: both the allocation and the later counting matter. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *counts = calloc(4, sizeof *counts);  /* keep */
    int *spares = calloc(4, sizeof *spares);  /* drop */
    int rounds = argc + 9;                    /* keep */
    for (int i = 0; i < rounds; i++) {        /* keep */
        int slot = i % 3;                     /* keep */
        counts[slot] = counts[slot] + 1;      /* keep */
        spares[slot] = spares[slot] + 2;      /* drop */
    }
    int from = (argc + 1) % 4;                /* keep */
    int x = counts[from];                     /* keep */
    int y = spares[from];                     /* drop */
    free(spares);                             /* drop */
    printf("%d\n", y);                        /* drop */
    printf("slice: %d\n", x);                 /* slice: x */
    free(counts);                             /* drop */
    return 0;
}
