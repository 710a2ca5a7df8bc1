/* Calls two deep: the second parameter of the inner call gets lost, the first comes back. */
#include <stdio.h>

static int first_of(int one, int two) {
    int unused_sum = one + two;         /* drop */
    printf("%d\n", unused_sum);         /* drop */
    return one;                         /* keep */
}

static int wrapped(int one, int two) {
    int shifted = one + 5;              /* keep */
    int doubled = two * 2;              /* drop */
    return first_of(shifted, doubled);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;                   /* keep */
    int b = argc + 2;                   /* drop */
    int x = wrapped(a, b);              /* keep */
    int y = wrapped(b, a);              /* drop */
    printf("slice: %d\n", x);           /* slice: x */
    printf("%d\n", y);                  /* drop */
    return 0;
}
