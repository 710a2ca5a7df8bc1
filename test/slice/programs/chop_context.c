/* The value goes into a function, the result comes out of another call of it: there is no way through it. */
/* options: --chop */
#include <stdio.h>

static int identity(int value) {
    return value;              /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;          /* slice */
    int b = argc + 2;          /* drop */
    int x = identity(a);       /* drop */
    int y = identity(b);       /* drop */
    int z = a + y;             /* keep */
    z = z * 2;                 /* keep */
    printf("%d\n", x);         /* drop */
    printf("slice: %d\n", z);  /* chop: z */
    return 0;
}
