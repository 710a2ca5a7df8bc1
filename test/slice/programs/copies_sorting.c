/* Two arrays that are sorted by the same function: neither is put in order by what is in the other. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;    /* keep */
}

static void sort(int *array, size_t count) {
    qsort(array, count, sizeof *array, compare); /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int one[3] = {argc + 1, argc, 7};            /* keep */
    int two[3] = {argc + 2, argc, 9};            /* drop */
    sort(one, 3);                                /* keep */
    sort(two, 3);                                /* drop */
    int x = one[0];                              /* keep */
    int y = two[0];                              /* drop */
    printf("slice: %d\n", x);                    /* slice: x */
    printf("%d\n", y);                           /* drop */
    return 0;
}
