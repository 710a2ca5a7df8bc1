/* Blocks with a size in front of them: two are apart, and so are sizes and contents. */
#include <stdio.h>
#include <stdlib.h>

static void *with_size(size_t size) {
    size_t *memory = malloc(size + 2 * sizeof *memory);  /* keep */
    if (memory == NULL)                                  /* keep */
        exit(1);                                         /* keep */
    *memory = size;                                      /* keep */
    return memory + 2;                                   /* keep */
}

static size_t size_of(void *block) {
    return *((size_t *)block - 2);                       /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;                                    /* keep */
    int b = argc + 2;                                    /* drop */
    int *wanted = with_size(sizeof *wanted);             /* keep */
    int *unwanted = with_size(sizeof *unwanted);
    *wanted = a;                                         /* keep */
    *unwanted = b;                                       /* drop */
    *unwanted = *unwanted + *wanted;                     /* drop */
    int x = *wanted + (int)size_of(wanted);              /* keep */
    int y = *unwanted;                                   /* drop */
    printf("%d\n", y);                                   /* drop */
    printf("slice: %d\n", x);                            /* slice: x */
    return 0;
}
