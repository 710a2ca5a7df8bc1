/* A pointer walks over an array by adding one; a second walk over another array does not matter. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int data[5];
    int other[5];
    int next = argc + 2;                                /* keep */
    for (int *at = data; at < data + 5; at = at + 1) {  /* keep */
        *at = next;                                     /* keep */
        next = next + 3;                                /* keep */
    }
    for (int *at = other; at < other + 5; at = at + 1)  /* drop */
        *at = argc;                                     /* drop */
    int *second = data + argc;                          /* keep */
    int *third = second + 1;                            /* keep */
    int x = *third;                                     /* keep */
    int y = other[argc];                                /* drop */
    printf("%d\n", y);                                  /* drop */
    printf("slice: %d\n", x);                           /* slice: x */
    return 0;
}
