/* Only data is followed through a call: the argument that only decides is left out. */
/* options: --data */
#include <stdio.h>

static int pick(int wish, int first, int second) {
    int picked = first;                 /* keep */
    if (wish > 3)                       /* drop */
        picked = second;                /* keep */
    return picked;                      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wish = argc * 5;                /* drop */
    int first = argc + 4;               /* keep */
    int second = argc * 5;              /* keep */
    wish = wish + 1;                    /* drop */
    int x = pick(wish, first, second);  /* keep */
    printf("%d\n", wish);               /* drop */
    printf("slice: %d\n", x);           /* slice: x */
    return 0;
}
