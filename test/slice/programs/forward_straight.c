/* What a value has influence on, in a straight line. */
/* options: --forward */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int before = argc + 3;           /* drop */
    int a = argc + 1;                /* slice */
    int b = argc + 2;                /* drop */
    int doubled = a * 2;             /* keep */
    int mixed = b + doubled;         /* keep */
    int untouched = b * 3;           /* drop */
    untouched = untouched + before;  /* drop */
    int result = mixed - untouched;  /* keep */
    printf("%d\n", untouched);       /* drop */
    printf("slice: %d\n", result);   /* keep */
    return 0;
}
