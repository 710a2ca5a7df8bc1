/* The loop may be in a function that is called by what is called. */
/* options: --termination */
#include <stdio.h>

static int steps(int from, int to) {
    int count = 0;                                         /* drop */
    while (from != to) {                                   /* keep */
        from = (from * 5 + 1) % 16;                        /* keep */
        count++;                                           /* drop */
    }
    return count;                                          /* drop */
}

static int between(int from) { return steps(from, 4); }    /* keep */

int main(int argc, char **argv) {
    int first = argc + 2;                                  /* keep */
    int unused = between(first);                           /* keep */
    int answer = argc + 7;                                 /* keep */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d %s\n", unused, argv[0]);                    /* drop */
    return 0;
}
