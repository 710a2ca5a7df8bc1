/* What a block held is there when a function has made it larger, wherever it lies then. */
#include <stdio.h>
#include <stdlib.h>

static void resize(void *at, size_t size) {
    void **block = at;                                   /* keep */
    void *larger = realloc(*block, size);                /* keep */
    if (larger == NULL)                                  /* keep */
        exit(1);                                         /* keep */
    *block = larger;                                     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int *wanted = NULL, *unwanted = NULL;                /* keep */
    resize(&wanted, sizeof *wanted);                     /* keep */
    resize(&unwanted, sizeof *unwanted);
    wanted[0] = argc + 1;                                /* keep */
    unwanted[0] = argc + 2;
    resize(&wanted, 100 * sizeof *wanted);               /* keep */
    resize(&unwanted, 100 * sizeof *unwanted);
    unwanted[1] = wanted[0];                             /* drop */
    int x = wanted[0];                                   /* keep */
    int y = unwanted[0] + unwanted[1];                   /* drop */
    printf("%d\n", y);                                   /* drop */
    printf("slice: %d\n", x);                            /* slice: x */
    return 0;
}
