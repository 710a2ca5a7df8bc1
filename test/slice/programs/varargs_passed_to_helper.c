/* A va_list is passed to a helper: taking the first argument moves on to the next. */
#include <stdarg.h>
#include <stdio.h>

static int take(va_list *rest) {
    int value = va_arg(*rest, int);  /* keep */
    return value;                    /* keep */
}

static int second_of(int label, ...) {
    va_list rest;
    va_start(rest, label);           /* keep */
    int skipped = take(&rest);       /* keep */
    int wanted = take(&rest);        /* keep */
    va_end(rest);
    int noise = label + skipped;     /* drop */
    printf("%d\n", noise);           /* drop */
    return wanted;                   /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int label = argc + 60;           /* drop */
    int a = argc + 1;
    int b = argc + 2;                /* keep */
    int x = second_of(label, a, b);  /* keep */
    printf("slice: %d\n", x);        /* slice: x */
    return 0;
}
