/* The thread posts over and over, but not before it has read: what is written when one was taken comes too late. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int level;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    copied = level;                                        /* keep */
    for (int i = 0; i < 3; i++)
        sem_post(&ready);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    level = argc + 4;                                      /* keep */
    sem_init(&ready, 0, 0);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    sem_wait(&ready);
    int late = argc + 9;                                   /* drop */
    level = late;                                          /* drop */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
