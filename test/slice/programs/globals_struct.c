/* A global struct is set by one function and read by others: its fields are apart. */
#include <stdio.h>

struct settings {
    int width;
    int height;
    int colour;
};

static struct settings settings;

static void configure(int width, int height) {
    settings.width = width;                               /* keep */
    settings.height = height;                             /* drop */
}

static void recolour(struct settings *where, int colour) {
    where->colour = colour;                               /* drop */
}

static int line_width(void) {
    return settings.width * 2;                            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int width = argc + 10;                                /* keep */
    int height = argc + 20;                               /* drop */
    configure(width, height);                             /* keep */
    recolour(&settings, argc + 30);                       /* drop */
    int x = line_width();                                 /* keep */
    printf("%d %d\n", settings.height, settings.colour);  /* drop */
    printf("slice: %d\n", x);                             /* slice: x */
    return 0;
}
