/* A wrapper around malloc is used twice: the two pieces of memory are apart. */
#include <stdio.h>
#include <stdlib.h>

static void *must_allocate(size_t size) {
    void *memory = malloc(size);                      /* keep */
    if (memory == NULL)                               /* keep */
        exit(1);                                      /* keep */
    return memory;                                    /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;                                 /* keep */
    int b = argc + 2;                                 /* drop */
    int *wanted = must_allocate(sizeof *wanted);      /* keep */
    int *unwanted = must_allocate(sizeof *unwanted);  /* drop */
    *wanted = a;                                      /* keep */
    *unwanted = b;                                    /* drop */
    *unwanted = *unwanted + *wanted;                  /* drop */
    int x = *wanted;                                  /* keep */
    int y = *unwanted;                                /* drop */
    printf("%d\n", y);                                /* drop */
    printf("slice: %d\n", x);                         /* slice: x */
    return 0;
}
