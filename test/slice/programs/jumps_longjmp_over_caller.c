/* A caller that longjmp() leaves in the middle leaves what it has written so far. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;
static int stage, other, limit;

static void check(void) {
    if (limit > 0)                 /* keep */
        longjmp(again, 1);         /* keep */
}

static void work(void) {
    stage = 1;                     /* keep */
    other = 1;                     /* drop */
    check();                       /* keep */
    stage = 2;                     /* keep */
    other = 2;                     /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    limit = argc;                  /* keep */
    if (setjmp(again) == 0)        /* keep */
        work();                    /* keep */
    printf("slice: %d\n", stage);  /* slice: stage */
    printf("%d\n", other);         /* drop */
    return 0;
}
