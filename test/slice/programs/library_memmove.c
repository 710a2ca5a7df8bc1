/* memmove shifts the elements within one array: where a value is read, another was written. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    int values[6];
    int shadow[6];
    for (int i = 0; i < 6; i++) {                              /* keep */
        values[i] = argc * 10 + i;                             /* keep */
        shadow[i] = argc * 20 + i;                             /* drop */
    }
    size_t count = (size_t)argc + 2;                           /* keep */
    memmove(values + argc, values, count * sizeof values[0]);  /* keep */
    memmove(shadow, shadow + argc, count * sizeof shadow[0]);  /* drop */
    int x = values[argc + 1];                                  /* keep */
    int y = shadow[argc + 1];                                  /* drop */
    printf("%d\n", y);                                         /* drop */
    printf("slice: %d\n", x);                                  /* slice: x */
    return 0;
}
