/* A global is set by a call, read, and set again by the same function: the later call does not matter. */
#include <stdio.h>

static int slot;

static void store(int value) {
    slot = value + 1;          /* keep */
}

static int load(void) {
    return slot;               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;          /* keep */
    int b = argc + 2;          /* drop */
    store(a);                  /* keep */
    int x = load();            /* keep */
    store(b);                  /* drop */
    int y = load();            /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
