/* A pointer that keeps, from one turn of a loop to the next, where it leads to; and one that
 * keeps it over longjmp(). */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;

int main(int argc, char **argv) {
    (void)argv;
    int a = 1, b = 2, c = 3;       /* keep */
    int *p = &c;                   /* keep */
    for (int i = 0; i < 3; i++) {
        *p = argc + i;             /* keep */
        p = i ? &b : &a;           /* keep */
    }
    int x = a + b;                 /* keep */
    int *volatile q = &x;          /* keep */
    int first = 5, second = 6;     /* keep */
    if (setjmp(again) == 0) {
        q = &second;               /* keep */
        longjmp(again, 1);         /* keep */
    }
    *q = argc + 9;                 /* keep */
    printf("slice: %d\n", x + first + second); /* slice */
    printf("%d\n", c);             /* drop */
    return 0;
}
