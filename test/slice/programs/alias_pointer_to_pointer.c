/* A pointer is set through a pointer to it, then written through. */
#include <stdio.h>

static void direct(int **where, int *target) {
    *where = target;             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted = argc + 1;
    int unwanted = argc + 2;     /* drop */
    int *pointer;
    int *stranger = &unwanted;   /* drop */
    int **handle = &pointer;     /* keep */
    direct(handle, &wanted);     /* keep */
    *stranger = argc + 3;        /* drop */
    **handle = argc + 4;         /* keep */
    *pointer = *pointer + argc;  /* keep */
    int x = wanted;              /* keep */
    printf("%d\n", unwanted);    /* drop */
    printf("slice: %d\n", x);    /* slice: x */
    return 0;
}
