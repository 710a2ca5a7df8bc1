/* A switch where one case falls into the next: the breaks decide what is done to the result. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int kind = argc % 4;       /* keep */
    int x = argc + 5;          /* keep */
    int y = argc + 6;          /* drop */
    switch (kind) {            /* keep */
    case 3:
        y = y + 4;             /* drop */
        break;                 /* keep */
    case 1:
        x = x + 10;            /* keep */
        y = y + 1;             /* drop */
    case 2:
        x = x * 2;             /* keep */
        break;                 /* keep */
    default:
        x = x - 1;             /* keep */
    }
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
