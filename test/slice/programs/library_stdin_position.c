/* Reading input moves the position in the stream: an earlier read decides what a later one gets. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    char line[16];
    int x = argc + 3;                             /* keep */
    int first = getchar();                        /* keep */
    char *got = fgets(line, sizeof line, stdin);  /* keep */
    if (got != NULL)                              /* keep */
        x = atoi(line);                           /* keep */
    int second = getchar();                       /* drop */
    int sum = first + second;                     /* drop */
    printf("%d\n", sum);                          /* drop */
    printf("slice: %d\n", x);                     /* slice: x */
    return 0;
}
