/* The value decides an early return: all that follows in that function is touched, another call is not. */
/* options: --forward */
#include <stdio.h>

static int bounded(int value, int rest) {
    int result = rest + 1;     /* drop */
    if (value > 5)             /* keep */
        return rest;           /* keep */
    result = result * 2;       /* keep */
    return result;             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;          /* slice */
    int b = argc + 2;          /* drop */
    int x = bounded(a, b);     /* keep */
    int y = bounded(b, b);     /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* keep */
    return 0;
}
