/* An allocator that stores its block where a parameter points, and one on top of it. */
#include <stdio.h>
#include <stdlib.h>

static int allocate(size_t size, void *at) {
    void *memory = malloc(size);                      /* keep */
    if (memory == NULL)                               /* keep */
        return 1;                                     /* keep */
    *(void **)at = memory;                            /* keep */
    return 0;                                         /* keep */
}

static int allocate_zero(size_t size, void *at) {
    int failed = allocate(size, at);                  /* keep */
    if (!failed)                                      /* keep */
        **(int **)at = 0;                             /* keep */
    return failed;                                    /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int *wanted = NULL, *unwanted = NULL;
    if (allocate_zero(sizeof *wanted, &wanted) != 0)  /* keep */
        return 1;
    if (allocate_zero(sizeof *unwanted, &unwanted))   /* keep */
        return 1;
    *wanted += argc + 1;                              /* keep */
    *unwanted += argc + 2;                            /* drop */
    *unwanted = *unwanted + *wanted;                  /* drop */
    int x = *wanted;                                  /* keep */
    int y = *unwanted;                                /* drop */
    printf("%d\n", y);                                /* drop */
    printf("slice: %d\n", x);                         /* slice: x */
    return 0;
}
