/* A conditional expression: the condition and both values matter. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int flag = argc * 5;       /* keep */
    int yes = argc + 1;        /* keep */
    int no = argc + 2;         /* keep */
    int maybe = argc + 3;      /* drop */
    int x = flag > 4           /* keep */
        ? yes                  /* keep */
        : no;                  /* keep */
    int y = maybe > 4          /* drop */
        ? yes                  /* drop */
        : maybe;               /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
