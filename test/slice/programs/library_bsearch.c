/* A binary search: the key, the array and the comparator decide what is found. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    int a = *(const int *)left;                                        /* keep */
    int b = *(const int *)right;                                       /* keep */
    return (a > b) - (a < b);                                          /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int values[5];
    int names[5];
    for (int i = 0; i < 5; i++) {                                      /* keep */
        values[i] = argc + i * 10;                                     /* keep */
        names[i] = argc * i;                                           /* drop */
    }
    int key = argc + 30;                                               /* keep */
    int *found = bsearch(&key, values, 5, sizeof values[0], compare);  /* keep */
    int place = -argc;                                                 /* keep */
    if (found != NULL)                                                 /* keep */
        place = (int)(found - values);                                 /* keep */
    printf("%d\n", names[argc]);                                       /* drop */
    printf("slice: %d\n", place);                                      /* slice: place */
    return 0;
}
