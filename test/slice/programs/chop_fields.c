/* The value goes through one field of a struct; another field takes it to nowhere. */
/* options: --chop */
#include <stdio.h>

struct record {
    int number;
    int weight;
    int colour;
};

int main(int argc, char **argv) {
    (void)argv;
    struct record record;
    int a = argc + 1;                     /* slice */
    record.number = a * 2;                /* keep */
    record.weight = a * 3;                /* drop */
    record.colour = argc * 4;             /* drop */
    struct record copy = record;          /* keep */
    int sum = copy.number + copy.colour;  /* keep */
    int weight = copy.weight;             /* drop */
    printf("%d\n", weight);               /* drop */
    printf("slice: %d\n", sum);           /* chop: sum */
    return 0;
}
