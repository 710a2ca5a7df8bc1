/* A recursive walk adds to one global and sets another: only the visited one matters. */
#include <stdio.h>

static int visited;
static int last_seen;

static void walk(int number) {
    visited = visited + number;  /* keep */
    last_seen = number * 10;     /* drop */
    if (number < 2)              /* keep */
        return;                  /* keep */
    walk(number - 1);            /* keep */
    walk(number - 2);            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int number = argc + 4;       /* keep */
    visited = argc;              /* keep */
    last_seen = argc + 2;        /* drop */
    walk(number);                /* keep */
    int x = visited;             /* keep */
    printf("%d\n", last_seen);   /* drop */
    printf("slice: %d\n", x);    /* slice: x */
    return 0;
}
