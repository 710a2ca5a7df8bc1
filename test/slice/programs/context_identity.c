/* A call of another context: what the second argument is does not matter for the first result. */
#include <stdio.h>

static int identity(int value) {
    return value;              /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted = argc + 1;     /* keep */
    int other = argc + 2;      /* drop */
    int x = identity(wanted);  /* keep */
    int y = identity(other);   /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    printf("%d\n", y);         /* drop */
    return 0;
}
