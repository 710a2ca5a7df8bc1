/* Two nested loops with a break in each: both decide which pair is found. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int end = argc + 6;                  /* keep */
    int limit = argc + 11;               /* keep */
    int found = -argc;                   /* keep */
    int probes = argc - 1;               /* drop */
    for (int i = 0; i < end; i++) {      /* keep */
        for (int j = 0; j < end; j++) {  /* keep */
            probes = probes + 1;         /* drop */
            if (i * j > limit) {         /* keep */
                found = j;               /* keep */
                break;                   /* keep */
            }
        }
        if (found >= 0)                  /* keep */
            break;                       /* keep */
    }
    printf("%d probes\n", probes);       /* drop */
    printf("slice: %d\n", found);        /* slice: found */
    return 0;
}
