/* Two vectors that grow by one function: their elements are different memory. */
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *data;
    size_t count, room;
};

static void push(struct vector *v, int value) {
    if (v->count == v->room) {                                /* keep */
        v->room = v->room ? 2 * v->room : 4;                  /* keep */
        v->data = realloc(v->data, v->room * sizeof(int));    /* keep */
    }
    v->data[v->count++] = value;                              /* keep */
}

static int sum(const struct vector *v) {
    int all = 0;                                              /* keep */
    for (size_t i = 0; i < v->count; i++)                     /* keep */
        all += v->data[i];                                    /* keep */
    return all;                                               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct vector a = {0};                                    /* keep */
    struct vector b = {0};                                    /* drop */
    push(&a, argc);                                           /* keep */
    push(&b, argc + 1);                                       /* drop */
    int x = sum(&a);                                          /* keep */
    int y = sum(&b);                                          /* drop */
    printf("slice: %d\n", x);                                 /* slice: x */
    printf("%d\n", y);                                        /* drop */
    return 0;
}
