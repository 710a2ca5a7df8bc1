/* Recursion with two accumulators: the trace is never part of the result. */
#include <stdio.h>

static int power(int base, int count, int product, int trace) {
    int next_product = product * base;                        /* keep */
    int next_trace = trace + count;                           /* drop */
    if (count <= 0) {                                         /* keep */
        printf("trace %d\n", trace);                          /* drop */
        return product;                                       /* keep */
    }
    return power(base, count - 1, next_product, next_trace);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int base = argc + 2;                                      /* keep */
    int count = argc + 3;                                     /* keep */
    int start = argc * 50;                                    /* drop */
    int result = power(base, count, 1, start);                /* keep */
    printf("slice: %d\n", result);                            /* slice: result */
    return 0;
}
