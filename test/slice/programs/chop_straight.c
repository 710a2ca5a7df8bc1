/* What lies between a value and a result: neither its other uses nor the result's other sources. */
/* options: --chop */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;              /* slice */
    int b = argc + 2;              /* drop */
    int doubled = a * 2;           /* keep */
    int aside = a + 5;             /* drop */
    int mixed = b + doubled;       /* keep */
    aside = aside * b;             /* drop */
    printf("%d\n", aside);         /* drop */
    printf("slice: %d\n", mixed);  /* chop: mixed */
    mixed = mixed + 1;             /* drop */
    printf("%d\n", mixed);         /* drop */
    return 0;
}
