/* Statements that are included into a function: it cannot be cut, but it is there. */
#ifndef ROW
#include <stdio.h>
static int sum, noise;
static void add(int kind, int value) {
    switch (kind) {
#define ROW(number, name, factor) \
    case number:                  \
        sum += value * (factor);  \
        noise++;                  \
        break;
#include "included_parts.c"
#undef ROW
    default:
        sum--;
    }
}
int main(int argc, char **argv) {
    (void)argv;
    int unneeded = 0;
#define ROW(number, name, factor) add(number, argc + (factor));
#include "included_parts.c"
#undef ROW
    add(7, unneeded);
    printf("%d\n", noise);
    printf("slice: %d\n", sum); /* slice */
    return 0;
}
#else
ROW(1, one, 10)
ROW(2, two, 100)
#endif
