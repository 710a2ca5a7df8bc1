/* A value decides whether a function is called: what that function does is touched. */
/* options: --forward */
#include <stdio.h>

static int level;
static int lines;

static void raise_level(int by) {
    level = level + by;        /* keep */
}

static void count_line(void) {
    lines = lines + 1;         /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;          /* slice */
    int b = argc + 2;          /* drop */
    level = argc;              /* drop */
    lines = argc;              /* drop */
    if (a > 1)                 /* keep */
        raise_level(b);        /* keep */
    count_line();              /* drop */
    int x = level;             /* keep */
    int y = lines + b;         /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* keep */
    return 0;
}
