/* The first operand of && decides whether the second is evaluated, and that one changes a global. */
#include <stdio.h>

static int calls;

static int count_call(void) {
    calls = calls + 1;         /* keep */
    return calls;
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 3;          /* keep */
    int b = argc + 4;          /* keep */
    int c = argc + 5;          /* drop */
    int y = argc;              /* drop */
    int x = argc;              /* keep */
    calls = argc;              /* keep */
    if (a > 2 &&               /* keep */
        count_call() > 1)      /* keep */
        y = argc + 8;          /* drop */
    if (c > 5 ||               /* drop */
        y > 20)                /* drop */
        y = y + c;             /* drop */
    if (b > 3 &&               /* keep */
        calls > 1)             /* keep */
        x = argc + 9;          /* keep */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
