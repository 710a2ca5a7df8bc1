/* A condition decides which function is called: the condition and both functions matter. */
#include <stdio.h>

static int add_ten(int value) {
    return value + 10;         /* keep */
}

static int halve(int value) {
    return value / 2;          /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 20;     /* keep */
    int wish = argc * 3;       /* keep */
    int noise = argc * 5;      /* drop */
    int (*operation)(int);
    if (wish > 4)              /* keep */
        operation = add_ten;   /* keep */
    else
        operation = halve;     /* keep */
    if (noise > 4)             /* drop */
        printf("noise\n");     /* drop */
    int x = operation(value);  /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
