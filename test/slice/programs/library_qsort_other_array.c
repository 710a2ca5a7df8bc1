/* Sorting another array with another comparator does not matter. */
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right) {
    int a = *(const int *)left;                     /* keep */
    int b = *(const int *)right;                    /* keep */
    return (a > b) - (a < b);                       /* keep */
}

static int descending(const void *left, const void *right) {
    int a = *(const int *)left;                     /* drop */
    int b = *(const int *)right;                    /* drop */
    return (a < b) - (a > b);                       /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted[4];
    int other[4];
    for (int i = 0; i < 4; i++) {                   /* keep */
        wanted[i] = (i * 3 + argc) % 4;             /* keep */
        other[i] = (i * 5 + argc) % 7;              /* drop */
    }
    qsort(wanted, 4, sizeof wanted[0], ascending);  /* keep */
    qsort(other, 4, sizeof other[0], descending);   /* drop */
    int x = wanted[argc];                           /* keep */
    int y = other[argc];                            /* drop */
    printf("%d\n", y);                              /* drop */
    printf("slice: %d\n", x);                       /* slice: x */
    return 0;
}
