/* The calls that differ are three levels above the memory that they lead to. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int *place;
};

static int *get(int value) {
    int *made = malloc(sizeof *made);  /* keep */
    *made = value;                     /* keep */
    return made;                       /* keep */
}

static void fill(struct cell *cell, int value) {
    cell->place = get(value);          /* keep */
}

static void fill_more(struct cell *cell, int value) {
    fill(cell, value + 1);             /* keep */
}

static void fill_most(struct cell *cell, int value) {
    fill_more(cell, value + 1);        /* keep */
}

static int look(const struct cell *cell) {
    return *cell->place;               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct cell a, b;
    int other = argc + 2;              /* drop */
    fill_most(&a, argc);               /* keep */
    fill_most(&b, other);              /* drop */
    int x = look(&a);                  /* keep */
    int y = look(&b);                  /* drop */
    printf("slice: %d\n", x);          /* slice: x */
    printf("%d\n", y);                 /* drop */
    return 0;
}
