/* Only one of two out parameters matters. */
#include <stdio.h>

static void split(int value, int bonus, int *low, int *high) {
    int with_bonus = value + bonus;    /* drop */
    *low = value % 10;                 /* keep */
    *high = with_bonus / 10;           /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 57;             /* keep */
    int bonus = argc * 3;              /* drop */
    int low;
    int high;
    split(value, bonus, &low, &high);  /* keep */
    int x = low + argc;                /* keep */
    int y = high + argc;               /* drop */
    printf("%d\n", y);                 /* drop */
    printf("slice: %d\n", x);          /* slice: x */
    return 0;
}
