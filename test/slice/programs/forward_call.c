/* Forward through a call: the other call of the same function is not touched. */
/* options: --forward */
#include <stdio.h>

static int scale(int value, int factor) {
    int shown = factor + 1;        /* drop */
    printf("factor %d\n", shown);  /* drop */
    return value * factor;         /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int factor = argc + 4;         /* drop */
    int a = argc + 1;              /* slice */
    int b = argc + 2;              /* drop */
    int x = scale(a, factor);      /* keep */
    int y = scale(b, factor);      /* drop */
    y = y + 1;                     /* drop */
    printf("%d\n", y);             /* drop */
    printf("slice: %d\n", x);      /* keep */
    return 0;
}
