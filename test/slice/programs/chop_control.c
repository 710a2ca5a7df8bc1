/* The value reaches the result only by deciding whether it is changed. */
/* options: --chop */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;          /* slice */
    int b = argc + 9;          /* drop */
    int x = argc;              /* drop */
    int flag = a > 1;          /* keep */
    int aside = flag + 3;      /* drop */
    if (flag)                  /* keep */
        x = b + 1;             /* keep */
    if (b > 4)                 /* drop */
        aside = aside + a;     /* drop */
    printf("%d\n", aside);     /* drop */
    printf("slice: %d\n", x);  /* chop: x */
    return 0;
}
