/* Objects with functions of their own, made by one constructor and asked by one function. */
#include <stdio.h>
#include <stdlib.h>

struct shape {
    int (*area)(const struct shape *);
    int width, height;
};

static int square(const struct shape *s) {
    return s->width * s->width;               /* keep */
}

static int rectangle(const struct shape *s) {
    return s->width * s->height;              /* drop */
}

static struct shape *shape_new(int (*area)(const struct shape *), int width) {
    struct shape *made = calloc(1, sizeof *made); /* keep */
    made->area = area;                        /* keep */
    made->width = width;                      /* keep */
    return made;                              /* keep */
}

static int area_of(const struct shape *s) {
    return s->area(s);                        /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int other = argc + 2;                     /* drop */
    struct shape *a = shape_new(square, argc);     /* keep */
    struct shape *b = shape_new(rectangle, other); /* drop */
    b->height = argc;                         /* drop */
    int x = area_of(a);                       /* keep */
    int y = area_of(b);                       /* drop */
    printf("slice: %d\n", x);                 /* slice: x */
    printf("%d\n", y);                        /* drop */
    return 0;
}
