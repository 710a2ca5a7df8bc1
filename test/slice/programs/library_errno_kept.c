/* What is at its end has not failed, though it says -1 or NULL: errno stays as it was.  Nor is errno
 * that of a call which others follow, or that may have succeeded. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    FILE *empty = fopen("/dev/null", "r");                        /* keep */
    char *text = NULL;
    size_t room = 0;
    const char *first = argc > 1 ? "7" : "99999999999999999999";  /* keep */
    const char *second = argc > 2 ? "7" : "99999999999999999999"; /* keep */
    const char *third = argc > 3 ? "7" : "99999999999999999999";  /* keep */
    int seen = 0;
    errno = 0;                                                    /* keep */
    long before = strtol(first, NULL, 10);                        /* keep */
    if (getline(&text, &room, empty) < 0)                         /* keep */
        seen = errno == ERANGE;                                   /* keep */
    errno = 0;                                                    /* keep */
    int failed = chdir("/no/such/folder");                        /* keep */
    before += strtol(second, NULL, 10);                           /* keep */
    if (failed < 0)                                               /* keep */
        seen += 2 * (errno == ERANGE);                            /* keep */
    errno = 0;                                                    /* keep */
    before += strtol(third, NULL, 10);                            /* keep */
    failed = chdir("/");                                          /* keep */
    if (failed <= 0)                                              /* keep */
        seen += 4 * (errno == ERANGE);                            /* keep */
    printf("slice: %d\n", seen);                                  /* slice: seen */
    printf("%ld\n", before);                                      /* drop */
    return 0;
}
