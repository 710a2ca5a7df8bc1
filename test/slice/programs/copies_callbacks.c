/* A function that is given another one: what it calls is up to who calls it. */
#include <stdio.h>

static int increase(int value) {
    return value + 1;                /* keep */
}

static int twice(int value) {
    return value * 2;                /* drop */
}

static int apply(int (*function)(int), int value) {
    return function(value);          /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted = argc + 1;           /* keep */
    int other = argc + 2;            /* drop */
    int x = apply(increase, wanted); /* keep */
    int y = apply(twice, other);     /* drop */
    printf("slice: %d\n", x);        /* slice: x */
    printf("%d\n", y);               /* drop */
    return 0;
}
