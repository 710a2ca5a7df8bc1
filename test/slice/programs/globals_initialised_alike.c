/* Initial values of variables that nothing tells apart are in the slice, each. */
#include <stdio.h>

static int *hot(void) {
    static int degrees = 70;                        /* keep */
    return &degrees;                                /* keep */
}

static int *cold(void) {
    static int degrees = 4;                         /* keep */
    return &degrees;                                /* keep */
}

static int *other(void) {
    static int degrees = 21;                        /* drop */
    return &degrees;                                /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int *(*tap)(void) = argc > 3 ? hot : cold;      /* keep */
    int *water = tap();                             /* keep */
    int *air = other();                             /* drop */
    printf("%d\n", *air);                           /* drop */
    printf("slice: %d\n", *water);                  /* slice */
    return 0;
}
