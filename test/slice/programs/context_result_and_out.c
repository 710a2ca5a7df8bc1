/* A function returns a value and writes another through a pointer: only the written one matters. */
#include <stdio.h>

static int divide(int number, int divisor, int *rest) {
    int quotient = number / divisor;                /* drop */
    *rest = number % divisor;                       /* keep */
    return quotient;
}

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 16;                         /* keep */
    int divisor = argc + 4;                         /* keep */
    int rest;
    int quotient = divide(number, divisor, &rest);  /* keep */
    int doubled = quotient * 2;                     /* drop */
    printf("%d\n", doubled);                        /* drop */
    printf("slice: %d\n", rest);                    /* slice: rest */
    return 0;
}
