/* A pointer is stored in a global and used by a function that does not know the variable. */
#include <stdio.h>

static int *target;
static int *ignored;

static void bump_target(int by) {
    *target = *target + by;    /* keep */
}

static void bump_ignored(int by) {
    *ignored = *ignored + by;  /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int counter = argc + 1;    /* keep */
    int other = argc + 2;      /* drop */
    target = &counter;         /* keep */
    ignored = &other;          /* drop */
    bump_target(argc + 3);     /* keep */
    bump_ignored(argc + 4);    /* drop */
    int x = counter;           /* keep */
    printf("%d\n", other);     /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
