/* A pointer may point to either of two variables: writing through it may leave the old value. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int first = argc + 1;              /* keep */
    int second = argc + 2;             /* drop */
    int third = argc + 3;              /* drop */
    int wish = argc * 4;               /* keep */
    int *target = &second;             /* keep */
    if (wish > 5)                      /* keep */
        target = &first;               /* keep */
    *target = argc + 40;               /* keep */
    third = third + second;            /* drop */
    int x = first;                     /* keep */
    printf("%d %d\n", second, third);  /* drop */
    printf("slice: %d\n", x);          /* slice: x */
    return 0;
}
