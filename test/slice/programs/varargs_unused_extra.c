/* A function takes more arguments than it looks at: those never read do not matter. */
#include <stdio.h>

static int only_first(int first, ...) {
    int result = first * 2;                 /* keep */
    return result;                          /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int used = argc + 7;                    /* keep */
    int extra = argc + 8;                   /* drop */
    int more = argc + 9;                    /* drop */
    extra = extra * 2;                      /* drop */
    int x = only_first(used, extra, more);  /* keep */
    int y = only_first(extra, used);        /* drop */
    printf("%d\n", y);                      /* drop */
    printf("slice: %d\n", x);               /* slice: x */
    return 0;
}
