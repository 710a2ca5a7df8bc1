/* An address that goes through a floating-point number leads to the same variable. */
#include <stdint.h>
#include <stdio.h>

static double kept;

static void keep(int *address) {
    kept = (double)(uintptr_t)address;              /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc, b = argc + 4;
    int c = argc + 9;                               /* drop */
    keep(&a);                                       /* keep */
    double other = (double)(uintptr_t)&c;           /* drop */
    *(int *)(uintptr_t)kept = b;                    /* keep */
    *(int *)(intptr_t)other = b + 1;                /* drop */
    printf("slice: %d\n", a);                       /* slice: a */
    printf("%d\n", c);                              /* drop */
    return 0;
}
