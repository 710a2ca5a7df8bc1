/* The end of a function that returns nothing is no influence on who calls it. */
#include <stdio.h>

static int total, noise;

static void set(int x) {
    total = x;             /* keep */
    if (noise > 2) {       /* drop */
        noise = 0;         /* drop */
        return;            /* drop */
    }
    noise = x;             /* drop */
}                          /* drop */

int main(int argc, char **argv) {
    (void)argv;
    noise = argc;          /* drop */
    set(argc + 1);         /* keep */
    printf("slice: %d\n", total); /* slice: total */
    return noise;          /* drop */
}
