/* The sum of a variable number of arguments; how many were positive is not asked for. */
#include <stdarg.h>
#include <stdio.h>

static int sum_of(int count, ...) {
    va_list rest;
    int total = 0;                      /* keep */
    int positive = 0;                   /* drop */
    va_start(rest, count);              /* keep */
    for (int i = 0; i < count; i++) {   /* keep */
        int value = va_arg(rest, int);  /* keep */
        total = total + value;          /* keep */
        if (value > 0)                  /* drop */
            positive = positive + 1;    /* drop */
    }
    va_end(rest);
    printf("%d positive\n", positive);  /* drop */
    return total;                       /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;                   /* keep */
    int b = argc + 2;                   /* keep */
    int c = argc + 3;                   /* drop */
    int x = sum_of(argc + 1, a, b);     /* keep */
    int y = sum_of(argc, c);            /* drop */
    printf("%d\n", y);                  /* drop */
    printf("slice: %d\n", x);           /* slice: x */
    return 0;
}
