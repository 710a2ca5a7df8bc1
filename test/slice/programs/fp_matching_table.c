/* Two tables of functions: only those of the table that is used for the result can be called there. */
#include <stdio.h>

static int grow(int value) {
    return value + 5;                                  /* keep */
}

static int shrink(int value) {
    return value - 5;                                  /* keep */
}

static int paint(int value) {
    return value * 11;                                 /* drop */
}

static int erase(int value) {
    return value / 11;                                 /* drop */
}

static int (*const sizes[2])(int) = {grow, shrink};    /* keep */
static int (*const colours[2])(int) = {paint, erase};  /* drop */

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 8;                                  /* keep */
    int x = sizes[argc % 2](a);                        /* keep */
    int y = colours[argc % 2](a);                      /* drop */
    printf("%d\n", y);                                 /* drop */
    printf("slice: %d\n", x);                          /* slice: x */
    return 0;
}
