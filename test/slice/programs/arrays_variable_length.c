/* A variable length array is filled and read; a second one beside it does not matter. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int count = argc + 3;             /* keep */
    int spare = argc + 5;             /* drop */
    int values[count];
    int others[spare];
    for (int i = 0; i < count; i++)   /* keep */
        values[i] = i * 6 + argc;     /* keep */
    for (int i = 0; i < spare; i++)   /* drop */
        others[i] = i * 7 + argc;     /* drop */
    values[argc] = values[argc] + 1;  /* keep */
    int x = values[argc % 2];         /* keep */
    int y = others[argc];             /* drop */
    printf("%d\n", y);                /* drop */
    printf("slice: %d\n", x);         /* slice: x */
    return 0;
}
