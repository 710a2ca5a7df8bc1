/* A longjmp out of a nested call skips what follows there: its condition decides the result. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int result;
static int trace;

static void inner(int value) {
    trace = trace + 1;         /* drop */
    if (value > 3) {           /* keep */
        result = value * 2;    /* keep */
        longjmp(back, 1);      /* keep */
    }
    result = value;            /* keep */
}

static void outer(int value) {
    inner(value);              /* keep */
    result = result + 100;     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 5;      /* keep */
    trace = argc;              /* drop */
    if (setjmp(back) == 0)     /* keep */
        outer(value);          /* keep */
    int x = result;            /* keep */
    printf("%d\n", trace);     /* drop */
    printf("slice: %d\n", x);  /* slice: x */
    return 0;
}
