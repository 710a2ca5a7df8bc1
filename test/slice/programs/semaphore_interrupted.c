/* A handler of signals may end sem_wait() before anybody has posted. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static sem_t ready;
static int level;
static int copied;

static void ignore(int number) {
    (void)number;
}

static void *copy(void *unused) {
    (void)unused;
    copied = level;                                        /* keep */
    sem_post(&ready);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    signal(SIGUSR1, ignore);
    level = argc + 4;                                      /* keep */
    sem_init(&ready, 0, 0);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    sem_wait(&ready);
    level = argc + 9;                                      /* keep */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
