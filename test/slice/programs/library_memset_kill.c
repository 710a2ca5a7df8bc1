/* memset over a whole struct: what its fields were before is lost. */
#include <stdio.h>
#include <string.h>

struct pair {
    int left;
    int right;
};

int main(int argc, char **argv) {
    (void)argv;
    struct pair pair;
    int lost = argc + 1;                       /* drop */
    int fill = argc - 1;                       /* keep */
    pair.left = lost;                          /* drop */
    pair.right = lost + 1;                     /* drop */
    printf("%d %d\n", pair.left, pair.right);  /* drop */
    memset(&pair, fill, sizeof pair);          /* keep */
    pair.right = argc + 9;                     /* drop */
    int x = pair.left + argc;                  /* keep */
    printf("%d\n", pair.right);                /* drop */
    printf("slice: %d\n", x);                  /* slice: x */
    return 0;
}
