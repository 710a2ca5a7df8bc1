/* Recursion inside the argument of a recursive call; the number of calls is counted on the side. */
#include <stdio.h>

static int calls;

static int ackermann(int m, int n) {
    calls = calls + 1;                /* drop */
    if (m == 0)                       /* keep */
        return n + 1;                 /* keep */
    if (n == 0)                       /* keep */
        return ackermann(m - 1, 1);   /* keep */
    int below = ackermann(m, n - 1);  /* keep */
    return ackermann(m - 1, below);   /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int m = argc + 1;                 /* keep */
    int n = argc + 2;                 /* keep */
    calls = argc - 1;                 /* drop */
    int x = ackermann(m, n);          /* keep */
    printf("%d calls\n", calls);      /* drop */
    printf("slice: %d\n", x);         /* slice: x */
    return 0;
}
