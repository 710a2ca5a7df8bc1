/* strtol says where the first number ended: the second number is read from there. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    char other[32];
    char *end;
    int second_value = argc + 22;                                   /* keep */
    snprintf(text, sizeof text, "%d %d", argc + 11, second_value);  /* keep */
    snprintf(other, sizeof other, "%d", argc + 33);                 /* drop */
    long first = strtol(text, &end, 10);                            /* keep */
    long second = strtol(end, NULL, 10);                            /* keep */
    long third = strtol(other, NULL, 10);                           /* drop */
    long sum = first + third;                                       /* drop */
    printf("%ld\n", sum);                                           /* drop */
    printf("slice: %ld\n", second);                                 /* slice: second */
    return 0;
}
