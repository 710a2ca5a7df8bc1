/* One function is reached through two callers: only the caller on the way to the result matters. */
#include <stdio.h>

static int scale(int value, int factor) {
    return value * factor;        /* keep */
}

static int by_left(int value) {
    int factor = value + 3;       /* keep */
    return scale(value, factor);  /* keep */
}

static int by_right(int value) {
    int factor = value - 8;       /* drop */
    return scale(value, factor);  /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 4;             /* keep */
    int b = argc + 5;             /* drop */
    int x = by_left(a);           /* keep */
    int y = by_right(b);          /* drop */
    printf("%d\n", y);            /* drop */
    printf("slice: %d\n", x);     /* slice: x */
    return 0;
}
