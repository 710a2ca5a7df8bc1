/* A callback parameter adds to a global: what it counts on the side does not matter. */
#include <stdio.h>

static int total;
static int seen;

static void add_up(int value) {
    total = total + value;           /* keep */
    seen = seen + 1;                 /* drop */
}

static void for_each(const int *items, int count, void (*visit)(int)) {
    for (int i = 0; i < count; i++)  /* keep */
        visit(items[i]);             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int items[4];
    for (int i = 0; i < 4; i++)      /* keep */
        items[i] = argc + i;         /* keep */
    total = argc * 10;               /* keep */
    seen = argc - 1;                 /* drop */
    for_each(items, 4, add_up);      /* keep */
    int x = total;                   /* keep */
    printf("%d seen\n", seen);       /* drop */
    printf("slice: %d\n", x);        /* slice: x */
    return 0;
}
