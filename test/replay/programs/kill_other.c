/* Signals for the process that come from a thread which blocks them: another one gets them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int handled;

static void handle(int number) { handled = number; }

static void *send(void *how) {
    sigset_t all;
    struct timespec a_while = {0, 20000000};
    union sigval value = {.sival_int = 7};
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 200 && !handled; i++) {
        nanosleep(&a_while, NULL);
        if (strcmp(how, "queue") == 0)
            sigqueue(getpid(), SIGUSR1, value);
        else
            kill(getpid(), SIGUSR1);
    }
    return NULL;
}

int main(void) {
    static const char *const ways[] = {"kill", "queue"};
    signal(SIGUSR1, handle);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        struct timespec long_time = {1000, 0}, left = {0, 0};
        handled = 0;
        pthread_create(&thread, NULL, send, (void *)ways[i]);
        int result = nanosleep(&long_time, &left);
        printf("%s: %d, %d, handled %d\n", ways[i], result, errno == EINTR, (int)handled);
        pthread_join(thread, NULL);
    }
    kill(getpid(), SIGUSR1);
    printf("by itself: %d\n", (int)handled);
    return 0;
}
