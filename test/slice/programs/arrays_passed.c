/* An array is filled by one function and summed by another; the largest element is not asked for. */
#include <stdio.h>

static void fill(int *cells, int count, int seed) {
    for (int i = 0; i < count; i++)      /* keep */
        cells[i] = seed + i * i;         /* keep */
}

static int total_of(const int *cells, int count) {
    int total = 0;                       /* keep */
    for (int i = 0; i < count; i++)      /* keep */
        total = total + cells[i];        /* keep */
    return total;                        /* keep */
}

static int largest_of(const int *cells, int count) {
    int largest = cells[0];              /* drop */
    for (int i = 1; i < count; i++)      /* drop */
        if (cells[i] > largest)          /* drop */
            largest = cells[i];          /* drop */
    return largest;                      /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int cells[6];
    int seed = argc + 2;                 /* keep */
    fill(cells, 6, seed);                /* keep */
    int largest = largest_of(cells, 6);  /* drop */
    int total = total_of(cells, 6);      /* keep */
    printf("%d\n", largest);             /* drop */
    printf("slice: %d\n", total);        /* slice: total */
    return 0;
}
