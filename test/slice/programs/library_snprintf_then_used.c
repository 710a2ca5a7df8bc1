/* A number is printed into a buffer and read back: the buffer carries its value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char buffer[32];
    int number = argc + 122;                                            /* keep */
    int base = argc + 9;                                                /* keep */
    int unused = argc + 5;                                              /* drop */
    int needed = snprintf(buffer, sizeof buffer, "%d", number * base);  /* keep */
    unused = unused + needed;                                           /* drop */
    int last = (int)strlen(buffer) - 1;                                 /* keep */
    buffer[last] = '7';                                                 /* keep */
    int x = atoi(buffer);                                               /* keep */
    printf("%d\n", unused);                                             /* drop */
    printf("slice: %d\n", x);                                           /* slice: x */
    return 0;
}
