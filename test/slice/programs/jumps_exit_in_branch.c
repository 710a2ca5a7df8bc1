/* A branch that leaves the program: whether the rest happens depends on its condition. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int danger = argc * 2;     /* keep */
    int noise = argc * 3;      /* drop */
    int x = argc + 6;          /* keep */
    if (noise > 2)             /* drop */
        printf("noise\n");     /* drop */
    if (danger > 90) {         /* keep */
        printf("leaving\n");   /* drop */
        exit(0);               /* keep */
    }
    x = x + 1;                 /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
