/* What runs when the program ends leaves nothing for what ran before. */
#include <stdio.h>
#include <stdlib.h>

static int total, other;

static void report(void) {
    total = 100;                                           /* drop */
    other = 200;                                           /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    atexit(report);                                        /* drop */
    total = argc * 3;                                      /* keep */
    other += argc;                                         /* drop */
    printf("slice: %d\n", total);                          /* slice: total */
    return other != argc;
}
