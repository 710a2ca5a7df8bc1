/* A function that never returns, though it does not say so, decides about what follows its call. */
#include <stdio.h>
#include <stdlib.h>

static void leave(const char *why) {
    printf("%s\n", why);       /* drop */
    exit(0);                   /* keep */
}

static void fail(const char *why) {
    leave(why);                /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int danger = argc * 2;     /* keep */
    int noise = argc * 3;      /* drop */
    int x = argc + 6;          /* keep */
    if (noise > 2)             /* drop */
        printf("noise\n");     /* drop */
    if (danger > 90)           /* keep */
        fail("danger");        /* keep */
    x = x + 1;                 /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
