/* What goes into one of two vectors does not come out of the other. */
/* options: --forward */
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *data;
    size_t count;
};

static void push(struct vector *v, int value) {
    v->data = realloc(v->data, (v->count + 1) * sizeof(int)); /* drop */
    v->data[v->count++] = value;                              /* keep */
}

static int last(const struct vector *v) {
    return v->data[v->count - 1];                             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct vector a = {0}, b = {0};
    int in = argc + 1;                                        /* slice */
    push(&a, in);                                             /* keep */
    push(&b, argc);                                           /* drop */
    int x = last(&a);                                         /* keep */
    int y = last(&b);                                         /* drop */
    printf("%d\n", x);                                        /* keep */
    printf("%d\n", y);                                        /* drop */
    return 0;
}
