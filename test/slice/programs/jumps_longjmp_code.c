/* A longjmp carries a code back to setjmp: the code decides which branch is taken. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void fail(int code, int note) {
    int shown = note * 3;           /* drop */
    printf("failing %d\n", shown);  /* drop */
    longjmp(back, code);            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    volatile int x = 0;
    int code = argc + 4;            /* keep */
    int note = argc + 9;            /* drop */
    switch (setjmp(back)) {         /* keep */
    case 0:
        fail(code, note);           /* keep */
        break;
    case 5:
        x = argc + 20;              /* keep */
        break;                      /* keep */
    default:
        x = argc + 30;              /* keep */
    }
    printf("slice: %d\n", x);       /* slice: x */
    return 0;
}
