/* A helper is called before and after the variable is overwritten: the call before is lost. */
#include <stdio.h>

static int adjust(int value, int by) {
    int result = value * 2;    /* keep */
    result = result + by;      /* keep */
    return result;             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int early = argc + 3;      /* drop */
    int late = argc + 4;       /* keep */
    int x = argc;              /* drop */
    x = adjust(x, early);      /* drop */
    printf("%d\n", x);         /* drop */
    x = argc + 6;              /* keep */
    x = adjust(x, late);       /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
