/* One function applies what it is given, called twice: the value of the other call does not matter. */
#include <stdio.h>

static int twice(int value) {
    return value * 2;          /* keep */
}

static int negate(int value) {
    return -value;
}

static int apply(int (*operation)(int), int value) {
    return operation(value);   /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 3;          /* keep */
    int b = argc + 4;          /* drop */
    int x = apply(twice, a);   /* keep */
    int y = apply(negate, b);  /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
