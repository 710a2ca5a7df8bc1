/* Structs behind the dots of a function are copied, by registers or on the machine stack. */
#include <stdarg.h>
#include <stdio.h>

struct small {
    int a;
    int b;
};
struct large {
    int data[20];
};

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);                          /* keep */
    struct small small = va_arg(list, struct small); /* keep */
    struct large large = va_arg(list, struct large); /* keep */
    va_end(list);
    return small.a + large.data[3];                 /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct small small;
    struct large large, other;
    small.a = argc;                                 /* keep */
    small.b = argc + 1;
    for (int i = 0; i < 20; i++)                    /* keep */
        large.data[i] = i;                          /* keep */
    for (int i = 0; i < 20; i++)                    /* drop */
        other.data[i] = i;                          /* drop */
    int x = sum(2, small, large);                   /* keep */
    printf("%d\n", other.data[argc]);               /* drop */
    printf("slice: %d\n", x);                       /* slice: x */
    return 0;
}
