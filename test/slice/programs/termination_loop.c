/* Whether a loop ends decides about what follows, if that is asked for. */
/* options: --termination */
#include <stdio.h>

int main(int argc, char **argv) {
    int unrelated = argc * 3;                              /* drop */
    int left = argc + 2;                                   /* keep */
    while (left != 7)                                      /* keep */
        left = left * 3 % 11;                              /* keep */
    int answer = argc + 1;                                 /* keep */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d %s\n", unrelated, argv[0]);                 /* drop */
    return 0;
}
