/* Both take a lock, but not the same. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int total;

static void *first(void *argument) {
    pthread_mutex_lock(&locks[0]);
    total += 1; /* race */
    pthread_mutex_unlock(&locks[0]);
    return argument;
}

static void *second(void *argument) {
    pthread_mutex_lock(&locks[1]);
    total += 2; /* race */
    pthread_mutex_unlock(&locks[1]);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", total > 0);
    return 0;
}
