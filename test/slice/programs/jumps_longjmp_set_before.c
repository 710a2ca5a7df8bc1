/* Where a longjmp goes was said by the setjmp that ran last: it stays, though it decides nothing. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf start, middle;

int main(int argc, char **argv) {
    (void)argv;
    volatile int round = 0;           /* keep */
    volatile int noise = 0;           /* drop */
    volatile int turns = argc;        /* keep */
    if (setjmp(start) < 3) {          /* keep */
        turns = turns + 1;            /* keep */
        if (turns < 4)                /* keep */
            longjmp(start, 2);        /* keep */
        setjmp(middle);               /* keep */
        noise = noise + 1;            /* drop */
        longjmp(start, 3);            /* keep */
    }
    round = round + 1;                /* keep */
    if (round < 3)                    /* keep */
        longjmp(middle, 1);           /* keep */
    printf("noise: %d\n", noise);     /* drop */
    printf("slice: %d\n", round);     /* slice */
    return 0;
}
