/* A handler is one also if the program calls it besides: it runs with what is there then. */
#include <signal.h>
#include <stdio.h>

static volatile int level, seen, other;

static void handler(int number) {
    seen = level + 0 * number;                             /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct sigaction action = {.sa_handler = handler};     /* keep */
    sigaction(SIGUSR1, &action, NULL);                     /* keep */
    handler(0);
    level = argc + 5;                                      /* keep */
    other = argc + 6;                                      /* drop */
    raise(SIGUSR1);                                        /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    return other;
}
