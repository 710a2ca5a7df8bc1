/* A break ends the loop: its condition decides how far the counter gets. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int limit = argc + 40;       /* keep */
    int end = argc + 20;         /* keep */
    int steps = argc - 1;        /* drop */
    int i;
    for (i = 0; i < end; i++) {  /* keep */
        int square = i * i;      /* keep */
        steps = steps + square;  /* drop */
        if (square > limit)      /* keep */
            break;               /* keep */
    }
    int noise = steps * 2;       /* drop */
    printf("%d\n", noise);       /* drop */
    printf("slice: %d\n", i);    /* slice: i */
    return 0;
}
