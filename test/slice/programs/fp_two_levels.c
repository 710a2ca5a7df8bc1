/* A function pointer is passed down two levels before it is called. */
#include <stdio.h>

static int triple(int value) {
    return value * 3;                           /* keep */
}

static int apply(int (*operation)(int), int value) {
    int result = operation(value);              /* keep */
    return result;                              /* keep */
}

static int apply_twice(int (*operation)(int), int value, int label) {
    int once = apply(operation, value);         /* keep */
    printf("label %d\n", label);                /* drop */
    return apply(operation, once);              /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 1;                       /* keep */
    int label = argc + 70;                      /* drop */
    int (*chosen)(int) = triple;                /* keep */
    int x = apply_twice(chosen, value, label);  /* keep */
    printf("slice: %d\n", x);                   /* slice: x */
    return 0;
}
