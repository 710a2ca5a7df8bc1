/* A long global array is copied as a whole: what any of its elements holds comes along. */
#include <stdio.h>
#include <string.h>

struct pair {
    long left;
    long right;
};

static struct pair pairs[12], others[12];
static short shorts[20];

int main(int argc, char **argv) {
    (void)argv;
    struct pair copy[12];
    short few[20];
    pairs[argc + 3].left = argc;                  /* keep */
    pairs[argc + 4].left = argc + 1;              /* keep */
    others[argc + 3].left = argc + 2;             /* drop */
    shorts[argc] = (short)(argc + 5);             /* keep */
    shorts[argc + 8] = (short)(argc + 6);         /* keep */
    memcpy(copy, pairs, sizeof copy);             /* keep */
    memcpy(few, shorts, sizeof few);              /* keep */
    printf("%ld\n", others[argc].left);           /* drop */
    printf("slice: %ld %d\n", copy[argc + 3].left, few[argc]); /* slice */
    return 0;
}
