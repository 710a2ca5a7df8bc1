/* A continue skips the rest of the body: its condition decides what is added. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int end = argc + 9;              /* keep */
    int step = argc + 2;             /* keep */
    int total = argc;                /* keep */
    int skipped = argc - 1;          /* drop */
    for (int i = 0; i < end; i++) {  /* keep */
        if (i % step == 0) {         /* keep */
            skipped = skipped + 1;   /* drop */
            continue;                /* keep */
        }
        total = total + i;           /* keep */
    }
    printf("%d\n", skipped);         /* drop */
    printf("slice: %d\n", total);    /* slice: total */
    return 0;
}
