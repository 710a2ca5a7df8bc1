/* A struct that is assigned as a whole on the criterion's own line. */
#include <stdio.h>

struct record {
    int a;
    int b;
    int rest[8];
};

int main(int argc, char **argv) {
    (void)argv;
    struct record one = {0};       /* keep */
    struct record other = {0};     /* drop */
    one.a = argc;                  /* keep */
    one.rest[2] = argc + 4;        /* keep */
    other.b = argc;                /* drop */
    struct record two = one;       /* keep */
    struct record three;
    three = two;                   /* slice */
    printf("%d\n", other.b);       /* drop */
    printf("%d\n", three.a);
    return 0;
}
