/* The way from the value to the result leads through a function and back. */
/* options: --chop */
#include <stdio.h>

static int shifted(int value, int by) {
    int doubled_by = by * 2;          /* drop */
    int result = value + doubled_by;  /* keep */
    return result;                    /* keep */
}

static int unrelated(int value) {
    return value - 3;                 /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int by = argc + 6;                /* drop */
    int a = argc + 1;                 /* slice */
    int x = shifted(a, by);           /* keep */
    int y = unrelated(a);             /* drop */
    int z = unrelated(by);            /* drop */
    x = x + z;                        /* keep */
    printf("%d\n", y);                /* drop */
    printf("slice: %d\n", x);         /* chop: x */
    return 0;
}
