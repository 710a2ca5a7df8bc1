/* Two functions call each other: both belong to the result, a second use of them does not. */
#include <stdio.h>

static int is_odd(int number);

static int is_even(int number) {
    if (number == 0)             /* keep */
        return 1;                /* keep */
    return is_odd(number - 1);   /* keep */
}

static int is_odd(int number) {
    if (number == 0)             /* keep */
        return 0;                /* keep */
    return is_even(number - 1);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 6;            /* keep */
    int b = argc + 3;            /* drop */
    int x = is_even(a);          /* keep */
    int y = is_odd(b);           /* drop */
    printf("slice: %d\n", x);    /* slice: x */
    printf("%d\n", y);           /* drop */
    return 0;
}
