/* Whether the semaphore was had is not looked at: it was only tried. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int level;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    copied = level;                                        /* keep */
    sem_post(&ready);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    level = argc + 4;                                      /* keep */
    sem_init(&ready, 0, 0);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    sem_trywait(&ready);
    int late = argc * 5;                                   /* keep */
    level = late;                                          /* keep */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
