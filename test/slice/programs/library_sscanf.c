/* sscanf writes two numbers in one call: what is done with the second does not matter. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    int width = 0;
    int height = 0;                                            /* drop */
    int first = argc + 15;                                     /* keep */
    snprintf(text, sizeof text, "%d x %d", first, argc + 16);  /* keep */
    int count = sscanf(text, "%d x %d", &width, &height);      /* keep */
    if (count < 1)                                             /* keep */
        width = argc + 99;                                     /* keep */
    int area = width * height;                                 /* drop */
    height = height + 1;                                       /* drop */
    int x = width + 1;                                         /* keep */
    printf("%d %d\n", area, height);                           /* drop */
    printf("slice: %d\n", x);                                  /* slice: x */
    return 0;
}
