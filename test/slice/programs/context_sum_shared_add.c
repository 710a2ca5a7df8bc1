/* The sum and counter program by value: both use add, still the counter has no trace of the sum. */
#include <stdio.h>

static int add(int left, int right) {
    return left + right;       /* keep */
}

static int increment(int number) {
    return add(number, 1);     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int sum = argc - 1;        /* drop */
    int i = argc;              /* keep */
    int limit = argc + 10;     /* keep */
    while (i < limit) {        /* keep */
        sum = add(sum, i);     /* drop */
        i = increment(i);      /* keep */
    }
    printf("sum %d\n", sum);   /* drop */
    printf("slice: %d\n", i);  /* slice: i */
    return 0;
}
