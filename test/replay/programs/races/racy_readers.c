/* A lock for readers does not keep two of them apart, and one of them writes. */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *look(void *argument) {
    pthread_rwlock_rdlock(&lock);
    hits++; /* race race */
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", hits > 0);
    return 0;
}
