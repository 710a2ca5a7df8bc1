/* Calls three deep, twice from main: the second chain of calls does not matter. */
#include <stdio.h>

static int inner(int value) {
    int result = value * 7;         /* keep */
    return result;                  /* keep */
}

static int middle(int value) {
    int result = inner(value) + 1;  /* keep */
    return result;                  /* keep */
}

static int outer(int value) {
    int before = value - 1;         /* keep */
    int result = middle(before);    /* keep */
    return result;                  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 10;              /* drop */
    int b = argc + 20;              /* keep */
    int y = outer(a);               /* drop */
    int x = outer(b);               /* keep */
    int z = middle(y);              /* drop */
    printf("%d\n", z);              /* drop */
    printf("slice: %d\n", x);       /* slice: x */
    return 0;
}
