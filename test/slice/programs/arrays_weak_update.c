/* Writing one element leaves the others: the writes before it are still needed. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int levels[5];
    for (int i = 0; i < 5; i++)              /* keep */
        levels[i] = argc * 3 + i;            /* keep */
    int high = argc + 2;                     /* keep */
    levels[high % 5] = argc + 70;            /* keep */
    int single = argc + 1;                   /* drop */
    single = argc + 2;                       /* keep */
    int total = argc;                        /* keep */
    for (int i = 0; i < 5; i++)              /* keep */
        total = total + levels[i] * single;  /* keep */
    printf("slice: %d\n", total);            /* slice: total */
    return 0;
}
