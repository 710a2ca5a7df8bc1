/* Elements of long global arrays are one, and a write of one of them leaves the others. */
#include <stdio.h>

struct pair {
    long left;
    long right;
};

static int numbers[16];
static char text[16];
static struct pair pairs[12];
static int used;

static void add(char c) {
    text[used++] = c;                         /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    numbers[argc] = argc + 6;                 /* keep */
    numbers[argc + 1] = argc + 7;             /* keep */
    add((char)('a' + numbers[argc]));         /* keep */
    add('z');                                 /* keep */
    pairs[argc].left = argc;                  /* keep */
    pairs[argc].right = argc + 2;             /* drop */
    pairs[argc + 1].left = argc + 3;          /* keep */
    pairs[argc + 1].right = argc + 4;         /* drop */
    printf("%ld\n", pairs[argc].right);        /* drop */
    printf("slice: %s %ld\n", text, pairs[argc].left); /* slice */
    return 0;
}
