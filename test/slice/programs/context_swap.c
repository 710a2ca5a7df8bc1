/* After a swap by pointers the first variable holds what the second was. */
#include <stdio.h>

static void swap(int *left, int *right) {
    int saved = *left;         /* drop */
    *left = *right;            /* keep */
    *right = saved;            /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;
    int b = argc + 7;          /* keep */
    int c = argc + 9;          /* drop */
    swap(&a, &b);              /* keep */
    c = c + b;                 /* drop */
    printf("slice: %d\n", a);  /* slice: a */
    printf("%d %d\n", b, c);   /* drop */
    return 0;
}
