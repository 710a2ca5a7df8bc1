/* The first value of a global comes from its declaration, unless it is overwritten before it is read. */
#include <stdio.h>

static int base = 7;             /* keep */
static int overwritten = 8;      /* drop */
static int unrelated = 9;        /* drop */

static void raise_base(int by) {
    base = base + by;            /* keep */
}

static void raise_unrelated(int by) {
    unrelated = unrelated + by;  /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    overwritten = argc + 1;      /* keep */
    raise_base(argc);            /* keep */
    raise_unrelated(argc);       /* drop */
    int x = base + overwritten;  /* keep */
    printf("%d\n", unrelated);   /* drop */
    printf("slice: %d\n", x);    /* slice: x */
    return 0;
}
