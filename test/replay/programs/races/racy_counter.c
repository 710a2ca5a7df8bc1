/* Two threads count without a lock. */
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *count(void *argument) {
    for (int i = 0; i < 100; i++)
        counter++; /* race race */
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counter > 0);
    return 0;
}
