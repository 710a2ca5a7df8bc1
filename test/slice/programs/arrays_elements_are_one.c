/* A read of some element depends on the writes to all of them, but not on their number. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int values[8] = {0};                   /* keep */
    int writes = argc - 1;                 /* drop */
    int a = argc + 10;                     /* keep */
    int b = argc + 20;                     /* keep */
    int from = argc % 8;                   /* keep */
    values[(argc * 3) % 8] = a;            /* keep */
    writes = writes + 1;                   /* drop */
    values[(argc * 2) % 8] = b;            /* keep */
    writes = writes + 1;                   /* drop */
    int x = values[from];                  /* keep */
    values[from] = argc + 30;              /* drop */
    printf("%d %d\n", writes, values[0]);  /* drop */
    printf("slice: %d\n", x);              /* slice: x */
    return 0;
}
