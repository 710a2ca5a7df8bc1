/* A recursive function writes its results through two pointers: only the total matters. */
#include <stdio.h>

static void collect(int number, int *total, int *calls) {
    *calls = *calls + 1;                /* drop */
    if (number <= 0)                    /* keep */
        return;                         /* keep */
    *total = *total + number;           /* keep */
    collect(number - 1, total, calls);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 5;              /* keep */
    int total = argc;                   /* keep */
    int calls = argc - 1;               /* drop */
    collect(number, &total, &calls);    /* keep */
    printf("%d calls\n", calls);        /* drop */
    printf("slice: %d\n", total);       /* slice: total */
    return 0;
}
