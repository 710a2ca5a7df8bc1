/* A struct that is passed by value on the machine stack: what the callee does to it is its own. */
#include <stdio.h>

struct large {
    int data[20];
    int size;
};

static int change(struct large copy) {
    copy.size = 7;             /* drop */
    copy.data[0] = 3;          /* drop */
    return copy.size;          /* drop */
}

static int last(struct large copy) {
    copy.size = copy.size - 1;        /* keep */
    return copy.data[copy.size];      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct large all = {{0}, 0};      /* keep */
    all.size = argc + 5;              /* keep */
    all.data[argc + 4] = 9;           /* keep */
    int noise = change(all);          /* drop */
    int x = all.size + last(all);     /* keep */
    printf("%d\n", noise);            /* drop */
    printf("slice: %d\n", x);         /* slice: x */
    return 0;
}
