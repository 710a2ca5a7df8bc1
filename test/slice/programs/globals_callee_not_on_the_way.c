/* A function that spoils the global is only called after the value was read. */
#include <stdio.h>

static int level;

static void raise_level(int by) {
    level = level + by;        /* keep */
}

static void spoil_level(int with) {
    int worse = with * 2;      /* drop */
    level = level - worse;     /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int by = argc + 1;         /* keep */
    int with = argc + 2;       /* drop */
    level = argc;              /* keep */
    raise_level(by);           /* keep */
    int x = level;             /* keep */
    spoil_level(with);         /* drop */
    printf("%d\n", level);     /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
