/* Where a call has failed, errno is what that call left: what failed before does not show in it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int reason(void) { return errno; } /* keep */

int main(int argc, char **argv) {
    const char *number = argc > 1 ? "7" : "99999999999999999999"; /* drop */
    int seen = 0;                                                 /* keep */
    long before = strtol(number, NULL, 10);                       /* drop */
    ssize_t got = read(-argc, argv[0], 1);                        /* keep */
    if (got < 0)                                                  /* keep */
        seen = reason();                                          /* keep */
    if (-1 == chdir("/no/such/folder"))                           /* keep */
        seen += strlen(strerror(errno)) > 3;                      /* keep */
    FILE *file = fopen(argv[0][0] ? "/no/such/file" : "", "r");   /* keep */
    if (!file)                                                    /* keep */
        seen += errno == ENOENT;                                  /* keep */
    printf("slice: %d\n", seen);                                  /* slice: seen */
    printf("%ld\n", before);                                      /* drop */
    return 0;
}
