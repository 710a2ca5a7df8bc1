/* A loop with its condition at the end. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 99;         /* keep */
    int rounds = argc;              /* keep */
    int sum = argc;                 /* drop */
    do {
        sum = sum + number;         /* drop */
        number = number / 2;        /* keep */
        rounds = rounds + 1;        /* keep */
    } while (number > 1);           /* keep */
    do {
        sum = sum - 7;              /* drop */
    } while (sum > 20);             /* drop */
    printf("%d\n", sum);            /* drop */
    printf("slice: %d\n", rounds);  /* slice: rounds */
    return 0;
}
