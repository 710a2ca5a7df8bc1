/* A destructor runs when the program ends, wherever that is, with what is there then. */
#include <stdio.h>
#include <stdlib.h>

static int total;
static int other;

__attribute__((destructor)) static void report(void) {
    printf("slice: %d\n", total);                          /* slice: total */
}

static void leave(int n) {
    total = n + 1;                                         /* keep */
    other = n + 2;                                         /* drop */
    exit(0);
}

int main(int argc, char **argv) {
    (void)argv;
    int n = argc * 3;                                      /* keep */
    other = argc * 4;                                      /* drop */
    leave(n);                                              /* keep */
    return other;
}
