/* A callee overwrites a global on all its paths: what the global was before the call is lost. */
#include <stdio.h>

static int level;

static void reset_level(int base, int high) {
    if (high > 3)              /* keep */
        level = base * 2;      /* keep */
    else
        level = base;          /* keep */
}

static void raise_level(int by) {
    level = level + by;        /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int base = argc + 1;       /* keep */
    int high = argc + 2;       /* keep */
    int by = argc + 3;         /* drop */
    level = argc + 4;          /* drop */
    raise_level(by);           /* drop */
    reset_level(base, high);   /* keep */
    int x = level;             /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
