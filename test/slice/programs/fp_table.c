/* A function is picked from a table by index: all functions of the table matter, others do not. */
#include <stdio.h>

static int twice(int value) {
    return value * 2;                                 /* keep */
}

static int square(int value) {
    return value * value;                             /* keep */
}

static int negate(int value) {
    return -value;                                    /* drop */
}

static int (*const table[2])(int) = {twice, square};  /* keep */

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 4;                                 /* keep */
    int pick = argc % 2;                              /* keep */
    int x = table[pick](a);                           /* keep */
    int y = negate(a);                                /* drop */
    printf("%d\n", y);                                /* drop */
    printf("slice: %d\n", x);                         /* slice: x */
    return 0;
}
