/* A call that succeeds leaves errno as it was: what failed before may show in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *first = argc > 1 ? "7" : "99999999999999999999"; /* keep */
    int unrelated = argc * 3;                                    /* drop */
    errno = 0;                                                   /* keep */
    long before = strtol(first, NULL, 10);                       /* keep */
    long after = strtol("8", NULL, 10);                          /* keep */
    int failed = errno == ERANGE;                                /* keep */
    printf("slice: %d\n", failed);                               /* slice: failed */
    printf("%ld %ld %d\n", before, after, unrelated);            /* drop */
    return 0;
}
