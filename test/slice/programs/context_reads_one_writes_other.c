/* A procedure reads one global and writes another: a slice on the first does not need it. */
#include <stdio.h>

static int source;
static int derived;

static void derive(void) {
    derived = source * 3;      /* drop */
}

static void raise_source(int by) {
    source = source + by;      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int by = argc + 5;         /* keep */
    source = argc + 2;         /* keep */
    derived = argc;            /* drop */
    derive();                  /* drop */
    raise_source(by);          /* keep */
    derive();                  /* drop */
    int x = source;            /* keep */
    printf("%d\n", derived);   /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
