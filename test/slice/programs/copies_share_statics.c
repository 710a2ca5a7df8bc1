/* What a function keeps from call to call is the same for all of its callers. */
#include <stdio.h>
#include <stdlib.h>

static int *next(int value) {
    static int *last;                  /* keep */
    int *made = malloc(sizeof *made);  /* keep */
    *made = last ? *last + value : 0;  /* keep */
    last = made;                       /* keep */
    return made;                       /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int early = argc + 1;              /* keep */
    int late = argc + 2;               /* keep */
    int later = argc + 3;              /* drop */
    int *a = next(early);              /* keep */
    int *b = next(late);               /* keep */
    int *c = next(later);              /* drop */
    int x = *b;                        /* keep */
    printf("slice: %d\n", x);          /* slice: x */
    printf("%d %d\n", *a, *c);         /* drop */
    return 0;
}
