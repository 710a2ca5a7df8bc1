/* The bound of a loop decides how often the value is doubled. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int bound = argc + 2;                  /* drop */
    bound = argc + 4;                      /* keep */
    int other_bound = argc + 6;            /* drop */
    int x = argc;                          /* keep */
    int y = argc;                          /* drop */
    for (int i = 0; i < bound; i++) {      /* keep */
        x = x * 2;                         /* keep */
        y = y + x;                         /* drop */
    }
    for (int i = 0; i < other_bound; i++)  /* drop */
        y = y + i;                         /* drop */
    printf("%d\n", y);                     /* drop */
    printf("slice: %d\n", x);              /* slice: x */
    return 0;
}
