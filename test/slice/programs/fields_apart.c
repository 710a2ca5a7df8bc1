/* The fields of a struct are apart: a slice on one has no trace of the other. */
#include <stdio.h>

struct point {
    int x;
    int y;
};

int main(int argc, char **argv) {
    (void)argv;
    struct point place;
    int a = argc + 1;               /* keep */
    int b = argc + 2;               /* drop */
    place.x = argc * 9;             /* drop */
    place.x = a;                    /* keep */
    place.y = b;                    /* drop */
    place.x = place.x + 5;          /* keep */
    place.y = place.x * 2;          /* drop */
    int result = place.x;           /* keep */
    printf("%d\n", place.y);        /* drop */
    printf("slice: %d\n", result);  /* slice: result */
    return 0;
}
