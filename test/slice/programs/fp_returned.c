/* A function returns the function to call: the choice and both candidates matter. */
#include <stdio.h>

static int add_one(int value) {
    return value + 1;                      /* keep */
}

static int add_two(int value) {
    return value + 2;                      /* keep */
}

static int (*choose(int wish))(int) {
    if (wish > 3)                          /* keep */
        return add_two;                    /* keep */
    return add_one;                        /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wish = argc * 4;                   /* keep */
    int value = argc + 30;                 /* keep */
    int other = argc + 40;                 /* drop */
    int (*operation)(int) = choose(wish);  /* keep */
    int x = operation(value);              /* keep */
    int y = operation(other);              /* drop */
    printf("%d\n", y);                     /* drop */
    printf("slice: %d\n", x);              /* slice: x */
    return 0;
}
