/* A struct of operations: only the operation that is called for the result matters. */
#include <stdio.h>

struct operations {
    int (*open)(int);
    int (*close)(int);
};

static int open_door(int number) {
    return number + 100;                                        /* keep */
}

static int close_door(int number) {
    return number - 100;                                        /* drop */
}

static const struct operations door = {open_door, close_door};  /* keep */

int main(int argc, char **argv) {
    (void)argv;
    const struct operations *use = &door;                       /* keep */
    int a = argc + 1;                                           /* keep */
    int b = argc + 2;                                           /* drop */
    int x = use->open(a);                                       /* keep */
    int y = use->close(b);                                      /* drop */
    printf("%d\n", y);                                          /* drop */
    printf("slice: %d\n", x);                                   /* slice: x */
    return 0;
}
