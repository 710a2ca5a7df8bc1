/* A loop that ends or not is of no concern to what follows. */
#include <stdio.h>

int main(int argc, char **argv) {
    int left = argc + 2;                                   /* drop */
    while (left != 3 && left != 9)                         /* drop */
        left = left * 3 % 11;                              /* drop */
    int answer = argc + 1;                                 /* keep */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%s\n", argv[0]);                               /* drop */
    return 0;
}
