/* swapcontext() runs what other contexts do until they switch back. */
#include <stdio.h>
#include <ucontext.h>

static ucontext_t here, there;
static char stack[65536];
static int basket, other;

static void gather(void) {
    basket = 1;                            /* keep */
    other = 1;                             /* drop */
    swapcontext(&there, &here);            /* keep */
    basket *= 5;                           /* keep */
    other = 2;                             /* drop */
    swapcontext(&there, &here);            /* keep */
    basket = 100;
}

int main(int argc, char **argv) {
    (void)argv;
    getcontext(&there);                    /* keep */
    there.uc_stack.ss_sp = stack;          /* keep */
    there.uc_stack.ss_size = sizeof stack; /* keep */
    makecontext(&there, gather, 0);        /* keep */
    swapcontext(&here, &there);            /* keep */
    basket += argc;                        /* keep */
    other += argc;                         /* drop */
    swapcontext(&here, &there);            /* keep */
    printf("slice: %d\n", basket);         /* slice: basket */
    printf("%d\n", other);                 /* drop */
    return 0;
}
