/* The comparator of qsort reads a global: the global and the comparator decide the order. */
#include <stdio.h>
#include <stdlib.h>

static int direction;
static int comparisons;

static int compare(const void *left, const void *right) {
    int a = *(const int *)left;                   /* keep */
    int b = *(const int *)right;                  /* keep */
    comparisons = comparisons + 1;                /* drop */
    int order = (a > b) - (a < b);                /* keep */
    return order * direction;                     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int values[4];
    for (int i = 0; i < 4; i++)                   /* keep */
        values[i] = (i * 7 + argc) % 5;           /* keep */
    direction = argc > 1 ? 1 : -1;                /* keep */
    comparisons = argc;                           /* drop */
    qsort(values, 4, sizeof values[0], compare);  /* keep */
    int x = values[argc - 1];                     /* keep */
    if (comparisons > 1)                          /* drop */
        printf("compared\n");                     /* drop */
    printf("slice: %d\n", x);                     /* slice: x */
    return 0;
}
