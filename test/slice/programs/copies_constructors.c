/* Objects that one function makes and fills are different memory for each call of it. */
#include <stdio.h>
#include <stdlib.h>

struct inner {
    int value;
};

struct outer {
    struct inner *first, *second;
};

static struct inner *inner_new(int value) {
    struct inner *made = malloc(sizeof *made);      /* keep */
    made->value = value;                            /* keep */
    return made;                                    /* keep */
}

static struct outer *outer_new(int first, int second) {
    struct outer *made = malloc(sizeof *made);      /* keep */
    made->first = inner_new(first);                 /* keep */
    made->second = inner_new(second);               /* drop */
    return made;                                    /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted = argc + 1;                          /* keep */
    int other = argc + 2;                           /* drop */
    int one_more = argc + 3;                        /* drop */
    struct outer *a = outer_new(wanted, other);     /* keep */
    struct outer *b = outer_new(one_more, argc);    /* drop */
    b->first->value++;                              /* drop */
    a->second->value++;                             /* drop */
    int x = a->first->value;                        /* keep */
    printf("slice: %d\n", x);                       /* slice: x */
    printf("%d\n", b->first->value);                /* drop */
    return 0;
}
