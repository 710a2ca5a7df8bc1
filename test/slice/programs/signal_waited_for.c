/* A thread that waits for a signal goes on because of who sends it, and who kept it from ending all. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static int sent, noise;

static void *waits(void *unused) {
    sigset_t set;
    int number;
    sigemptyset(&set);                             /* keep */
    sigaddset(&set, SIGUSR2);                      /* keep */
    sigwait(&set, &number);                        /* keep */
    sent = number == SIGUSR2;                      /* keep */
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);                             /* keep */
    sigaddset(&set, SIGUSR2);                      /* keep */
    pthread_sigmask(SIG_BLOCK, &set, NULL);        /* keep */
    noise = argc;                                  /* drop */
    pthread_create(&thread, NULL, waits, NULL);    /* keep */
    pthread_kill(thread, SIGUSR2);                 /* keep */
    pthread_join(thread, NULL);                    /* keep */
    int x = sent + argc;                           /* keep */
    printf("%d\n", noise);                         /* drop */
    printf("slice: %d\n", x);                      /* slice: x */
    return 0;
}
