/* A struct is copied as a whole: only the field that is read later matters, changes after the copy do not. */
#include <stdio.h>

struct record {
    int number;
    int weight;
    int colour;
};

int main(int argc, char **argv) {
    (void)argv;
    struct record original;
    struct record copy;
    original.number = argc + 1;                       /* keep */
    original.weight = argc + 2;                       /* drop */
    original.colour = argc + 3;                       /* drop */
    copy = original;                                  /* keep */
    original.number = argc + 10;                      /* drop */
    copy.weight = argc + 20;                          /* drop */
    copy.number = copy.number + argc;                 /* keep */
    int result = copy.number;                         /* keep */
    printf("%d %d\n", original.number, copy.weight);  /* drop */
    printf("%d\n", copy.colour);                      /* drop */
    printf("slice: %d\n", result);                    /* slice: result */
    return 0;
}
