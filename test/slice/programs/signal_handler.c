/* A handler runs after it was given to signal(), with what is there then. */
#include <signal.h>
#include <stdio.h>

static volatile int level, seen, other;

static void handler(int number) {
    (void)number;
    seen = level;                                          /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    level = argc + 3;                                      /* drop */
    level = argc + 4;                                      /* keep */
    signal(SIGUSR1, handler);                              /* keep */
    level = argc + 5;                                      /* keep */
    other = argc + 6;                                      /* drop */
    raise(SIGUSR1);                                        /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    level = argc + 7;                                      /* drop */
    return other;
}
