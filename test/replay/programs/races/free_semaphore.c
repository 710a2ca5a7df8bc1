/* A value goes back and forth between two threads by two semaphores. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full, empty;
static int value;

static void *produce(void *argument) {
    for (int i = 1; i <= 100; i++) {
        sem_wait(&empty);
        value = i;
        sem_post(&full);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    long sum = 0;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 1; i <= 100; i++) {
        sem_wait(&full);
        sum += value;
        sem_post(&empty);
    }
    pthread_join(thread, NULL);
    printf("%ld\n", sum);
    return 0;
}
