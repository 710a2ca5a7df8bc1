/* A goto jumps over an assignment: its condition matters; a goto over a print does not. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int x = argc + 1;          /* keep */
    int noise = argc + 2;      /* drop */
    int skip = argc * 3;       /* keep */
    if (noise > 4)             /* drop */
        goto quiet;            /* drop */
    printf("noise\n");         /* drop */
quiet:
    if (skip > 5)              /* keep */
        goto done;             /* keep */
    x = argc + 30;             /* keep */
done:
    x = x + argc;              /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
