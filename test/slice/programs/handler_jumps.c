/* A handler that is left by siglongjmp() never returns either, but what it wrote is seen. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile int level, other;

static void handler(int number) {
    level = number * 2;                                    /* keep */
    other = number * 3;                                    /* drop */
    siglongjmp(back, 1);
}

int main(int argc, char **argv) {
    (void)argv;
    level = argc + 4;                                      /* keep */
    other = argc + 5;                                      /* drop */
    if (sigsetjmp(back, 1) == 0) {
        signal(SIGUSR1, handler);                          /* keep */
        raise(SIGUSR1);                                    /* keep */
    }
    printf("slice: %d\n", level == SIGUSR1 * 2);           /* slice: level */
    return other == 0;
}
