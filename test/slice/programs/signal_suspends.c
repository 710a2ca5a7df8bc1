/* What follows sigsuspend() does so because a signal was sent, and blocked until then. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t got, noise;

static void handle(int number) {
    got = number;                                  /* keep */
    noise = noise + 1;                             /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    sigset_t set, old;
    struct sigaction action = {.sa_handler = handle};  /* keep */
    sigemptyset(&set);                             /* keep */
    sigaddset(&set, SIGUSR1);                      /* keep */
    sigprocmask(SIG_BLOCK, &set, &old);            /* keep */
    sigaction(SIGUSR1, &action, NULL);             /* keep */
    raise(SIGUSR1);                                /* keep */
    int before = got;                              /* keep */
    sigsuspend(&old);                              /* keep */
    int x = got * 100 + before + argc;             /* keep */
    printf("%d\n", (int)noise);                    /* drop */
    printf("slice: %d\n", x);                      /* slice: x */
    return 0;
}
