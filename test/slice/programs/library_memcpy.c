/* A copy of an array with memcpy: changes of the source after the copy do not matter. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    int source[4];
    int target[4];
    int other[4];
    for (int i = 0; i < 4; i++)               /* keep */
        source[i] = argc + i * 2;             /* keep */
    memcpy(target, source, sizeof target);    /* keep */
    memcpy(other, source, sizeof other);      /* drop */
    source[argc] = argc + 90;                 /* drop */
    other[argc] = argc + 91;                  /* drop */
    target[argc + 1] = target[argc + 1] + 5;  /* keep */
    int x = target[(argc + 1) % 4];           /* keep */
    printf("%d %d\n", source[0], other[0]);   /* drop */
    printf("slice: %d\n", x);                 /* slice: x */
    return 0;
}
