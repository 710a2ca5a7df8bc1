/* A return whose value nobody wants is still a jump. */
#include <stdio.h>

static int total;

static int add(int value) {
    if (value > 40) {          /* keep */
        printf("too much\n");  /* drop */
        return -1;             /* keep */
    }
    if (value == 7)            /* drop */
        printf("seven\n");     /* drop */
    total = total + value;     /* keep */
    return 0;                  /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int noise = argc;          /* drop */
    if (argc > 9)              /* keep */
        return 1;              /* keep */
    if (noise > 3)             /* drop */
        noise = 0;             /* drop */
    add(argc + 3);             /* keep */
    add(argc + 50);            /* keep */
    int x = total;             /* keep */
    printf("%d\n", noise);     /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
