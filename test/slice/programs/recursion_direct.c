/* Direct recursion: the depth is handed down but has no influence on the result. */
#include <stdio.h>

static int factorial(int number, int depth) {
    int below = depth + 1;                         /* drop */
    if (number <= 1)                               /* keep */
        return 1;                                  /* keep */
    return number * factorial(number - 1, below);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 4;                         /* keep */
    int depth = argc + 100;                        /* drop */
    int result = factorial(number, depth);         /* keep */
    int other = factorial(depth % 5, number);      /* drop */
    printf("%d\n", other);                         /* drop */
    printf("slice: %d\n", result);                 /* slice: result */
    return 0;
}
