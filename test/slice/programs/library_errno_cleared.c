/* What errno was before it is set to 0 is of no concern after. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *first = argc > 1 ? "7" : "99999999999999999999";  /* drop */
    const char *second = argc > 2 ? "8" : "99999999999999999999"; /* keep */
    long before = strtol(first, NULL, 10);                        /* drop */
    printf("%d\n", errno == ERANGE);                              /* drop */
    errno = 0;                                                    /* keep */
    long after = strtol(second, NULL, 10);                        /* keep */
    int failed = errno == ERANGE;                                 /* keep */
    printf("slice: %d\n", failed);                                /* slice: failed */
    printf("%ld %ld\n", before, after);                           /* drop */
    return 0;
}
