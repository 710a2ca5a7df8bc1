/* The sum and counter program with out parameters: the counter has no trace of the sum. */
#include <stdio.h>

static void add(int *total, int amount) {
    *total = *total + amount;  /* drop */
}

static void increment(int *number) {
    *number = *number + 1;     /* keep */
}

static void step(int *total, int *number) {
    add(total, *number);       /* drop */
    increment(number);         /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int sum = argc - 1;        /* drop */
    int i = argc;              /* keep */
    int limit = argc + 10;     /* keep */
    while (i < limit) {        /* keep */
        step(&sum, &i);        /* keep */
    }
    printf("sum %d\n", sum);   /* drop */
    printf("slice: %d\n", i);  /* slice: i */
    return 0;
}
