/* A variable is written through a pointer, then overwritten by its own name: the first write is lost. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 1;     /* drop */
    int *pointer = &number;    /* drop */
    int a = argc + 2;          /* drop */
    *pointer = a;              /* drop */
    printf("%d\n", number);    /* drop */
    int b = argc + 3;          /* keep */
    number = b;                /* keep */
    int x = number + argc;     /* keep */
    *pointer = argc + 4;       /* drop */
    printf("%d\n", number);    /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
