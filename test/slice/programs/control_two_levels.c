/* A condition inside another: both decide whether the value changes. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int outer = argc * 2;      /* keep */
    int inner = argc * 3;      /* keep */
    int side = argc * 4;       /* drop */
    int x = argc + 1;          /* keep */
    int y = argc + 2;          /* drop */
    if (outer > 1) {           /* keep */
        y = y + 1;             /* drop */
        if (inner > 2)         /* keep */
            x = argc + 10;     /* keep */
        if (side > 3)          /* drop */
            y = y + 10;        /* drop */
    }
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
