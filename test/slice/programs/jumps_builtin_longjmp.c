/* The compiler's own setjmp and longjmp are the same kind of jump. */
#include <stdio.h>

static void *buffer[5];
static int result, trace;

__attribute__((noinline)) static void inner(int value) {
    trace = trace + 1;                   /* drop */
    if (value > 3) {                     /* keep */
        result = value * 2;              /* keep */
        __builtin_longjmp(buffer, 1);    /* keep */
    }
    result = value;                      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 5;                /* keep */
    trace = argc;                        /* drop */
    if (__builtin_setjmp(buffer) == 0) { /* keep */
        inner(value);                    /* keep */
        result = result + 100;           /* keep */
    }
    int x = result;                      /* keep */
    printf("%d\n", trace);               /* drop */
    printf("slice: %d\n", x);            /* slice: x */
    return 0;
}
