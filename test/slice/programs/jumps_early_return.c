/* An early return decides whether the rest of the function happens. */
#include <stdio.h>

static int classify(int value) {
    int kind = value + 10;     /* keep */
    int notes = value * 4;     /* drop */
    if (value > 5)             /* keep */
        return kind;           /* keep */
    if (notes > 9)             /* drop */
        printf("notes\n");     /* drop */
    kind = kind * 2;           /* keep */
    return kind;               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 3;      /* keep */
    int x = classify(value);   /* keep */
    printf("slice: %d\n", x);  /* slice: x */
    if (x > 1000)              /* drop */
        return 1;              /* drop */
    printf("end\n");           /* drop */
    return 0;
}
