/* A semaphore tells main that the thread has put something into the box. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t filled;
static int box;
static int wrapping;

static void *supply(void *argument) {
    int item = *(int *)argument + 1;                       /* keep */
    box = item;                                            /* keep */
    wrapping = item * 2;                                   /* drop */
    sem_post(&filled);                                     /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t supplier;
    int order = argc + 4;                                  /* keep */
    sem_init(&filled, 0, 0);
    pthread_create(&supplier, NULL, supply, &order);       /* keep */
    sem_wait(&filled);                                     /* keep */
    int taken = box;                                       /* keep */
    int paper = wrapping;                                  /* drop */
    printf("slice: %d\n", taken);                          /* slice: taken */
    printf("%d\n", paper);                                 /* drop */
    pthread_join(supplier, NULL);
    return 0;
}
