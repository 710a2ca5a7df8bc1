/* A value is printed into a text that nobody reads for the result. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char label[48];
    int value = argc + 17;                           /* keep */
    int length = argc - 1;                           /* drop */
    for (int i = 0; i < 3; i++) {                    /* keep */
        value = value + i;                           /* keep */
        length = sprintf(label, "value %d", value);  /* drop */
        label[length - 1] = '!';                     /* drop */
    }
    size_t size = strlen(label);                     /* drop */
    printf("%s %zu\n", label, size);                 /* drop */
    int x = value * 2;                               /* keep */
    printf("slice: %d\n", x);                        /* slice: x */
    return 0;
}
