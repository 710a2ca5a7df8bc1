/* Globals carry values from one call to the next; the height is set on the way but not used for the area. */
#include <stdio.h>

static int width;
static int height;
static int area;

static void set_sizes(int w, int h) {
    width = w;                      /* keep */
    height = h;                     /* drop */
}

static void compute_area(void) {
    area = width * width;           /* keep */
}

static void grow_height(void) {
    height = height + area;         /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 2;               /* keep */
    int b = argc + 3;               /* drop */
    set_sizes(a, b);                /* keep */
    compute_area();                 /* keep */
    grow_height();                  /* drop */
    int result = area + 1;          /* keep */
    printf("%d\n", height);         /* drop */
    printf("slice: %d\n", result);  /* slice: result */
    return 0;
}
