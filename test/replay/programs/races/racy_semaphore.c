/* The semaphore is posted before the value is there. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full;
static int value;

static void *produce(void *argument) {
    sem_post(&full);
    value = 3; /* race */
    return argument;
}

static void *consume(void *argument) {
    sem_wait(&full);
    *(int *)argument = value; /* race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int got = 0;
    sem_init(&full, 0, 0);
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, &got);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", got == 0 || got == 3);
    return 0;
}
