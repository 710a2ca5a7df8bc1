/* A function that may end the program decides about what follows its call. */
/* options: --termination */
#include <stdio.h>
#include <stdlib.h>

static void check(int value, int noise) {
    int doubled = noise * 2;                               /* drop */
    if (value > 5)                                         /* keep */
        exit(3);                                           /* keep */
    printf("%d\n", doubled);                               /* drop */
}

static void harmless(int value) {
    printf("%d\n", value);                                 /* drop */
}

int main(int argc, char **argv) {
    int limit = argc + 1;                                  /* keep */
    int noise = argc + 2;                                  /* drop */
    int other = argc + 3;                                  /* drop */
    check(limit, noise);                                   /* keep */
    harmless(other);                                       /* drop */
    int answer = argc + 4;                                 /* keep */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%s\n", argv[0]);                               /* drop */
    return 0;
}
