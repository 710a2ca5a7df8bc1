/* One pointer that leads to one variable, and later to another. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int a = 0, b = 0;
    int *p = &a;             /* keep */
    *p = argc;               /* keep */
    p = &b;                  /* drop */
    *p = argc + 1;           /* drop */
    for (int i = 0; i < argc; i++) {
        int *q = i ? &b : p; /* drop */
        *q = i;              /* drop */
    }
    printf("slice: %d\n", a); /* slice: a */
    printf("%d\n", b);       /* drop */
    return 0;
}
