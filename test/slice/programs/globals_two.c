/* Two globals are changed by their own functions in one loop: they are apart. */
#include <stdio.h>

static int apples;
static int pears;

static void pick_apples(int count) {
    apples = apples + count;       /* keep */
}

static void pick_pears(int count) {
    pears = pears + count;         /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int each = argc + 1;           /* keep */
    int many = argc + 5;           /* drop */
    apples = argc;                 /* keep */
    pears = argc;                  /* drop */
    for (int i = 0; i < 4; i++) {  /* keep */
        pick_apples(each);         /* keep */
        pick_pears(many);          /* drop */
    }
    int x = apples;                /* keep */
    printf("%d\n", pears);         /* drop */
    printf("slice: %d\n", x);      /* slice: x */
    return 0;
}
