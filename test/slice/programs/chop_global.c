/* The value is put into a global by one function and taken out by another. */
/* options: --chop */
#include <stdio.h>

static int shared;
static int other;

static void publish(int value) {
    shared = value + 1;        /* keep */
    other = value + 2;         /* drop */
}

static int fetch(int by) {
    int result = shared * by;  /* keep */
    return result;             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int by = argc + 3;         /* drop */
    int a = argc + 1;          /* slice */
    shared = argc;             /* drop */
    publish(a);                /* keep */
    int x = fetch(by);         /* keep */
    printf("%d\n", other);     /* drop */
    printf("slice: %d\n", x);  /* chop: x */
    return 0;
}
