/* Fields of nested structs are apart, also through a pointer to the inner struct. */
#include <stdio.h>

struct size {
    int width;
    int height;
};

struct window {
    int id;
    struct size outer;
    struct size inner;
};

int main(int argc, char **argv) {
    (void)argv;
    struct window window;
    window.id = argc + 1;                                        /* drop */
    window.outer.width = argc + 2;                               /* drop */
    window.outer.height = argc + 3;                              /* drop */
    window.inner.width = argc + 4;                               /* drop */
    window.inner.height = argc + 5;                              /* keep */
    struct size *inside = &window.inner;                         /* keep */
    inside->width = argc + 6;                                    /* drop */
    inside->height = inside->height * 2;                         /* keep */
    int result = window.inner.height;                            /* keep */
    printf("%d %d\n", window.id, window.inner.width);            /* drop */
    printf("%d %d\n", window.outer.width, window.outer.height);  /* drop */
    printf("slice: %d\n", result);                               /* slice: result */
    return 0;
}
